import { oneOf } from '../../lib/text/phrases.ts'
import { findField } from './fields.ts'
import type { OpenedDsn } from './open-dsn.ts'
import { subjectOf } from './subject.ts'

const MARKS = [
  'x-autoreply',
  'x-autorespond',
  'x-autoresponder',
  'x-auto-reply',
  'x-vacation',
  'x-apple-action',
]
const SUBJECT = new RegExp(
  String.raw`^\s*(?:re: ?)?\[?${oneOf(
    /auto(?:matic|mated)?[ :-]*(?:re(?:ply|sponse|sponder)|answer)?\s*:|auto-?(?:reply|response)/iu,
    /out of (?:the )?office|vacation|away\b|i am (?:away|out)|on (?:leave|holiday|vacation)/iu,
    /automatische antwort|abwesen|réponse automatique|respuesta automática|risposta automatica/iu,
    /自動(?:返信|応答)|自动(?:答复|回复)|automatisch antwoord|automatiskt svar|auto(?:matisk )?svar/iu,
    /odpowiedź automatyczna|automatická odpověď|automaattinen vastaus|otomatik (?:yanıt|cevap)/iu,
    /resposta automática|răspuns automat|automatikus válasz|автоматический ответ|автоответ|absent/iu,
    /absence|fuera de la oficina|ausente|fuori (?:ufficio|sede)|afwezig|urlaub/iu,
    /ich bin (?:nicht|bis|im urlaub)|on (?:annual|maternity|parental|sick) leave|ooo\b/iu,
  )}`,
  'iu',
)

/** Returns whether a program, not a person, wrote a reply (RFC 3834 section 5, and earlier conventions). */
export function isAutoReply(opened: OpenedDsn): boolean {
  const submitted = (findField(opened.fields, 'auto-submitted') ?? 'no').toLowerCase()
  return !submitted.startsWith('no') || isMailboxAnswer(opened)
}

/** Returns whether a Subject is one that vacation programs write, in the languages of this table. */
export function isAutomaticSubject(subject: string): boolean {
  return SUBJECT.test(subject)
}

/** Returns whether the mailbox itself replied. Lists and filters also mark their rejections as auto-replied. */
export function isMailboxAnswer({ fields, parts }: OpenedDsn): boolean {
  if (MARKS.some((name) => findField(fields, name) !== null)) return true
  if (/auto[_-]?reply/i.test(findField(fields, 'precedence') ?? '')) return true
  // RFC 8098: a mail program reports that the message was displayed or deleted.
  if (parts.some(({ type }) => type === 'message/disposition-notification')) return true
  return isAutomaticSubject(subjectOf(fields))
}
