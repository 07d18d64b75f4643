import { anyOf, eastern, type Family, latin, southern, type Words } from './near.ts'

/** Words that ask to check, and words for the recipient's address or its spelling. */
const LATIN: readonly Family[] = [
  {
    // Not "we could not verify".
    subject:
      '(?<!(?:able|trying|failed|failure|tried|attempted|not|n.t|we|it|server|system) (?:to )?)(?:(?:re-?|double-?)?check(?:ing)?(?! fail)|verify|review|correct)|make sure|be sure|ensure',
    state:
      '(?:(?:recipient|addressee|destination|receiver|target|to)(?:.?s.?)? |e-?mail |mail |user ?|mailbox )*(?:address|recipient|addressee)(?:.?s)?|spelling|typing errors?|typos?',
    gap: 30,
  },
  {
    isCompound: true,
    subject:
      '(?:über|ueber)?pr(?:ü|ue)fen|kontrollieren|vergewissern|controleer|controleert|nakijken|(?:über|ueber)?pr(?:ü|ue)fe',
    state:
      '(?:empf(?:ä|ae)nger|ziel|e-?mail-?|mail-?)?adresse|schreibweise|empf(?:ä|ae)nger|(?:e-?mail-?|mail-?)?adres|spelling|ontvanger',
  },
  {
    subject:
      'v[ée]rifi(?:er|ez)|contr[ôo]le[rz]|compruebe|comprobar|verifi(?:que|car|quem)|revise|revisar|confira|conferir|controll(?:are|ate|i)|verific(?:are|ate|hi|a[țt]i)',
    state:
      "(?:l[’'])?adresse|destinataire|orthographe|direcci[oó]n|destinatari[oa]|endere[cç]o|(?:l[’'])?indirizzo|adresa|correo del destinatario",
  },
  {
    subject:
      'kontroll\\w+|kontroller\\w*|sprawd[źz]\\w*|zkontrolujte|skontrolujte|ellen[őo]riz\\w+|tarkista\\w*|do[ğg]rula\\w*|kontrol edin\\w*|provjerite',
    state:
      '\\w*adress?e?n?\\w*|mottaga\\w+|modtager\\w*|mottaker\\w*|adres\\w*|odbiorc\\w*|c[íi]m\\w*|osoite\\w*|vastaanottaj\\w*|al[ıi]c[ıi]\\w*',
  },
]
const SOUTHERN: readonly Family[] = [
  {
    subject: 'провер|перевір|ελέγξτε|בדוק|תحقق',
    state: 'адрес|получател|отримувач|διεύθυνση|כתובת|العنوان|المستلم',
  },
]
const EASTERN: readonly Family[] = [
  {
    subject: '检查|檢查|核对|核對|确认|確認|확인',
    state: '地址|邮箱|郵箱|信箱|收件人|收信人|宛先|アドレス|受信者|주소|수신자|받는 ?사람',
  },
]
const ASKS = anyOf([...latin(LATIN), ...southern(SOUTHERN), ...eastern(EASTERN)])

/**
 * Words of another cause: the sender, its network, a policy, the message, the time. With one of these, advice about the address is
 * a habit of the server. So it is if the server did not learn the reason itself.
 */
const OTHER_CAUSE =
  /spam|junk|virus|malware|phish|block|block ?list|black|listed|\blist\b|reputation|polic(?:y|ies)|permission|permit|allow|author|authent|login|logged|password|credential|denied|forbidden|prohibit|relay|sender|\bfrom\b|return.path|\byour (?!messages?\b|e-?mails?\b|mails?\b|recipient)|\bips?\b|\[?\d{1,3}(?:\.\d{1,3}){3}|helo|ehlo|ptr|dns|spf|dkim|dmarc|certificate|tls|quota|full|storage|space|size|large|attachment|content|header|subject line|format|rate|limit|too (?:many|much|fast)|exceed|temporar|later|busy|time.?out|timed|expire|connect|network|unreach|server|record|host|internal|system|loop|hop|suspend|lock|virus|verification|click|https?:\S*(?:verif|confirm)|captcha|robot|human|challenge|reply-to|greylist|unsolicited|did not report|no(?: specific)? reason|unknown reason|absender|exp[ée]diteur|remitente|mittente|remetente|afzender|richtlinie|gesperrt|blockiert|voll\b|pleine|llen[oa]|cheia|pien[oa]|отправител|발신|发件|發件|寄件|送信者|送信元|拒收|策略/i

/**
 * Matches a refusal that names no cause and asks to check the recipient's address. Gateways answer so for an unknown address,
 * with a code of policy or with none. Only for replies: a DSN often adds such advice, whatever the reason.
 */
export const CHECK_ADDRESS: Words = {
  test: (text) => ASKS.test(text) && !OTHER_CAUSE.test(text),
}
