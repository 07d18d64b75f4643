import { oneOf } from '../../lib/text/phrases.ts'
import { textFromHtml } from '../../mime/html/text-from-html.ts'
import { readSection } from './fields.ts'
import { isFromServer } from './from-server.ts'
import type { OpenedDsn } from './open-dsn.ts'

/** The text of a DSN, and the returned message that some systems append to the text instead of attaching it. */
export interface DsnText {
  words: string
  rest: string | null
}

const WORDS_CHARS_MAX = 64 * 1024
const TEXT_COUNT_MAX = 3

/** Lines that announce a returned message: those of qmail, Exim, Sendmail, Postfix, Courier, Gmail and others. */
const ANNOUNCED = new RegExp(
  String.raw`^[ \t>*=_-]{0,60}${oneOf(
    /below (?:this line )?is a copy of/i,
    /(?:this|included|attached|here|following) is (?:a|the) (?:copy|header)/i,
    /(?:the |possibly |truncated ){0,3}(?:original|returned|unsent|undelivered|rejected|bounced|sent) (?:message|mail|e-mail)(?: (?:follows|headers?|text|body|source|below|content))*\b(?![^\n]*\b(?:was|not|could|can)\b)/i,
    /message headers? (?:follow|and)/i,
    /(?:the )?headers? (?:and|of) (?:the|top|first|your)[^\n]{0,60}(?:follows?|message|lines)/i,
    /unsent message|the (?:first|header|top) [^\n]{0,60}(?:follows|lines)/i,
    /(?:message|mail) (?:text|header|body) follows|original (?:message )?headers?/i,
    /undelivered message header|returned message header|start of (?:returned|original) message/i,
    /(?:urspr(?:ü|ue)ngliche|zur(?:ü|ue)ckgesandte|originale?) (?:nachricht|mail|e-mail)/i,
    /message (?:original|d'origine|retourn[ée])|mensa(?:je|gem) original|messaggio originale/i,
  )}[^\n]{0,120}$`,
  'im',
)
/** A header in the text without an announcement. */
const TRACE =
  /^(?:received|return-path|message-id|dkim-signature|mime-version|x-received|arc-seal|delivered-to)[ \t]*:/i
const FIELD = /^[A-Za-z][A-Za-z0-9-]{1,60}[ \t]*:/
/** Fields of a report, which may contain a Return-Path field as well (RFC 3464 section 2.2). */
const OF_REPORT =
  /^(?:reporting-mta|received-from-mta|arrival-date|final-recipient|original-recipient)[ \t]*:/i
/** Quotation marks at the start of each line. */
const QUOTE = /^(?:[ \t]*[>|]){1,5} ?/
/** Header lines that mail programs write above a quoted message, which is not a report. */
const ADDRESSING = /^(?:from|to|cc|subject|date|sent|reply-to|message-id|return-path|received)[ \t]*:/i

/** Returns the text of the first text parts: plain ones, otherwise HTML. */
export function findDsnText({ fields, parts }: OpenedDsn): DsnText {
  const own = parts.slice(
    0,
    parts.findIndex(({ type }) => type.startsWith('message/rfc822')) + 1 || parts.length,
  )
  const plain = own
    .filter(({ type, text }) => type === 'text/plain' && text.trim() !== '')
    .slice(0, TEXT_COUNT_MAX)
  const html = plain.length > 0 ? undefined : own.find(({ type }) => type === 'text/html')
  const whole =
    html === undefined
      ? plain.map(({ text }) => text.slice(0, WORDS_CHARS_MAX)).join('\n\n')
      : textFromHtml(html.text.slice(0, WORDS_CHARS_MAX))
  const text = unquote(whole.slice(0, 2 * WORDS_CHARS_MAX))
  return splitReturned(isFromServer({ fields }) ? text : unforward(text))
}

/** Removes the quotation marks from a DSN that is quoted as a whole. */
function unquote(text: string): string {
  const filled = text.split('\n').filter((line) => line.trim() !== '')
  const quoted = filled.filter((line) => QUOTE.test(line))
  return quoted.length * 2 > filled.length ? text.replace(/^> ?/gm, '') : text
}

/** Removes the text above a forwarded DSN: the person's words and the DSN's header. */
function unforward(text: string): string {
  const at = findHeader(text)
  const { fields, body } = readSection(at < 0 ? '' : text.slice(at))
  return isFromServer({ fields }) ? body : text
}

function splitReturned(text: string): DsnText {
  const announced = ANNOUNCED.exec(text)
  const at = announced === null ? text.length : announced.index
  const header = findHeader(text.slice(0, at))
  if (header >= 0) return { words: text.slice(0, header), rest: restOf(text.slice(header)) }
  if (announced === null) return { words: text, rest: null }
  const rest = text.slice(at + announced[0].length)
  const begin = findHeader(rest, true)
  return { words: text.slice(0, at), rest: begin < 0 ? null : restOf(rest.slice(begin)) }
}

/** Returns the returned message without quotation marks. */
function restOf(text: string): string {
  return QUOTE.test(text) ? text.replace(/^(?:[ \t]*[>|]){1,5} ?/gm, '') : text
}

/** Finds two successive fields, one of which occurs only in messages. Returns -1 if there are none. */
function findHeader(text: string, isAnnounced = false): number {
  let at = 0
  let first = -1
  let hasTrace = isAnnounced
  let count = 0
  for (const rawLine of text.split('\n')) {
    const line = rawLine.replace(QUOTE, '')
    if (OF_REPORT.test(line)) {
      first = -1
      count = 0
      hasTrace = isAnnounced
    } else if (FIELD.test(line)) {
      if (first < 0) first = at
      hasTrace ||= TRACE.test(line) || (line !== rawLine && ADDRESSING.test(line))
      if (++count >= 2 && hasTrace) return first
    } else if (!/^[ \t]+\S/.test(line) || first < 0) {
      first = -1
      count = 0
      hasTrace = isAnnounced
    }
    at += rawLine.length + 1
  }
  return -1
}
