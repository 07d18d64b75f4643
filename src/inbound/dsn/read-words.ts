import { explainsFailure } from '../../classification/classify-dsn.ts'
import { anyPhrase } from '../../lib/text/phrases.ts'
import { type Action, type Claim, findAddress, findAddresses } from './claim.ts'
import type { DsnText } from './dsn-text.ts'
import { findField, findFields, readSection } from './fields.ts'
import type { OpenedDsn } from './open-dsn.ts'
import { findQuotedReply } from './quoted-reply.ts'
import { stageOf } from './stage-of.ts'
import { subjectOf } from './subject.ts'
import { findPassages, type Passage } from './words.ts'

/** Delay warnings in other languages: delivery is late and continues. */
const DELAYED_ABROAD = anyPhrase(
  /noch nicht (?:zugestellt|ausgeliefert|(?:ü|ue)bermittelt)/iu,
  /zustell\p{L}* (?:ist |wurde |wird )?(?:verz(?:ö|oe)gert|fortgesetzt)/iu,
  /verz(?:ö|oe)gerte zustellung/iu,
  /weitere zustellversuche/iu,
  /pas encore (?:[ée]t[ée]|pu [êe]tre) (?:remis|livr|distribu|d[ée]livr)/iu,
  /(?:remise|livraison|distribution) (?:est |a [ée]t[ée] )?(?:diff[ée]r|retard)[ée]e/iu,
  /(?:serveur|syst[èe]me) (?:va r[ée]essayer|r[ée]essaiera)/iu,
  /(?:a[uú]n|todav[ií]a) no (?:se )?(?:ha|pudo) (?:podido |sido )?entreg/iu,
  /entrega (?:est[aá] |fue )?(?:retrasada|demorada|aplazada)/iu,
  /seguir[aá] intentando/iu,
  /non [eè] (?:stato )?ancora (?:stato )?(?:consegnat|recapitat)/iu,
  /consegna (?:[eè] )?(?:ritardata|rinviata)/iu,
  /ainda n[ãa]o (?:foi|p[oô]de ser) entregue/iu,
  /entrega (?:foi )?(?:atrasada|adiada)/iu,
  /nog niet (?:bezorgd|afgeleverd)/iu,
  /bezorging (?:is )?(?:vertraagd|uitgesteld)/iu,
  /(?:[äa]nnu|endnu|enn[åa]) (?:inte|ikke) (?:levere|kunnat|kunnet|blitt|blevet)/iu,
  /leverans\p{L}* (?:[äa]r )?f[öo]rsenad/iu,
  /levering\p{L}* (?:er )?forsinket/iu,
  /jeszcze nie (?:zosta[łl]\p{L}* )?dor[ęe]czon/iu,
  /op[óo][źz]nion\p{L}* dor[ęe]cz/iu,
  /hen[üu]z teslim/iu,
  /ещ[её] не (?:был\p{L}* )?доставлен/iu,
  /доставк\p{L}* (?:письма |сообщения )?(?:отложена|задержана|задерживается)/iu,
  /попытки доставки (?:будут продолжены|продолжаются)/iu,
  /ще не доставлен/iu,
  /(?:配信|配送|送信|配達)が?遅延/iu,
  /まだ(?:配信|配達|送信|送達)(?:され|でき)/iu,
  /(?:投递|投遞|发送|傳送)(?:已)?(?:延迟|延遲)/iu,
  /尚未(?:送达|送達|投递|投遞)/iu,
  /(?:将|將)(?:继续|繼續)(?:尝试|嘗試|重试|重試)/iu,
  /(?:전송|배달|발송)(?:이|가)? ?지연/iu,
  /아직 (?:전송|배달|전달)되지/iu,
)
/** Delivery receipts in other languages. */
const DELIVERED_ABROAD =
  /(?<!nicht )(?<!noch )(?:erfolgreich |wurde .{0,60}?)zugestellt|(?:remis|livr[ée]|distribu[ée]|d[ée]livr[ée])e? avec succ[èe]s|entregad[oa] (?:correctamente|con [ée]xito)|consegnat[oa] (?:correttamente|con successo)|entregue com (?:sucesso|[êe]xito)|succesvol (?:bezorgd|afgeleverd)|(?:успешно доставлен|доставлено успешно)|正常に(?:配信|配達|送信)されました|(?:投递|投遞|送达|送達)成功|성공적으로 (?:전송|배달|전달)/iu
