import { isAscii, isUtf8 } from 'node:buffer'
import { freeOctets } from '../../lib/octets.ts'
import { type Mailbox, needsSmtpUtf8 } from '../address.ts'
import { formatDate } from '../build.ts'
import { applyEdits, type Edit, remove } from '../edits.ts'
import { addressField } from '../header.ts'
import { toCrlfLines } from '../line-ends.ts'
import { REQUIRE_TLS, REQUIRE_TLS_PROBLEM, readRequireTls } from '../require-tls.ts'
import { isTraceName } from '../trace-name.ts'
import { describeAttachments, type RawAttachment } from './raw-attachments.ts'
import { fieldValue, firstValue, type HeaderField, readMessageHeader, refuseRaw } from './raw-header.ts'
import { decodeSubject, isDeceptiveField, parseHeaderMailbox } from './raw-mailbox.ts'
import { reencodeParts } from './raw-reencode.ts'
import { readStructure } from './raw-structure.ts'

/** A raw message, checked and repaired. */
export interface RawMessage {
  /** CRLF only, lines of at most 998 octets, each singleton field once. */
  bytes: Buffer
  /** True when only a server with SMTPUTF8 (RFC 6531) may get it: its header is not ASCII. */
  smtpUtf8: boolean
  from: Mailbox
  /** The Sender field, if there is one. */
  sender: Mailbox | null
  /** Without angle brackets. */
  messageId: string
  /** Decoded, at most 998 characters. */
  subject: string
  attachments: RawAttachment[]
  /** The addresses of To and Cc; empty if they are missing. */
  addressed: { to: string; cc: string }
  /** The fields taken out, in order. */
  taken: readonly TakenField[]
}

export interface TakenField {
  /** Lower case. */
  name: string
  value: string
}

/** Defaults for a message that lacks these fields. */
export interface Missing {
  /** The part of a Message-ID before the From domain. */
  messageIdLocal: string
  date: Date
}

const GIVEN_BYTES_MAX = 37_500_000
/** Repairs lengthen a message: line ends, an encoding, fields. */
const REPAIRED_BYTES_MAX = 41_250_000
const RECEIVED_COUNT_MAX = 50
const MESSAGE_ID = /^<[!-;=?A-~]{1,400}@[!-;=?A-~]{1,400}>$/

/** RFC 5322 section 3.6 and RFC 2045 section 3: at most once each. */
const SINGLETONS = [
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
  'content-id',
  'content-description',
]
/** Hidden recipients, and resenders that the service has not verified. */
const REMOVED = /^(?:bcc|return-path|resent-.*)$/

/**
 * Checks and repairs a raw message (RFC 5322, RFC 2045). Repairs line ends, missing Date, Message-ID and MIME-Version,
 * a From domain in another form than the verified one, fields that must not be sent, and bodies that some servers do
 * not accept. Rejects (422 on `raw_message`) anything that readers interpret differently. Time and memory are linear in
 * the size of the message.
 * @param given text, or the octets of another program, whose parts may be in any charset
 * @param isTaken returns whether a field is meant for the service: such fields are returned and not sent
 */
