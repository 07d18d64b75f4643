import { isAscii, isUtf8 } from 'node:buffer'
import { freeOctets } from '../../lib/octets.ts'
import { type Mailbox, needsSmtpUtf8 } from '../address.ts'
import { formatDate } from '../build.ts'
import { applyEdits, type Edit, remove } from '../edits.ts'
import { addressField } from '../header.ts'
import { toCrlfLines } from '../line-ends.ts'
import { REQUIRE_TLS, readRequireTls } from '../require-tls.ts'
import { isTraceName } from '../trace-name.ts'
import { asciiEdits } from './ascii-header.ts'
import { isProblem, type MessageProblem } from './message-problem.ts'
import { describeAttachments, type RawAttachment } from './raw-attachments.ts'
import {
  fieldValue,
  firstValue,
  type HeaderField,
  type MessageHeader,
  readMessageHeader,
} from './raw-header.ts'
import { decodeSubject, isDeceptiveField, parseHeaderMailbox } from './raw-mailbox.ts'
import { reencodeParts } from './raw-reencode.ts'
import { type RawStructure, readStructure } from './raw-structure.ts'

/** A raw message, checked and repaired. */
export interface RawMessage {
  /** CRLF only, lines of at most 998 octets, each singleton field once. */
  bytes: Buffer
  /** True when only a server with SMTPUTF8 (RFC 6531) may get it: its header cannot be ASCII. */
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
  /** The fields that were meant for the service, in order. They are removed from the message. */
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
/** Repairs can lengthen a message: they add line ends, encodings and fields. */
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
/** Fields with hidden recipients, or with resenders that the service has not verified. */
const REMOVED = /^(?:bcc|return-path|resent-.*)$/

/**
 * Checks and repairs a raw message (RFC 5322, RFC 2045). Repairs line ends, missing Date, Message-ID and MIME-Version,
 * a From domain in another form than the verified one, fields that must not be sent, and bodies that some servers do
 * not accept. Anything that readers interpret differently is a problem. Time and memory are linear in the size of the
 * message.
 * @param given text, or the octets of a message, whose parts may be in any charset
 * @param isTaken returns whether a field is meant for the service: such fields are returned and not sent
 */
export function repairRawMessage(
  given: string | Buffer,
  missing: Missing,
  isTaken: (name: string) => boolean = () => false,
): RawMessage | MessageProblem {
  const isText = typeof given === 'string'
  const octets = isText ? encodeText(given) : checkOctets(given)
  if (isProblem(octets)) return octets
  const bytes = toCrlfLines(octets)
  if (isText && bytes !== octets) freeOctets(octets)
  const header = readMessageHeader(bytes)
  if (isProblem(header)) return header
  const { fields, end } = header
  const senders = readSenders(bytes, header)
  if (isProblem(senders)) return senders
  const { from, sender } = senders
  const structure = checkShownAddresses(bytes, fields) ?? readStructure(bytes, fields, end)
  if (isProblem(structure)) return structure

  const bodyEdits = reencodeParts(bytes, Math.min(end + 2, bytes.length), structure.parts, isText)
  if (isProblem(bodyEdits)) return bodyEdits
  const requireTlsEdits = preserveRequireTls(bytes, fields, end)
  if (isProblem(requireTlsEdits)) return requireTlsEdits
  const taken = fields.filter(({ name }) => isTaken(name))
  const messageId = ownMessageId(bytes, fields)
  const edits = [
    ...fields
      .filter((field) => isTaken(field.name) || mustRemove(bytes, field, from, bodyEdits.length > 0))
      .map(remove),
    ...rewriteMailbox(bytes, fields, 'from', from),
    ...rewriteMailbox(bytes, fields, 'sender', sender),
    ...requireTlsEdits,
    ...addMissing(bytes, fields, end, { messageId, from, missing, isMime: bodyEdits.length > 0 }),
    ...bodyEdits,
  ]
  const headers = toAsciiHeaders(bytes, fields, structure, edits)
  const repaired = rebuild(bytes, [...edits, ...headers.edits], end)
  if (isProblem(repaired)) return repaired
  const isHeaderAscii = isAscii(repaired.subarray(0, repaired.indexOf('\r\n\r\n')))
  return {
    bytes: repaired,
    smtpUtf8: !isHeaderAscii || (headers.isKept && structure.hasUtf8Header),
    from,
    sender,
    messageId: messageId ?? `${missing.messageIdLocal}@${from.domain}`,
    subject: decodeSubject(firstValue(bytes, fields, 'subject') ?? ''),
    attachments: describeAttachments(bytes, structure.parts),
    addressed: { to: firstValue(bytes, fields, 'to') ?? '', cc: firstValue(bytes, fields, 'cc') ?? '' },
    taken: taken.map((field) => ({ name: field.name, value: fieldValue(bytes, field) })),
  }
}

function encodeText(text: string): Buffer | MessageProblem {
  if (text.includes('\0')) return { problem: 'nul_character' }
  const bytes = Buffer.from(text)
  if (bytes.length <= GIVEN_BYTES_MAX) return bytes
  return { problem: 'too_large', bytesMax: GIVEN_BYTES_MAX, isText: true }
}

/** Rejects NUL (RFC 5322 section 3.5) and messages that are too large. */
function checkOctets(bytes: Buffer): Buffer | MessageProblem {
  if (bytes.includes(0)) return { problem: 'nul_character' }
  if (bytes.length <= GIVEN_BYTES_MAX) return bytes
  return { problem: 'too_large', bytesMax: GIVEN_BYTES_MAX, isText: false }
}

function readSenders(
  bytes: Buffer,
  { fields, end }: MessageHeader,
): { from: Mailbox; sender: Mailbox | null } | MessageProblem {
  if (!isUtf8(bytes.subarray(0, end))) return { problem: 'header_charset' }
  const from = checkCounts(fields) ?? readMailbox(bytes, fields, 'from')
  if (from === null) return { problem: 'not_one_from' }
  if (isProblem(from)) return from
  const sender = readMailbox(bytes, fields, 'sender')
  return sender !== null && isProblem(sender) ? sender : { from, sender }
}

function checkCounts(fields: readonly HeaderField[]): MessageProblem | null {
  const counts = new Map<string, number>()
  for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1)
  const twice = SINGLETONS.find((name) => (counts.get(name) ?? 0) > 1)
  if (twice === 'from') return { problem: 'not_one_from' }
  if (twice !== undefined) return { problem: 'repeated_field', name: twice }
  if ((counts.get('received') ?? 0) <= RECEIVED_COUNT_MAX) return null
  return { problem: 'too_many_received', countMax: RECEIVED_COUNT_MAX }
}

