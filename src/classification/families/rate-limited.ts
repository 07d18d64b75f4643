import { anyOf, eastern, type Family, latin, southern } from './near.ts'

/** Words for mail, and words for too high a rate. */
const LATIN: readonly Family[] = [
  {
    subject:
      '(?:sending|sender.s|delivery|message|mail|connection|hourly|daily|per-hour|per-minute|your) (?:pace|rate|speed|volume|frequency|cap|allowance|requests?|limit)|too many requests|back off|bursts?',
    state:
      'exceed\\w*|over|too (?:high|fast|large|many)|unusual\\w*|reduce|slow(?:ed|er)?|reached|hit|permit(?:ted)?|temporar\\w+|right now|back off|abnormal\\w*',
  },
  {
    subject: '(?:hit|reached|over|exceed\\w*)',
    state: '(?:hourly|daily|minute|per[- ]\\w+|rate|volume|sending) (?:cap|limit|quota|allowance|maximum)',
    gap: 20,
  },
  {
    subject: 'unusual|unexpected|abnormal|excessive|high',
    state:
      '(?:sending |mail |message )?(?:volume|rate|frequency|traffic) (?:of|from|detected)?|sending (?:volume|rate)',
    gap: 5,
  },
  {
    subject: 'limit|restrict|cap',
    state:
      'how (?:many|much) (?:e-?mails?|mail|messages?|connections?)|the (?:number|amount|rate) of (?:e-?mails?|mail|messages?|connections?)',
    gap: 10,
  },
  {
    subject: '(?:e-?mails?|messages?|mail)',
    state:
      '(?:too fast|too quickly|faster than|at too high a rate|too often|too frequently|in (?:too |a )?short (?:a )?(?:time|period)|within a short)',
    gap: 30,
  },
  {
    subject: [
      '(?:zu viele|te veel) (?:\\S+ )?(?:nachrichten|e-?mails|mails|verbindungen|berichten)',
      'trop de (?:\\S+ )?(?:messages|connexions|courriels|mails)',
      'demasiad[oa]s (?:\\S+ )?(?:mensajes|conexiones|correos)',
      'troppi (?:\\S+ )?(?:messaggi|connessioni)',
      'troppe (?:connessioni|e-?mail)',
      '(?:muitas|demasiadas) (?:\\S+ )?(?:mensagens|conex[õo]es)',
      'f[öo]r m[åa]nga (?:meddelanden|anslutningar)',
      'zbyt (?:wiele|du[żz]o) (?:wiadomo[śs]ci|po[łl][ąa]cze[ńn])',
      'p[řr][íi]li[šs] mnoho zpr[áa]v',
      'prea multe mesaje',
      '[çc]ok fazla (?:ileti|mesaj)',
    ].join('|'),
    state: '\\S+',
    gap: 3,
  },
  {
    subject:
      'gr(?:a|e|ei)y?-?list\\w*|graulist\\w*|liste? grise|lista gris|lista grigia|lista cinza|grijze lijst|szara lista',
    state: '\\S+',
    gap: 5,
  },
]
const SOUTHERN: readonly Family[] = [
  {
    subject: 'слишком много|забагато|занадто багато|твърде много|πάρα πολλ',
    state: 'сообщени|писем|соединени|повідомлен|листів|съобщени|μηνύματα',
  },
]
const EASTERN: readonly Family[] = [
  {
    subject:
      '频率|頻率|发信量|發信量|发送(?:量|数量|速度)|送信(?:数|量|速度|回数)|頻度|발송량|전송량|발송 ?속도',
    state: '过高|過高|超[出过過]|限制|太快|制限|超え|超過|초과|제한',
  },
]

/** Matches texts that say that mail arrives faster than the receiver accepts it. */
export const RATE_LIMITED = anyOf([...latin(LATIN), ...southern(SOUTHERN), ...eastern(EASTERN)])
