import { anyOf, eastern, type Family, latin, southern } from './near.ts'

/** Words for a mailbox or its space, and words for full. */
const LATIN: readonly Family[] = [
  // English: a limit, and words for reaching it.
  {
    subject:
      'mail ?box(?:es)?|in-?box|mail ?drop|mail ?folder|mail ?store|mail ?dir|(?:mailbox |mail |disk |user )?quota|(?<!system )(?<!server )storage(?: (?:space|limit|quota|allocation|capacity))?|(?:disk|mail) space|allotment|allocation|allowance|account size',
    state: [
      '(?:over|too |completely )?full',
      'over-?full',
      'overfilled',
      'used up',
      'exhausted',
      'depleted',
      'at (?:its |their |full )?capacity',
      '(?:would (?:be )?|has |have |was |is )?exceed(?:ed|s|ing)?',
      'over (?:its|their|the|his|her) (?:\\w+ )?(?:quota|limit|allowance|allocation|allotment|capacity)',
      'over (?:quota|limit|capacity)',
      '(?:has |have |was |is |been ){0,2}(?:reached|hit)(?: (?:its|their|the) (?:\\w+ ){0,3}(?:limit|capacity|quota|size|maximum))?',
      'can ?(?:not|.t) (?:hold|store|accept|take) (?:any ?)?more\\b',
      'cannot hold',
      'overflow\\w*',
      'ran out',
      'run out',
    ].join('|'),
    gap: 50,
  },
  {
    subject:
      'recipient|mail ?box|user|account|inbox|owner|person|addressee|destination|mail ?folder|customer|they|folder',
    state:
      '(?:no|not enough|insufficient|out of|without|too little|lacks?|lacking) (?:\\w+ ){0,3}(?:storage|space|room|quota)|(?:run|ran|is|are) out of (?:\\w+ )?(?:space|room|storage)|used (?:up )?(?:all|\\d+ ?%) (?:of )?(?:the|their|its|his|her)?|over (?:its|their|his|her|the|an?) (?:\\w+ )?(?:quota|allowance|allocation|allotment|storage|space)|has too many (?:messages|mails|e-?mails)|too much mail (?:stored|in)',
  },
  // German, Dutch.
  {
    isCompound: true,
    subject:
      '(?:postfach|speicher(?:platz|kontingent)?|mailbox|quota|kontingent|brievenbus|postbus|opslag(?:limiet|ruimte|quotum)?|schijfruimte)s?|posteingang\\w*',
    state:
      '(?:über|ueber)?voll|vol(?: zit)?|(?:über|ueber)f[üu]e?llt|(?:über|ueber)schritten|ersch(?:ö|oe)pft|aufgebraucht|belegt|ausgesch(?:ö|oe)pft|maximale (?:\\S+ )?(?:gr(?:ö|oe)(?:ß|ss)e|kapazit(?:ä|ae)t)|kein(?:en)? (?:freien? )?(?:speicher)?platz|bereikt|overschreden|vol(?:ledig)?|geen ruimte',
  },
  {
    subject:
      'kein(?:en)? (?:freie[nr]? |ausreichende[nr]? )?(?:speicher)?platz|nicht gen(?:ü|ue)gend (?:speicher)?platz|onvoldoende (?:opslag|schijf)?ruimte|geen (?:\\S+ )?ruimte',
    state:
      '\\S{0,20}(?:postfach|konto|mailbox|empf(?:ä|ae)nger|benutzer|ontvanger|postbus|brievenbus)\\S{0,3}',
  },
  // French, Spanish, Catalan, Portuguese, Italian, Romanian.
  {
    subject:
      "bo[iî]tes?(?: aux lettres| de r[ée]ception| mail)?|messagerie|(?:l[’'])?espace(?: de stockage| disque)?|quota|capacit[ée]|buz[oó]n|mailbox|casilla|bandeja|cuota|espacio|almacenamiento|b[uú]stia|caixa(?: de (?:correio|entrada)| postal)?|armazenamento|cota|espa[cç]o|casella(?: di posta)?|spazio|c[aă]su[tțţ]a|cutia|spațiul",
    state:
      'pleine?|satur[ée]e?|d[ée]pass[ée]e?|atteinte?|insuffisante?|[ée]puis[ée]e?|llen[oa]|excedid[oa]|superad[oa]|agotad[oa]|sobrepasad[oa]|insuficiente|plena|chei[ao]|lotad[oa]|esgotad[oa]|pien[ao]|superat[oa]|esaurit[oa]|insufficiente|plin[aă]|dep[aă][sșş]it[aă]?',
  },
  {
    subject:
      'destinataire|utilisateur|compte|destinatario|usuario|cuenta|destinat[aá]rio|usu[aá]rio|conta|utente|utilizator\\w*|destinatarul',
    state:
      "(?:a |ha |est[aá] )?(?:d[ée]pass[ée]|super[oó]|superado|excedido|excedeu|ultrapassou|atingiu|superato|esaurito|alcanzado) (?:\\S+ ){0,3}(?:quota|cuota|cota|l[ií]mite|espace|espacio|spazio|capacidad)|(?:pas assez|manque|plus) d[e’'] ?espace|sin espacio|sem espa[cç]o|senza spazio|spazio insufficiente",
  },
  // Swedish, Danish, Norwegian, Finnish.
  {
    subject:
      '(?:brev|post)l[åa]da\\w*|inkorg\\w*|postkasse\\w*|postboks\\w*|indbakke\\w*|innboks\\w*|(?:lagrings)?kvot\\w*|lagringsutrymme\\w*|lagringsplads\\w*|lagringsplass\\w*|postilaatikko\\w*|postilaatikon|tallennustila\\w*|kiinti[öo]\\w*',
    state:
      'full[at]?|fuld[et]?|fulle?|[öo]verskriden|overskredet|slut|opbrugt|brukt opp|t[äa]ynn[äa]|ylit\\w+|loppu\\w*',
  },
  // Polish, Czech, Slovak, Croatian, Hungarian, Turkish, Baltic languages.
  {
    subject:
      'skrzynk\\w*|pojemno[śs]\\w*|schr[áa]nk\\w*|kv[óo]t\\w*|limit\\w*|sandu[čc]i[ćc]\\w*|pretin\\w*|posta(?:fi[óo]k|l[áa]d[áa])\\w*|t[áa]rhely\\w*|posta kutusu\\w*|kota\\w*|gelen kutusu\\w*|depolama\\w*',
    state:
      'pe[łl]n\\w*|przepe[łl]nion\\w*|przekroczon\\w*|wyczerpan\\w*|pln[áaéeýy]|p[řr]epln[ěe]n\\w*|p[řr]ekro[čc]en\\w*|prekro[čc]en\\w*|pun[ai]?|megtelt|betelt|tele van|nincs (?:\\w+ )?hely|yer (?:yok|kalmad\\w*)|t[úu]ll[ée]pt\\w*|dolu|dolmu[şs]\\w*|a[şs][ıi]ld[ıi]\\w*|doldu',
  },
  {
    subject: 'przekroczon\\w*|brak(?:uje)? miejsca|wyczerpan\\w*|nedostatek m[íi]sta',
    state: 'skrzyn\\w*|limit\\w*|pojemno[śs]\\w*|kwot\\w*|schr[áa]n\\w*',
  },
]
const SOUTHERN: readonly Family[] = [
  {
    subject:
      'ящик|мест[оа]|квот|скриньк|кути[яю]|сандуч|γραμματοκιβ[ώω]τιο|θυρ[ίι]δα|όριο|תיבת|תיבה|מכסת|צندوق|صندوق|مساحة|حصة',
    state:
      'переполнен|переповнен|заполнен|заповнен|недостаточно|недостатньо|превышен|перевищен|исчерпан|вичерпан|пълна|препълн|πλήρες|πλήρης|γεμάτ|מלאה|מלא\\b|חריגה|ממתלא|ممتلئ|ممتلئة|تجاوز|غير كاف',
  },
]
const EASTERN: readonly Family[] = [
  {
    subject:
      '邮箱|郵箱|信箱|空间|空間|容量|收件匣|配额|配額|存储|儲存|メールボックス|受信箱|受信トレイ|保存容量|保存領域|ディスク|메일함|편지함|사서함|용량|저장 ?공간|메일박스',
    state: '[满滿]|不足|超[出过過]|上限|一杯|いっぱい|満杯|超過|超え|オーバー|초과|가득|부족',
  },
]

/** Matches texts that say that the recipient's mailbox is full. */
export const MAILBOX_FULL = anyOf([...latin(LATIN), ...southern(SOUTHERN), ...eastern(EASTERN)])