/** Words of failure that occur beside words of delivery. */
const FAILED_ABROAD =
  /(?<!\p{L})(?:nicht|fehl\p{L}*|kein\p{L}*|pas|[ée]chec|no se|non|imposs[ií]\p{L}*|n[ãa]o|niet|ne|nie|не)(?!\p{L})|不|无法|無法|失败|失敗|ません(?!でしたら)|않|실패|없/iu

const NAMED_COUNT_MAX = 100
const WORDS_CHARS_MAX = 4000
const SEPARATED_COUNT_MAX = 20
/** Letters and digits of a line that explains nothing, such as `Error` and a number. */
const BARE_CHARS_MAX = 12

const DELAYED =
  /warning message only|has been delayed|will (?:be retried|continue to (?:try|be (?:tried|retried))|keep trying|try again|attempt)|still (?:trying|being retried)|not yet been delivered|has not been delivered yet|message is delayed|temporary failure report|delivery (?:is |has been |was )?(?:temporarily )?(?:delayed|deferred)|delivery attempts will continue|do not need to re-?send|\(delay\)|delayed mail|temporarily deferred and/i
/** Words for a delivery that continues, never for one that ended. */
const GOES_ON =
  /will (?:be retried|keep trying)|still (?:trying|being retried)|(?:do not|don.t) need to re-?send|delivery attempts will continue|\(delay\)/i
const GAVE_UP =
  /giving up|gave up|i'?m not going to try again|permanent(?:ly)? (?:error|fail)|failed permanently|no further/i

/** Returns the recipients that a DSN written as text names, with its statement about each. */
export function readTextClaims(opened: OpenedDsn, text: DsnText, returned: string | null): Claim[] {
  // Some mailbox filters reject in the form of a receipt (RFC 8098 section 3.2.4, RFC 5429 section 2.1).
  const receipts = opened.parts.filter(({ type }) => type === 'message/disposition-notification')
  const named = [
    ...findFields(opened.fields, 'x-failed-recipients'),
    ...receipts.flatMap(({ text }) => findFields(readSection(text.trimStart()).fields, 'final-recipient')),
  ]
    .flatMap(findAddresses)
    .slice(0, NAMED_COUNT_MAX)
  const passages = findPassages(text.words, othersOf(opened, returned, new Set(named)))
  const chosen =
    named.length > 0 ? [...new Set(named)].map((address) => passageOf(passages, address)) : passages
  if (chosen.length === 0) {
    const to = returned === null ? null : findAddress(findField(readSection(returned).fields, 'to') ?? '')
    chosen.push({ address: to ?? '', text: '' })
  }
  const whole = {
    words: text.words,
    common: '',
    subject: subjectOf(opened.fields),
    action: actionOf(opened, text.words),
    host: hostOf(text.words),
    reporter: findAddress(findField(opened.fields, 'from') ?? '')?.split('@')[1] ?? null,
    isOnly: chosen.length === 1,
  }
  return chosen.map((passage) =>
    claimOf(passage, { ...whole, common: wordsWithout(text.words, chosen, passage) }),
  )
}

/** Returns the text that concerns all recipients, without the lines about other recipients. */
function wordsWithout(words: string, chosen: readonly Passage[], passage: Passage): string {
  if (chosen.length === 1) return words
  const own = new Set(passage.text.split('\n'))
  const foreign = new Set(
    chosen
      .slice(0, SEPARATED_COUNT_MAX)
      .filter((other) => other !== passage)
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => line.trim() !== '' && !own.has(line)),
  )
  return words
    .slice(0, WORDS_CHARS_MAX)
    .split('\n')
    .filter((line) => !foreign.has(line))
    .join('\n')
}

interface Whole {
  words: string
  /** The text that concerns all recipients. */
  common: string
  subject: string
  action: Action
  host: string | null
  /** The host of the mail system that wrote the DSN, from the From field. */
  reporter: string | null
  /** Whether the DSN concerns one recipient only. */
  isOnly: boolean
}

