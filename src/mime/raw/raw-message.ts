import { isAscii } from 'node:buffer'
import { freeOctets } from '../../lib/octets.ts'
import type { Mailbox } from '../address.ts'
import { formatDate } from '../build.ts'
import { applyEdits, type Edit, remove } from '../edits.ts'
import { toCrlfLines } from '../line-ends.ts'
import { REQUIRE_TLS, readRequireTls } from '../require-tls.ts'
import { isTraceName } from '../trace-name.ts'
import { asciiEdits } from './ascii-header.ts'
import { readMendedHeader } from './mend-header.ts'
import { isProblem, type MessageProblem } from './message-problem.ts'
import { describeAttachments, type RawAttachment } from './raw-attachments.ts'
import { fieldValue, firstValue, type HeaderField } from './raw-header.ts'
import { decodeSubject } from './raw-mailbox.ts'
import { reencodeParts } from './raw-reencode.ts'
import { checkShownAddresses, isForeignSignature, readSenders } from './raw-senders.ts'
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
const MESSAGE_ID = /^<[!-;=?A-~]{1,400}@[!-;=?A-~]{1,400}>$/

/** Fields with hidden recipients, or with resenders that the service has not verified. */
const REMOVED = /^(?:bcc|return-path|resent-.*)$/

export interface RepairOptions {
  /** Returns whether a field is meant for the service: such fields are returned and not sent. */
  isTaken?: (name: string) => boolean
  /** Whether what has one meaning only is mended, although it is not written as the RFCs demand. */
  isMended?: boolean
}

/**
 * Checks and repairs a raw message (RFC 5322, RFC 2045). Repairs line ends, missing Date, Message-ID and MIME-Version,
 * a From domain in another form than the verified one, fields that must not be sent, and bodies that some servers do
 * not accept. Anything that readers interpret differently is a problem. Time and memory are linear in the size of the
 * message.
 * @param message text, or the octets of a message, whose parts may be in any charset
 */
export function repairRawMessage(
  message: string | Buffer,
  missing: Missing,
  { isTaken = () => false, isMended = false }: RepairOptions = {},
): RawMessage | MessageProblem {
  const isText = typeof message === 'string'
  const octets = isText ? encodeText(message) : checkOctets(message)
  if (isProblem(octets)) return octets
  const lines = toCrlfLines(octets)
  if (isText && lines !== octets) freeOctets(octets)
  const header = readMendedHeader(lines, isMended)
  if (isProblem(header)) return header
  const { bytes, fields, end, mended } = header
  const senders = readSenders(bytes, header, isMended)
  if (isProblem(senders)) return senders
  const { from, sender } = senders
  const isSigned = fields.some((field) => isForeignSignature(bytes, field, from))
  if (isSigned && mended !== null) return { problem: 'signed_header', cause: mended }
  const structure =
    checkShownAddresses(bytes, fields) ??
    readStructure(bytes, fields, end, { mendsEncodings: isMended && !isSigned })
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
    ...senders.edits,
    ...structure.edits.filter(({ start }) => !bodyEdits.some((edit) => edit.start === start)),
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
  const ascii = isSigned
    ? null
    : asciiEdits(
        bytes,
        all.filter(({ start }) => !changed.has(start)),
      )
  return { edits: ascii ?? [], isKept: ascii === null }
}

/**
 * Returns whether a field must be removed. A DKIM signature must, if the body changed, if it has no valid d= tag, or if
 * it is of the From domain, whose signature Sendwright adds.
 */
function mustRemove(bytes: Buffer, field: HeaderField, from: Mailbox, isBodyChanged: boolean): boolean {
  if (REMOVED.test(field.name) || isTraceName(field.name)) return true
  return field.name === 'dkim-signature' && (isBodyChanged || !isForeignSignature(bytes, field, from))
}

/** Adds the fields that every message must have (RFC 5322 section 3.6), and the empty line if there is no body. */
function addMissing(
  bytes: Buffer,
  fields: readonly HeaderField[],
  end: number,
  facts: { messageId: string | null; from: Mailbox; missing: Missing; isMime: boolean },
): Edit[] {
  const edits: Edit[] = []
  const names = new Set(fields.map(({ name }) => name))
  const put = (line: string) => edits.push({ start: end, end, bytes: Buffer.from(`${line}\r\n`) })
  const replaced = fields.filter(
    (field) =>
      (field.name === 'message-id' && facts.messageId === null) ||
      (field.name === 'date' && fieldValue(bytes, field) === ''),
  )
  edits.push(...replaced.map(remove))
  if (!names.has('date') || replaced.some(({ name }) => name === 'date')) {
    put(`Date: ${formatDate(facts.missing.date)}`)
  }
  if (facts.messageId === null) put(`Message-ID: <${facts.missing.messageIdLocal}@${facts.from.domain}>`)
  const isMime = facts.isMime || names.has('content-type') || names.has('content-transfer-encoding')
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