export function repairRawMessage(
  given: string | Buffer,
  missing: Missing,
  isTaken: (name: string) => boolean = () => false,
): RawMessage {
  const isText = typeof given === 'string'
  const octets = isText ? encodeText(given) : checkOctets(given)
  const bytes = toCrlfLines(octets)
  if (isText && bytes !== octets) freeOctets(octets)
  const { fields, end } = readMessageHeader(bytes)
  if (!isUtf8(bytes.subarray(0, end))) {
    throw refuseRaw('The raw_message field must have a header in UTF-8, or in encoded words.')
  }
  checkCounts(fields)
  const from = readMailbox(bytes, fields, 'from')
  if (from === null) throw refuseRaw('The raw_message field must have exactly one From header field.')
  const sender = readMailbox(bytes, fields, 'sender')
  refuseDeceptive(bytes, fields)
  const structure = readStructure(bytes, fields, end)

  const bodyEdits = reencodeParts(bytes, Math.min(end + 2, bytes.length), structure.parts, isText)
  const taken = fields.filter(({ name }) => isTaken(name))
  const messageId = ownMessageId(bytes, fields)
  const edits = [
    ...fields
      .filter((field) => isTaken(field.name) || mustGo(bytes, field, from, bodyEdits.length > 0))
      .map(remove),
    ...rewriteMailbox(bytes, fields, 'from', from),
    ...rewriteMailbox(bytes, fields, 'sender', sender),
    ...preserveRequireTls(bytes, fields, end),
    ...addMissing(bytes, fields, end, { messageId, from, missing, isMime: bodyEdits.length > 0 }),
    ...bodyEdits,
  ]
  const repaired = rebuild(bytes, edits, end)
  return {
    bytes: repaired,
    smtpUtf8: structure.hasUtf8Header || !isAscii(repaired.subarray(0, repaired.indexOf('\r\n\r\n'))),
    from,
    sender,
    messageId: messageId ?? `${missing.messageIdLocal}@${from.domain}`,
    subject: decodeSubject(firstValue(bytes, fields, 'subject') ?? ''),
    attachments: describeAttachments(bytes, structure.parts),
    addressed: { to: firstValue(bytes, fields, 'to') ?? '', cc: firstValue(bytes, fields, 'cc') ?? '' },
    taken: taken.map((field) => ({ name: field.name, value: fieldValue(bytes, field) })),
  }
}

function encodeText(text: string): Buffer {
  if (text.includes('\0')) throw refuseRaw('The raw_message field must not contain the character U+0000.')
  const bytes = Buffer.from(text)
  if (bytes.length <= GIVEN_BYTES_MAX) return bytes
  throw refuseRaw(`The raw_message field must not be greater than ${GIVEN_BYTES_MAX} bytes in UTF-8.`)
}

/** RFC 5322 section 3.5: no NUL. */
function checkOctets(bytes: Buffer): Buffer {
  if (bytes.includes(0)) throw refuseRaw('The raw_message field must not contain the character U+0000.')
  if (bytes.length <= GIVEN_BYTES_MAX) return bytes
  throw refuseRaw(`The raw_message field must not be greater than ${GIVEN_BYTES_MAX} bytes.`)
}

function checkCounts(fields: readonly HeaderField[]): void {
  const counts = new Map<string, number>()
  for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1)
  const twice = SINGLETONS.find((name) => (counts.get(name) ?? 0) > 1)
  if (twice === 'from') throw refuseRaw('The raw_message field must have exactly one From header field.')
  if (twice !== undefined)
    throw refuseRaw(`The raw_message field must not have more than one ${twice} header field.`)
  if ((counts.get('received') ?? 0) > RECEIVED_COUNT_MAX) {
    throw refuseRaw(
      `The raw_message field must not have more than ${RECEIVED_COUNT_MAX} Received header fields.`,
    )
  }
}

function readMailbox(bytes: Buffer, fields: readonly HeaderField[], name: 'from' | 'sender'): Mailbox | null {
  const value = firstValue(bytes, fields, name)
  if (value === null) return null
  const mailbox = parseHeaderMailbox(value)
  if (mailbox !== null) return mailbox
  throw refuseRaw(
    `The ${name} header field of the raw_message field must hold exactly one address, without comments, groups or lists.`,
  )
}

/** Address fields that are not parsed, because the envelope decides who gets the message. */
const SHOWN_ADDRESSES = ['to', 'cc', 'reply-to']

function refuseDeceptive(bytes: Buffer, fields: readonly HeaderField[]): void {
  const name = SHOWN_ADDRESSES.find((one) => isDeceptiveField(firstValue(bytes, fields, one) ?? ''))
  if (name === undefined) return
  throw refuseRaw(
    `The ${name} header field of the raw_message field must not contain bidirectional controls or wide forms of @.`,
  )
}

