import { anyPhrase } from '../../lib/text/phrases.ts'
import { anyOf, eastern, type Family, latin, southern, type Words } from './near.ts'

/** The recipient's address or its spelling. */
const ADDRESS =
  "(?:(?:recipient|addressee|destination|receiver|target|to|e-?mail|mail|mailbox|user)(?:['’]?s['’]?)? ){0,3}(?:address(?:es)?|recipients?|addressee|spelling)"
/** "Please check if the address is correct", not "we could not verify the address". */
const ENGLISH = new RegExp(
  [
    `(?<!\\b(?:not|we|i|it|server|system|to be) |n.t |\\b(?:(?:un)?able|trying|failed|failure|tried|attempted|ha(?:s|ve)) to )\\b(?:re-?|double-?)?(?:check|verify)(?:ing)? (?:(?:if|that|whether|for) )?(?:(?:the|this|that|all|any) )?(?:(?:spelling|correctness|validity) of )?(?:(?:the|this) )?${ADDRESS}(?! (?:at|on|record|book|list|in)\\b)`,
    `\\b(?:make sure|be sure|ensure)\\b.{0,20}\\b${ADDRESS} (?:is|was|are) (?:correct|right|valid|accurate|spel\\w+|typed|written|entered)`,
  ].join('|'),
  'i',
)

/** Other languages: words that ask to check, and words for the recipient. */
const LATIN: readonly Family[] = [
  {
    isCompound: true,
    subject: '(?:über|ueber)?pr(?:ü|ue)fen|kontrollieren|controleer|controleert|nakijken',
    state: 'empf(?:ä|ae)nger(?:s|adresse)?|schreibweise|ontvangers?|geadresseerde',
  },
  {
    subject:
      'v[ée]rifi(?:er|ez)|contr[ôo]le[rz]|compruebe|comprobar|verifi(?:que|car|quem)|revise|revisar|confira|conferir|controll(?:are|ate|i)|verific(?:are|ate|hi|a[țt]i)',
    state: 'destinataire|orthographe|destinat[aá]r(?:i[oa]|ul\\w*)',
  },
  {
    subject:
      'kontroll\\w+|sprawd[źz]\\w*|zkontrolujte|skontrolujte|ellen[őo]riz\\w+|tarkista\\w*|kontrol edin\\w*',
    state:
      'mottaga\\w+|modtager\\w*|mottaker\\w*|odbiorc\\w*|p[řr][íi]jemc\\w*|c[íi]mzett\\w*|vastaanottaj\\w*|al[ıi]c[ıi]\\w*',
  },
]
const SOUTHERN: readonly Family[] = [
  { subject: 'провер|перевір|ελέγξτε', state: 'получател|отримувач|παραλήπτη' },
]
const EASTERN: readonly Family[] = [
  {
    subject: '检查|檢查|核对|核對|确认|確認|확인',
    state: '收件人|收信人|收件者|宛先|受信者|수신자|수신인|받는 ?사람',
  },
]
const ABROAD = anyOf([...latin(LATIN), ...southern(SOUTHERN), ...eastern(EASTERN)])

/**
 * Words of another cause: the sender, its network, a policy, the message, the time. With one of these, advice about the address is
 * a habit of the server. So it is if the server did not learn the reason itself.
 */
const OTHER_CAUSE = anyPhrase(
  /spam|junk|virus|malware|phish|block|block ?list|black|listed|\blist\b|reputation/i,
  /polic(?:y|ies)|permission|permit|allow|author|authent|login|logged|password|credential/i,
  /denied|forbidden|prohibit|relay|sender|\bfrom\b|return.path/i,
  /\byour (?!messages?\b|e-?mails?\b|mails?\b|recipient)|\bips?\b|\[?\d{1,3}(?:\.\d{1,3}){3}/i,
  /helo|ehlo|ptr|dns|spf|dkim|dmarc|certificate|tls|quota|full|storage|space|size|large/i,
  /attachment|content|header|subject line|format|rate|limit|too (?:many|much|fast)|exceed/i,
  /temporar|later|busy|time.?out|timed|expire|connect|network|unreach|server|record|host/i,
  /internal|system|loop|hop|suspend|lock|virus|verification|click|https?:\S*(?:verif|confirm)/i,
  /captcha|robot|human|challenge|reply-to|greylist|unsolicited|did not report/i,
  /no(?: specific)? reason|unknown reason|serv(?:er|eur|idor|izio)|serwer|html|\blinks?\b/i,
  /consent|opted|unerw[üu]nscht|bloqu|bloc[ck]|zablok|blokk|sp[äa]rr|сервер|заблок|服务器|伺服器|サーバ/i,
  /서버|封|absender|exp[ée]diteur|remitente|mittente|remetente|afzender|richtlinie|gesperrt/i,
  /blockiert|voll\b|pleine|llen[oa]|cheia|pien[oa]|отправител|발신|发件|發件|寄件|送信者|送信元|拒收|策略/i,
)

/**
 * Matches a refusal that names no cause and asks to check the recipient's address. Gateways answer so for an unknown address,
 * with a code of policy or with none. Only for replies: a DSN often adds such advice, whatever the reason.
 */
export const CHECK_ADDRESS: Words = {
  test: (text) => (ENGLISH.test(text) || ABROAD.test(text)) && !OTHER_CAUSE.test(text),
}