/** Returns null if there is no such field. */
function readMailbox(
  bytes: Buffer,
  fields: readonly HeaderField[],
  name: 'from' | 'sender',
): Mailbox | MessageProblem | null {
  const value = firstValue(bytes, fields, name)
  return value === null ? null : (parseHeaderMailbox(value) ?? { problem: 'not_one_address', name })
}

/** Address fields that are not parsed, because the envelope determines the recipients. */
const SHOWN_ADDRESSES = ['to', 'cc', 'reply-to']

function checkShownAddresses(bytes: Buffer, fields: readonly HeaderField[]): MessageProblem | null {
  const name = SHOWN_ADDRESSES.find((one) => isDeceptiveField(firstValue(bytes, fields, one) ?? ''))
  return name === undefined ? null : { problem: 'deceptive_address', name }
}

/** Returns the message's own Message-ID, or null if it has no valid one (RFC 5322 section 3.6.4). */
function ownMessageId(bytes: Buffer, fields: readonly HeaderField[]): string | null {
  const value = firstValue(bytes, fields, 'message-id') ?? ''
  return MESSAGE_ID.test(value) ? value.slice(1, -1) : null
}

/**
 * Returns the edits that write unencoded UTF-8 of the header, and of the headers of parts, in ASCII. `isKept` if it must stay:
 * another domain has signed the message, or an address has no ASCII form. What is inside signed and forwarded parts
 * stays as it is, and servers with 8BITMIME take it.
 * @param edits what changes anyway
 */
function toAsciiHeaders(
  bytes: Buffer,
  fields: readonly HeaderField[],
  { parts, containers, hasUtf8Header }: RawStructure,
  edits: readonly Edit[],
): { edits: Edit[]; isKept: boolean } {
  const changed = new Set(edits.filter(({ start, end }) => end > start).map(({ start }) => start))
  const areFieldsAscii = fields.every(
    ({ start, end }) => changed.has(start) || isAscii(bytes.subarray(start, end)),
  )
  if (areFieldsAscii && !hasUtf8Header) return { edits: [], isKept: false }
  const isSigned = fields.some(({ name, start }) => name === 'dkim-signature' && !changed.has(start))
  const sections = [...parts, ...containers].filter(
    ({ headerStart, isFrozen }) => headerStart > 0 && !isFrozen,
  )
  const all = [fields, ...sections.map((section) => section.fields)].flat()
  const made = isSigned
    ? null
    : asciiEdits(
        bytes,
        all.filter(({ start }) => !changed.has(start)),
      )
  return { edits: made ?? [], isKept: made === null }
}

const SIGNING_DOMAIN = /(?:^|;) *d *= *([^; ]*)/

/**
 * Returns whether a field must be removed. A DKIM signature must, if the body changed, if it has no valid d= tag, or if
 * it is of the From domain, whose signature Sendwright adds.
 */
function mustRemove(bytes: Buffer, field: HeaderField, from: Mailbox, isBodyChanged: boolean): boolean {
  if (REMOVED.test(field.name) || isTraceName(field.name)) return true
  if (field.name !== 'dkim-signature') return false
  const domain = SIGNING_DOMAIN.exec(fieldValue(bytes, field))?.[1]?.toLowerCase()
  return isBodyChanged || domain === undefined || domain === from.domain
}

/** Writes the domain in its verified form, because only some readers treat full-width letters and U-labels as equal. */
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

/** Returns the edit that adds the require-TLS field in canonical form, if the message requests it. */
function preserveRequireTls(
  bytes: Buffer,
  fields: readonly HeaderField[],
  end: number,
): Edit[] | MessageProblem {
  const values = fields
    .filter(({ name }) => name === REQUIRE_TLS)
    .map((field) => readRequireTls(fieldValue(bytes, field)))
  if (values.includes(null)) return { problem: 'require_tls_value' }
  if (!values.includes(true)) return []
  return [{ start: end, end, bytes: Buffer.from('X-Sendwright-Require-TLS: yes\r\n') }]
}

/** Applies all edits with a single copy of the message. */
function rebuild(bytes: Buffer, edits: readonly Edit[], headerEnd: number): Buffer | MessageProblem {
  const pieces = applyEdits(bytes, edits)
  const isEnded = pieces.findLast((piece) => piece.length > 0)?.at(-1) === 10
  if (headerEnd === bytes.length || !isEnded) pieces.push(Buffer.from('\r\n'))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length > REPAIRED_BYTES_MAX) return { problem: 'repaired_too_large', bytesMax: REPAIRED_BYTES_MAX }
  return pieces.length === 1 ? bytes : Buffer.concat(pieces, length)
}