function passageOf(passages: readonly Passage[], address: string): Passage {
  const key = address.toLowerCase()
  const own = passages.find((passage) => passage.address.toLowerCase() === key)
  return own ?? { address, text: passages.length === 1 ? (passages[0] as Passage).text : '' }
}

/** Returns the addresses of the message's sender and of the DSN's author. */
function othersOf(opened: OpenedDsn, returned: string | null, failed: ReadonlySet<string>): Set<string> {
  const header = returned === null ? [] : readSection(returned).fields
  const values = [
    ...['from', 'to', 'delivered-to', 'envelope-to', 'return-path', 'reply-to'].map((name) =>
      findField(opened.fields, name),
    ),
    ...['return-path', 'from', 'sender', 'reply-to', 'errors-to'].map((name) => findField(header, name)),
  ]
  const recipients = new Set(
    [...failed, ...findAddresses(findField(header, 'to') ?? '')].map((one) => one.toLowerCase()),
  )
  const others = values.flatMap((value) => findAddresses(value ?? '')).map((one) => one.toLowerCase())
  return new Set(others.filter((address) => !recipients.has(address)))
}

function actionOf(opened: OpenedDsn, words: string): Action {
  const subject = subjectOf(opened.fields)
  if ((DELIVERED.test(subject) || DELIVERED.test(words)) && !FAILED.test(words)) return 'delivered'
  if (DELIVERED_ABROAD.test(words) && !FAILED.test(words) && !FAILED_ABROAD.test(words)) return 'delivered'
  if (GAVE_UP.test(words) && !GOES_ON.test(`${subject}\n${words}`)) return 'failed'
  const whole = `${subject}\n${words.slice(0, WORDS_CHARS_MAX)}`
  return DELAYED.test(subject) || DELAYED.test(words) || DELAYED_ABROAD.test(whole) ? 'delayed' : 'failed'
}

const DELIVERED =
  /successful(?:ly)? (?:mail )?deliver|(?:was|were|has been|have been) (?:successfully )?(?:delivered|relayed)|delivery (?:was |is )?(?:success|complete)|\(success\)/i
const FAILED = /\bnot\b|n[o']t\b|fail|unable|cannot|unsuccessful|reject|refus|error|\b[45]\d\d\b/i
const TELLS =
  /\b[45]\d\d\b|\b[45]\.\d\.\d|fail|reject|refus|unknown|\bno\b|\bnot\b|n[o']t\b|cannot|unable|error|invalid|full|quota|exceed|expire|time|unavail|disabl|suspend|block|denied|unrout|undeliver|sorry|\bmust\b|[^\p{ASCII}\s]{4}/iu

const TELLS_SHORTLY = /unknown|invalid|no such|not found|\bfull\b|quota|unbekannt|inconnu|不明|存在/iu

const HOST =
  /\b(?:host|talking to|server|by|connected to|remote host|domain \S+ by)[ \t]+([A-Za-z0-9](?:[A-Za-z0-9-]*\.)+[A-Za-z]{2,})\.?[ \t:]*(?:\[|\(|said|refused|returned|:)/i

function hostOf(text: string): string | null {
  return HOST.exec(text.slice(0, WORDS_CHARS_MAX))?.[1] ?? null
}

function claimOf(passage: Passage, { words, common, subject, action, host, reporter, isOnly }: Whole): Claim {
  const whole = words.slice(0, WORDS_CHARS_MAX)
  const near = passage.text.replaceAll(passage.address, ' ').trim()
  // If the lines about an address describe no failure, the explanation is elsewhere.
  const isShort = near.replace(/[^\p{L}\p{N}]+/gu, '').length < BARE_CHARS_MAX
  const isBare = !(isShort ? TELLS_SHORTLY : TELLS).test(near) && (near === '' || !explainsFailure(near))
  const reply = findQuotedReply(passage.text) ?? (isBare || isOnly ? findQuotedReply(whole) : null)
  return {
    address: passage.address === '' ? null : passage.address,
    action,
    status: null,
    diagnostic: reply ?? (isBare ? whole : near),
    context: [...(isBare ? [whole] : [near, common.slice(0, WORDS_CHARS_MAX)]), ...(isOnly ? [subject] : [])],
    stage: stageOf(passage.text) ?? (isBare || isOnly ? stageOf(whole) : null),
    host: hostOf(passage.text) ?? host,
    reporter,
  }
}
