import { classifyDsn } from '../../classification/classify-dsn.ts'
import type { DsnRecipient } from '../../classification/dsn.ts'
import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'
import type { Claim } from './claim.ts'

const DIAGNOSTIC_CHARS_MAX = 2000
/** A shorter reply may occur in other text by chance. */
const DIAGNOSTIC_CHARS_MIN = 6
const RESPONSE_BYTES_MAX = 1024
const ADDRESS_CHARS_MAX = 600
const HOST_CHARS_MAX = 253

/** Text that Postfix, Yahoo and qmail append to a reply. */
const ADDED =
  /\s*(?:\((?:in reply to|port \d)[^()]{0,80}\)|\[(?:RCPT_TO|MAIL_FROM|BODY|DATA|CONN)\]|(?<=.{8})Giving up on [\w.:]{3,60})\s*$/i
/** Sendmail's conclusion from any 550 to RCPT, whatever the reason. */
const CONCLUDED = /\b55\d (?:5\.1\.1 )?<?[^<>\s]{1,320}>?\.\.\. User unknown/gi
/** The command itself, which names a recipient and explains nothing. */
const COMMAND = /\b(?:RCPT TO|MAIL FROM) ?: ?<?[^\s<>]{0,320}>?:?/gi

/** Classifies the statement of a DSN about one recipient. */
export function classifyClaim(claim: Claim): DsnRecipient {
  const diagnostic = unwrapReply(oneLine(claim.diagnostic)).replace(ADDED, '')
  const smtpCode = findReplyCode(diagnostic)
  const isReply = smtpCode !== null
  const enhancedCode = findEnhancedCode(diagnostic) ?? claim.status
  const action = claim.action ?? actionOf(smtpCode, enhancedCode)
  const host = claim.host === null ? null : showable(claim.host, HOST_CHARS_MAX)
  const context = claim.context.map((text) => removeReply(statements(text), diagnostic))
  const inner = findInnerReply(diagnostic, smtpCode)
  const statement = {
    code: inner === null ? smtpCode : findReplyCode(inner),
    enhanced: inner === null ? enhancedCode : findEnhancedCode(inner),
    text: inner ?? (isReply ? diagnostic : unwrapReply(statements(claim.diagnostic)).replace(ADDED, '')),
    context: inner === null ? context : [diagnostic, ...context],
    stage: claim.stage,
    mxHost: host ?? '',
    reporter: claim.reporter ?? '',
  }
  return {
    address: claim.address === null ? null : showable(claim.address, ADDRESS_CHARS_MAX),
    action,
    verdict: action === 'failed' || action === 'delayed' ? classifyDsn({ ...statement, action }) : null,
    smtpCode,
    enhancedCode,
    response:
      diagnostic === '' ? null : cutToBytes(escapeControls(diagnostic.toWellFormed()), RESPONSE_BYTES_MAX),
    mxHost: host,
  }
}

/** The cut may split a character, and the database rejects half of one. */
function showable(text: string, charsMax: number): string {
  return escapeControls(text.slice(0, charsMax).toWellFormed())
}

/**
 * Cisco's gateways use these names for every rejection. Only one of them indicates that the address was not the
 * cause.
 */
const LABELLED_BY_CISCO = /\b[45]\.\d\.\d - (?!Other mail system)[A-Za-z ]{1,60}\s([45]\d\d-')/g

/**
 * Extracts the reply from the form of Cisco's gateways: `5.1.0 - Unknown address error 550-'5.7.1 Access denied'
 * (delivery attempts: 0)`.
 */
function unwrapReply(text: string): string {
  const match = /\b[45]\.\d\.\d - [A-Za-z ]{1,60}\s([45]\d\d)-'(.*)'(?: \([^()]*\))?$/.exec(text)
  return match === null ? text : `${match[1]} ${match[2]}`
}

/**
 * Finds the next server's reply in a relay's: `554 5.4.7 not delivered: host mx.example.org said: 550 5.1.1 unknown`.
 */
function findInnerReply(text: string, code: number | null): string | null {
  if (code === null || code < 500) return null
  const match =
    /^(.{4,300}?)\b(?:said|replied|answered|responded(?: with)?|returned|response(?: was)?|reply(?: was)?)[: "'([]{1,4}([45][0-5]\d[ -].{3,})$/i.exec(
      text,
    )
  if (match === null || /\b(?:sender|return|from|helo)\b/i.test(match[1] ?? '')) return null
  return match[2] ?? null
}

/**
 * Removes a reply from the surrounding text, which must be classified separately: beside a command, `invalid` would
 * seem to concern an address.
 */
function removeReply(text: string, diagnostic: string): string {
  const isReply = findReplyCode(diagnostic) !== null
  const own = isReply ? text.replaceAll(CONCLUDED, ' ') : text
  const others = own.replaceAll(LABELLED_BY_CISCO, '$1').replaceAll(COMMAND, ' ')
  return diagnostic.length < DIAGNOSTIC_CHARS_MIN ? others : others.replaceAll(diagnostic, ' ')
}

function oneLine(text: string): string {
  return text.slice(0, DIAGNOSTIC_CHARS_MAX).replace(/\s+/g, ' ').trim()
}

/** Paragraphs and labelled lines are separate statements, so a match must not span two of them. */
function statements(text: string): string {
  return oneLine(
    text
      .slice(0, DIAGNOSTIC_CHARS_MAX)
      .replace(
        /(?<![.:;,>-])[ \t]*\n(?:[ \t]*\n|(?=[ \t]*\p{Lu}[\p{L}-]{1,20}(?: [\p{L}-]{1,20}){0,2}[ \t]*:[ \t]))/gu,
        ';\n',
      ),
  )
}

function actionOf(smtpCode: number | null, enhanced: string | null): DsnRecipient['action'] {
  const first = enhanced?.[0] ?? String(smtpCode ?? 5)[0]
  return first === '2' ? 'delivered' : first === '4' ? 'delayed' : 'failed'
}

/** RFC 5321 section 4.2: at the start of the text, or before words typical of servers. */
function findReplyCode(text: string): number | null {
  const match =
    /^[^\w]*([245][0-57]\d)(?=[\s\-#:)\]]|$)|[\s"'(<[:;,]([45][0-5]\d)[-: ]+(?=#?[45]\.\d+\.\d|["'<[(]*[A-Za-z])|(?:code|status)\W{0,4}([45][0-5]\d)\b/i.exec(
      text,
    )
  return match === null ? null : Number(match[1] ?? match[2] ?? match[3])
}

/** Finds an enhanced code (RFC 3463 section 2) in running text, but not a part of an IP address or of a version. */
function findEnhancedCode(text: string): string | null {
  return /(?:^|[\s"'(<[:;,#-])([245]\.\d{1,2}\.\d{1,3})(?=[\s):,;\]>-]|\.?$)/.exec(text)?.[1] ?? null
}
