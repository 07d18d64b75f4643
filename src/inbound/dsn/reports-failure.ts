import { anyPhrase } from '../../lib/text/phrases.ts'
import { isAutoReply, isMailboxAnswer } from './auto-reply.ts'
import type { DsnText } from './dsn-text.ts'
import { findField } from './fields.ts'
import { isFromServer } from './from-server.ts'
import type { OpenedDsn } from './open-dsn.ts'
import { findQuotedReply } from './quoted-reply.ts'
import { subjectOf } from './subject.ts'
import { findPassages } from './words.ts'

const SUBJECT =
  /undeliver|not (?:be )?deliver|returned (?:mail|to sender|message)|return(?:ing)? (?:mail|message|to sender)|fail(?:ure|ed)|delivery (?:status|report|problem|error|notif|delay|temporar)|could ?n[o']t (?:be )?(?:sent|deliver)|mail (?:system )?error|delayed|warning: (?:could not|message)|bounce|rejected|unknown user|user unknown|message status|error (?:sending|delivering)|problem (?:sending|delivering)|not (?:a )?member|loop alert/i
/** The same in German, French, Spanish, Portuguese, Italian, Dutch, the Nordic languages, Polish, Czech, Turkish. */
const SUBJECT_ABROAD = anyPhrase(
  /unzustell|zustell(?:ungs)?(?:fehler|bar)|nicht (?:zugestellt|zustellbar|ausgeliefert)/iu,
  /unzustellbar|[ée]chec|non (?:remis|distribu|d[ée]livr|recapit|consegn)|sin entregar/iu,
  /no se (?:pudo|puede|ha podido) entregar|no (?:se )?entregad|devuelto|devolvid|mancat[ao]/iu,
  /n[ãa]o (?:foi )?(?:poss[ií]vel )?entreg|falha|onbestelbaar|niet (?:bezorgd|afgeleverd)/iu,
  /bezorging|(?:inte|ikke) (?:kunde |kunne )?lever|kan (?:inte|ikke) lever|ikke leveret/iu,
  /kunne ikke leveres|olevererbar|ei voitu toimittaa|toimitusvirhe|niedostarcz|nie dostarcz/iu,
  /zwrot|nedoru[čc]|kézbesíthetetlen|teslim edilemedi|iletilemedi|nelivrabil/iu,
  /nu a (?:fost livrat|reu[sș]it)|nedostav|neisporu[čc]|nije isporu|μη παραδοτ|απ[έε]τυχε/iu,
  /δεν (?:παραδ[όο]θηκε|ήταν δυνατή)|לא (?:ניתן למסירה|נמסר)|נכשלה|غير قابل للتسليم|فشل/iu,
  /لم يتم (?:تسليم|التسليم)|تعذر|tidak (?:dapat )?(?:ter|di)kirim|gagal (?:ter|di)kirim/iu,
  /không (?:thể )?(?:gửi|chuyển)|не вдал|недостав|не ?доставлен/iu,
  /не (?:может быть |удается |удалось )?доставить|возвращено|не доставлено/iu,
)
const SUBJECT_EASTERN =
  /退信|退回|投递失败|未送达|无法(?:投递|送达)|無法(?:傳遞|送達|投遞)|配信(?:不能|でき|エラー|に失敗|失敗)|送信(?:でき|エラー|に失敗|失敗)|配達(?:でき|不能)|不達|未達|届きませんでした|返送|전송 ?실패|반송|배달 ?실패|전송되지/u
/** First sentences of a DSN whose subject does not mention a failure. */
const TELLS_PLAINLY = anyPhrase(
  /(?:mail|message|it|letter|mailing)\b[^.;]{0,160}?\b(?:(?:could|can|was|were|is|has|have) ?(?:not|n[o']t)(?: been| be)? (?:successfully )?(?:deliver|sent|relay|forward|transmit|accept)\w*|(?:has been|was|were|is being|is|been) (?:rejected|refused|returned|bounced|blocked|undeliver\w+)|did not reach|undeliver\w+|non-?deliver\w+)/i,
  /(?:unable|failed|not able|impossible) to (?:deliver|send|relay|forward|transmit)/i,
  /delivery (?:to|of|for)[^.;]{0,120}? (?:failed|has failed|was not possible|is not possible|was unsuccessful)/i,
  /(?:could not|can ?not|couldn't|can't) (?:be )?(?:deliver|forward|transmit)/i,
)
const PLAIN_CHARS_MAX = 2000
/** Words without which a text describes no failure. */
const FAILS =
  /\b(?:un)?deliver|\bfail|\breject|\brefus|\bbounce|\breturn|\bunknown|could ?n[o']t|cannot|unable|\b[45]\d\d[ -]|not (?:found|exist|accept|a member)|duplicated|\bblock|\bno such\b|\binvalid/i
const FAILS_ABROAD =
  /(?<!\p{L})(?:nicht|fehler\p{L}*|pas|[ée]chec|no se|non|imposs[ií]\p{L}*|n[ãa]o|niet|inte|ikke|nie|ne\p{L}+|ei|nem|не|сбой|nu|nije|ni|δεν|απ[έε]τυχε|לא|נכשל\p{L}*|فشل|لم|تعذر|tidak|gagal|không)(?!\p{L})|不|无法|無法|失败|失敗|できません|ませんでした|エラー|않|실패|없/iu
/** Subject prefixes of replies. */
const ANSWER = /^\s*(?:re|aw|sv|antw|odp|rif|回复|答复)\s*(?:\[\d+\])?:/i

/** Returns whether a person or a vacation program wrote the message, not a mail server. */
export function isAnswer(opened: OpenedDsn): boolean {
  if (isFromServer(opened)) return false
  return isAutoReply(opened) || ANSWER.test(subjectOf(opened.fields))
}

/** Returns whether a message states, in its header or text, that mail was not delivered. */
export function reportsFailure(opened: OpenedDsn, { words, rest }: DsnText): boolean {
  const { fields } = opened
  if (findField(fields, 'x-failed-recipients') !== null) return true
  const subject = subjectOf(fields)
  const isInSubject = [SUBJECT, SUBJECT_ABROAD, SUBJECT_EASTERN].some((pattern) => pattern.test(subject))
  const fails = FAILS.test(words) || FAILS_ABROAD.test(words)
  const hasReply = findQuotedReply(words) !== null
  if (isFromServer(opened)) {
    return isInSubject || hasReply || ((rest !== null || fails) && !isAutoReply(opened))
  }
  const isPlain = reportsPlainly(words)
  const hasEmptyReturnPath = /^<?>?$/.test(findField(fields, 'return-path') ?? 'none')
  // Replies repeat human subjects, and vacation programs use an empty return path like mail servers.
  if (
    (ANSWER.test(subject) && !(hasEmptyReturnPath && isInSubject && isPlain)) ||
    !fails ||
    isMailboxAnswer(opened)
  )
    return false
  if (isAutoReply(opened) && !(isInSubject && isPlain)) return false
  if (!isInSubject && !(hasEmptyReturnPath && isPlain)) return false
  return hasEmptyReturnPath || (hasReply && rest !== null) || findPassages(words, new Set()).length > 0
}

function reportsPlainly(words: string): boolean {
  const begin = words
    .slice(0, PLAIN_CHARS_MAX)
    .replace(/\S+@\S+/g, 'it')
    .replace(/\s+/g, ' ')
  return [TELLS_PLAINLY, SUBJECT_ABROAD, SUBJECT_EASTERN].some((pattern) => pattern.test(begin))
}
