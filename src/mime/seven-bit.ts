import { isAscii } from 'node:buffer'
import { ApiError } from '../lib/api-error.ts'
import { applyEdits, type Edit, remove } from './edits.ts'
import { type HeaderField, readMessageHeader } from './raw/raw-header.ts'
import { reencodePart } from './raw/raw-reencode.ts'
import {
  IDENTITY_ENCODINGS,
  type RawContainer,
  type RawPart,
  type RawStructure,
  readStructure,
} from './raw/raw-structure.ts'

export interface SevenBitMessage {
  bytes: Buffer
  /** A signed part had to change: its signature will not verify. */
  isSealBroken: boolean
}

/**
 * A message for a server that takes seven bits alone (RFC 6152 section 3), made of one whose eight bits were left where
 * nobody else may change them: inside forwarded messages, whose parts are encoded one by one because a message itself must not
 * be (RFC 2045 section 6.4), and inside of signed ones. Texts and files stay the same; eight bits that no reader shows (before
 * the first and behind the last part) become question marks. Null when it cannot be done: eight bits in a header, in an
 * unknown encoding, in a multipart whose parts nobody can tell. Work is that of one pass, memory that of one copy.
 * @param message as it was accepted
 */
export function toSevenBits(message: Buffer): SevenBitMessage | null {
  try {
    const { fields, end } = readMessageHeader(message)
    const structure = readStructure(message, fields, end, 'opened')
    if (structure.hasUtf8Header || !isAscii(message.subarray(0, end))) return null
    return convert(message, fields, structure)
  } catch (error) {
    // It exceeds the limits on structure, as when it was accepted.
    if (error instanceof ApiError) return null
    throw error
  }
}

function convert(
  message: Buffer,
  fields: readonly HeaderField[],
  { parts, containers }: RawStructure,
): SevenBitMessage | null {
  const edits: Edit[] = fields.filter(({ name }) => name === 'dkim-signature').map(remove)
  let isSealBroken = false
  let at = 0
  for (const part of parts) {
    edits.push(...maskBetween(message, at, part.bodyStart))
    at = part.bodyEnd
    if (isAscii(message.subarray(part.bodyStart, part.bodyEnd))) continue
    if (!isEncodable(part)) return null
    isSealBroken ||= part.isFrozen
    edits.push(...encode(message, part))
  }
  edits.push(...maskBetween(message, at, message.length))
  for (const container of containers) {
    const mayChange = isSealBroken || !container.isFrozen
    if (mayChange && container.encoding !== '7bit') edits.push(...relabel(container))
  }
  return { bytes: Buffer.concat(applyEdits(message, edits)), isSealBroken }
}

/** A multipart with unknown parts must not be encoded as a whole (RFC 2045 section 6.4). */
function isEncodable({ encoding, type }: RawPart): boolean {
  if (type.value.startsWith('multipart/')) return false
  return IDENTITY_ENCODINGS.has(encoding) || encoding === 'quoted-printable' || encoding === 'base64'
}

function encode(message: Buffer, part: RawPart): Edit[] {
  // RFC 2045 section 6.8: decoders skip characters outside the alphabet.
  if (part.encoding === 'base64') return maskBetween(message, part.bodyStart, part.bodyEnd)
  // Old mail has malformed headers; that of a forwarded message does not matter here.
  const edits = reencodePart(message, { ...part, isWellFormed: true }, false)
  return IDENTITY_ENCODINGS.has(part.encoding) ? [...edits, ...encodingsOf(part).slice(1).map(remove)] : edits
}

/** What holds nothing but seven bits now is not said to have eight (RFC 2045 section 6.4): 7bit is what no field says. */
function relabel(container: RawContainer): Edit[] {
  return encodingsOf(container).map(remove)
}

function encodingsOf({ fields }: RawContainer): HeaderField[] {
  return fields.filter(({ name }) => name === 'content-transfer-encoding')
}

const QUESTION_MARK = 0x3f

function maskBetween(message: Buffer, start: number, end: number): Edit[] {
  const octets = message.subarray(start, end)
  if (isAscii(octets)) return []
  return [{ start, end, bytes: Buffer.from(octets.map((octet) => (octet > 0x7f ? QUESTION_MARK : octet))) }]
}
