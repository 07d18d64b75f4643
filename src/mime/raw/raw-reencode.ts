import { isAscii, isUtf8 } from 'node:buffer'
import { encodeBase64 } from '../base64.ts'
import type { Edit } from '../edits.ts'
import { findLongLine, LINE_OCTETS_MAX, lineNumberAt } from '../line-ends.ts'
import { repairQuotedPrintable } from '../repair-quoted-printable.ts'
import { encodeOctets } from '../transfer-encoding.ts'
import { asciiEdits } from './ascii-header.ts'
import { isProblem, type MessageProblem } from './message-problem.ts'
import type { HeaderField } from './raw-header.ts'
import { IDENTITY_ENCODINGS, type RawPart } from './raw-structure.ts'

/**
 * Returns the edits after which every server can carry the parts: lines of at most 998 octets (RFC 5321 section
 * 4.5.3.1.6) and seven bits (RFC 6376 section 5.3: a server that downgrades would break the signature). The edits
 * change the encoding of bodies, not their text. Returns a problem for an over-long line where encoding would change
 * the content: inside signed, encrypted and forwarded parts, and outside of parts.
 * @param isText whether the message was given as text, so that everything non-ASCII is UTF-8
 */
export function reencodeParts(
  bytes: Buffer,
  bodyStart: number,
  parts: readonly RawPart[],
  isText: boolean,
): Edit[] | MessageProblem {
  const edits: Edit[] = []
  let at = bodyStart
  for (const part of parts) {
    if (part.bodyStart < at) continue
    const changed = checkLines(bytes, at, part.bodyStart) ?? changePart(bytes, part, isText)
    if (isProblem(changed)) return changed
    edits.push(...changed)
    at = part.bodyEnd
  }
  return checkLines(bytes, at, bytes.length) ?? edits
}

function changePart(bytes: Buffer, part: RawPart, isText: boolean): Edit[] | MessageProblem {
  if (part.isFrozen) return checkLines(bytes, part.bodyStart, part.bodyEnd) ?? []
  return needsReencoding(bytes, part) ? reencodePart(bytes, part, isText) : []
}

function needsReencoding(bytes: Buffer, { bodyStart, bodyEnd, encoding }: RawPart): boolean {
  if (encoding === 'binary' || !isAscii(bytes.subarray(bodyStart, bodyEnd))) return true
  return findLongLine(bytes, bodyStart, bodyEnd) >= 0
}

function checkLines(bytes: Buffer, start: number, end: number): MessageProblem | null {
  const long = findLongLine(bytes, start, end)
  if (long < 0) return null
  return { problem: 'long_body_line', line: lineNumberAt(bytes, long), octetsMax: LINE_OCTETS_MAX }
}

/** Returns the edits that encode one part as ASCII in short lines. */
export function reencodePart(bytes: Buffer, part: RawPart, isText: boolean): Edit[] | MessageProblem {
  const body = bytes.subarray(part.bodyStart, part.bodyEnd)
  const place = { start: part.bodyStart, end: part.bodyEnd }
  if (part.encoding === 'quoted-printable') return [{ ...place, bytes: repairQuotedPrintable(body) }]
  if (part.encoding === 'base64') {
    const wrapped = wrapBase64(bytes, part)
    return wrapped === null ? unencodable(bytes, part) : [{ ...place, bytes: wrapped }]
  }
  if (!IDENTITY_ENCODINGS.has(part.encoding) || !part.isWellFormed) return unencodable(bytes, part)
  const encoded = encodeOctets(body)
  const fields = encodingFields(bytes, part, encoded.encoding, isText)
  return isProblem(fields) ? fields : [...fields, { ...place, bytes: encoded.body }]
}

function unencodable(bytes: Buffer, part: RawPart): MessageProblem {
  return { problem: 'unencodable_part', line: lineNumberAt(bytes, part.bodyStart) }
}

const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/

/** Returns base64 in lines of the usual length, or null where readers would decode it differently. */
function wrapBase64(bytes: Buffer, part: RawPart): Buffer | null {
  const text = bytes.toString('latin1', part.bodyStart, part.bodyEnd)
  // Readers decode other characters, and text after the padding, in different ways.
  if (NOT_BASE64.test(text) || /=\s*[^=\s]/.test(text)) return null
  return encodeBase64(Buffer.from(text, 'base64'))
}

/** Returns the edits of the fields that declare the encoding and the charset of a body. */
function encodingFields(
  bytes: Buffer,
  part: RawPart,
  encoding: string,
  isText: boolean,
): Edit[] | MessageProblem {
  const edits: Edit[] = []
  const field = part.fields.find(({ name }) => name === 'content-transfer-encoding')
  const at = field ?? { start: part.headerEnd, end: part.headerEnd }
  edits.push({
    start: at.start,
    end: at.end,
    bytes: Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`),
  })
  const charset = charsetEdit(bytes, part, isText)
  if (charset === null) return edits
  return isProblem(charset) ? charset : [...edits, charset].sort((a, b) => a.start - b.start)
}

/**
 * Returns the edit that declares UTF-8, or null if none is needed. A message given as text is UTF-8, so any other
 * declared charset is a problem. A message given as octets is in the charset that it declares. If it declares none and
 * is valid UTF-8, the edit declares UTF-8.
 */
function charsetEdit(bytes: Buffer, part: RawPart, isText: boolean): Edit | MessageProblem | null {
  const { type, fields, headerEnd, bodyStart, bodyEnd } = part
  if (!type.value.startsWith('text/') || isAscii(bytes.subarray(bodyStart, bodyEnd))) return null
  const charset = type.parameters.get('charset')?.toLowerCase()
  if (charset === 'utf-8' || charset === 'utf8') return null
  if (!isText && !(isUndeclared(charset) && isUtf8(bytes.subarray(bodyStart, bodyEnd)))) return null
  if (!isUndeclared(charset)) {
    return { problem: 'charset_mismatch', charset: charset.slice(0, 40).replace(/[^!-~]/g, '?') }
  }
  const field = fields.find(({ name }) => name === 'content-type')
  const { start, end } = field ?? { start: headerEnd, end: headerEnd }
  const header = field === undefined ? `Content-Type: ${type.value}` : asciiFieldText(bytes, field)
  const declared =
    charset === undefined
      ? `${withoutEnd(header)};\r\n charset=utf-8\r\n`
      : header.replace(/us-ascii/i, 'utf-8')
  return { start, end, bytes: Buffer.from(declared, 'latin1') }
}

/** Returns a field with its unencoded UTF-8 in ASCII: other edits of the header leave out a field that is changed here. */
function asciiFieldText(bytes: Buffer, field: HeaderField): string {
  const [edit] = asciiEdits(bytes, [field]) ?? []
  return (edit?.bytes ?? bytes.subarray(field.start, field.end)).toString('latin1')
}

function isUndeclared(charset: string | undefined): charset is 'us-ascii' | undefined {
  return charset === undefined || charset === 'us-ascii'
}

/**
 * Returns the field without trailing semicolons, spaces and line ends. Searches from the end, because a pattern takes
 * quadratic time for a header of semicolons.
 */
function withoutEnd(field: string): string {
  let end = field.length
  while (end > 0 && '; \r\n'.includes(field[end - 1] as string)) end--
  return field.slice(0, end)
}