/** Returns null without a valid one (RFC 5322 section 3.6.4). */
function ownMessageId(bytes: Buffer, fields: readonly HeaderField[]): string | null {
  const value = firstValue(bytes, fields, 'message-id') ?? ''
  return MESSAGE_ID.test(value) ? value.slice(1, -1) : null
}

const SIGNING_DOMAIN = /(?:^|;) *d *= *([^; ]*)/

/** Also removes signatures that would not verify: by the domain that is signed for here, or over a changed body. */
function mustGo(bytes: Buffer, field: HeaderField, from: Mailbox, isBodyChanged: boolean): boolean {
  if (REMOVED.test(field.name) || isTraceName(field.name)) return true
  if (field.name !== 'dkim-signature') return false
  const domain = SIGNING_DOMAIN.exec(fieldValue(bytes, field))?.[1]?.toLowerCase()
  return isBodyChanged || domain === undefined || domain === from.domain
}

/** A domain is sent as it was verified: only some readers treat full-width letters and U-labels as the same domain. */
function rewriteMailbox(
  bytes: Buffer,
  fields: readonly HeaderField[],
  name: 'from' | 'sender',
  mailbox: Mailbox | null,
): Edit[] {
  const field = fields.find((candidate) => candidate.name === name)
  if (field === undefined || mailbox === null) return []
  const value = fieldValue(bytes, field).replace(/>$/, '')
  if (value.toLowerCase().endsWith(`@${mailbox.domain}`)) return []
  const title = name === 'from' ? 'From' : 'Sender'
  return [{ ...field, bytes: Buffer.from(addressField(title, [mailbox], needsSmtpUtf8(mailbox))) }]
}

/** Adds the fields that every message must have (RFC 5322 section 3.6), and the empty line if there is no body. */
function addMissing(
  bytes: Buffer,
  fields: readonly HeaderField[],
  end: number,
  given: { messageId: string | null; from: Mailbox; missing: Missing; isMime: boolean },
): Edit[] {
  const edits: Edit[] = []
  const names = new Set(fields.map(({ name }) => name))
  const put = (line: string) => edits.push({ start: end, end, bytes: Buffer.from(`${line}\r\n`) })
  const replaced = fields.filter(
    (field) =>
      (field.name === 'message-id' && given.messageId === null) ||
      (field.name === 'date' && fieldValue(bytes, field) === ''),
  )
  edits.push(...replaced.map(remove))
  if (!names.has('date') || replaced.some(({ name }) => name === 'date')) {
    put(`Date: ${formatDate(given.missing.date)}`)
  }
  if (given.messageId === null) put(`Message-ID: <${given.missing.messageIdLocal}@${given.from.domain}>`)
  const isMime = given.isMime || names.has('content-type') || names.has('content-transfer-encoding')
  if (isMime && !names.has('mime-version')) put('MIME-Version: 1.0')
  return edits
}

/** The one service field that delivery must find: kept in canonical form, if it requests something. */
function preserveRequireTls(bytes: Buffer, fields: readonly HeaderField[], end: number): Edit[] {
  const wishes = fields
    .filter(({ name }) => name === REQUIRE_TLS)
    .map((field) => readRequireTls(fieldValue(bytes, field)))
  if (wishes.includes(null)) throw refuseRaw(REQUIRE_TLS_PROBLEM)
  if (!wishes.includes(true)) return []
  return [{ start: end, end, bytes: Buffer.from('X-Sendwright-Require-TLS: yes\r\n') }]
}

/** One copy, however many edits. */
function rebuild(bytes: Buffer, edits: readonly Edit[], headerEnd: number): Buffer {
  const pieces = applyEdits(bytes, edits)
  const isEnded = pieces.findLast((piece) => piece.length > 0)?.at(-1) === 10
  if (headerEnd === bytes.length || !isEnded) pieces.push(Buffer.from('\r\n'))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length > REPAIRED_BYTES_MAX) {
    throw refuseRaw(`The repaired message must not be greater than ${REPAIRED_BYTES_MAX} bytes.`)
  }
  return pieces.length === 1 ? bytes : Buffer.concat(pieces, length)
}
