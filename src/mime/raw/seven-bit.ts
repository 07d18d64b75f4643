import { isAscii } from 'node:buffer'
import { applyEdits, type Edit, remove } from '../edits.ts'
import { isProblem, type MessageProblem } from './message-problem.ts'
import { type HeaderField, readMessageHeader } from './raw-header.ts'
import { reencodePart } from './raw-reencode.ts'
import {
  IDENTITY_ENCODINGS,
  type RawContainer,
  type RawPart,
  type RawStructure,
  readStructure,
} from './raw-structure.ts'

export interface SevenBitMessage {
  bytes: Buffer
  /** Whether a signed part was changed, so that its signature no longer verifies. */
  isSignatureBroken: boolean
}

/**
 * Converts a message for a server without 8BITMIME (RFC 6152 section 3). Acceptance leaves eight-bit content only
 * inside signed parts and forwarded messages. A forwarded message must not be encoded as a whole (RFC 2045 section
 * 6.4), so its parts are encoded one by one. Texts and files stay the same. Eight-bit octets that no reader shows
 * (before the first part and after the last) become question marks. Returns null if the conversion is impossible: eight
 * bits in a header, in an unknown encoding, or in a multipart with ambiguous parts. Takes one pass, and the memory of
 * one copy.
 * @param message the message as accepted
 */
export function toSevenBits(message: Buffer): SevenBitMessage | null {
  const header = readMessageHeader(message)
  if (isProblem(header)) return null
  const { fields, end } = header
  const structure = readStructure(message, fields, end, { forwarded: 'opened' })
  // The opened parts of a forwarded message may exceed limits that the message as a whole does not.
  if (isProblem(structure) || structure.hasUtf8Header || !isAscii(message.subarray(0, end))) return null
  return convert(message, fields, structure)
}

function convert(
  message: Buffer,
  fields: readonly HeaderField[],
  { parts, containers }: RawStructure,
): SevenBitMessage | null {
  const edits: Edit[] = fields.filter(({ name }) => name === 'dkim-signature').map(remove)
  let isSignatureBroken = false
  let at = 0
  for (const part of parts) {
    edits.push(...maskBetween(message, at, part.bodyStart))
    at = part.bodyEnd
    if (isAscii(message.subarray(part.bodyStart, part.bodyEnd))) continue
    if (!isEncodable(part)) return null
    isSignatureBroken ||= part.isFrozen
    const changed = encode(message, part)
    if (isProblem(changed)) return null
    edits.push(...changed)
  }
  edits.push(...maskBetween(message, at, message.length))
  for (const container of containers) {
    const mayChange = isSignatureBroken || !container.isFrozen
    if (mayChange && container.encoding !== '7bit') edits.push(...relabel(container))
  }
  return { bytes: Buffer.concat(applyEdits(message, edits)), isSignatureBroken }
}

/** A multipart with unknown parts must not be encoded as a whole (RFC 2045 section 6.4). */
function isEncodable({ encoding, type }: RawPart): boolean {
  if (type.value.startsWith('multipart/')) return false
  return IDENTITY_ENCODINGS.has(encoding) || encoding === 'quoted-printable' || encoding === 'base64'
}

function encode(message: Buffer, part: RawPart): Edit[] | MessageProblem {
  // RFC 2045 section 6.8: decoders skip characters outside the alphabet.
  if (part.encoding === 'base64') return maskBetween(message, part.bodyStart, part.bodyEnd)
  // Old mail has malformed headers, but the header of a forwarded part does not matter here.
  const edits = reencodePart(message, { ...part, isWellFormed: true }, false)
  if (isProblem(edits) || !IDENTITY_ENCODINGS.has(part.encoding)) return edits
  return [...edits, ...encodingsOf(part).slice(1).map(remove)]
}

/**
 * Removes the encoding fields of a container whose content is now seven-bit: 7bit is the default (RFC 2045 section
 * 6.1).
 */
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
