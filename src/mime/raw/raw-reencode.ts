import { isAscii, isUtf8 } from 'node:buffer'
import type { Edit } from '../edits.ts'
import { findLongLine, lineNumberAt } from '../line-ends.ts'
import { encodeBase64, encodeOctets, mendQuotedPrintable } from '../transfer-encoding.ts'
import { refuseRaw } from './raw-header.ts'
import { IDENTITY_ENCODINGS, type RawPart } from './raw-structure.ts'

/**
 * What must change for the parts to travel everywhere: lines of at most 998 octets (RFC 5321 section 4.5.3.1.6), seven
 * bits (RFC 6376 section 5.3: a signature must not be broken by a server that downgrades). Bodies are encoded anew,
 * their text stays the same. Refuses (422) over-long lines where that cannot be done without changing what was said:
 * inside signed, encrypted and forwarded parts, and outside of parts.
 * @param isText the message came as text, so that all that is not ASCII is UTF-8
 */
export function reencodeParts(
  bytes: Buffer,
  bodyStart: number,
  parts: readonly RawPart[],
  isText: boolean,
): Edit[] {
  const edits: Edit[] = []
  let at = bodyStart
  for (const part of parts) {
    if (part.bodyStart < at) continue
    refuseLongLines(bytes, at, part.bodyStart)
    if (part.isFrozen) refuseLongLines(bytes, part.bodyStart, part.bodyEnd)
    else if (needsWork(bytes, part)) edits.push(...reencodePart(bytes, part, isText))
    at = part.bodyEnd
  }
  refuseLongLines(bytes, at, bytes.length)
  return edits
}

function needsWork(bytes: Buffer, { bodyStart, bodyEnd, encoding }: RawPart): boolean {
  if (encoding === 'binary' || !isAscii(bytes.subarray(bodyStart, bodyEnd))) return true
  return findLongLine(bytes, bodyStart, bodyEnd) >= 0
}

function refuseLongLines(bytes: Buffer, start: number, end: number): void {
  const long = findLongLine(bytes, start, end)
  if (long >= 0) {
    throw refuseRaw(
      `The raw_message field has a line longer than 998 bytes that cannot be encoded: line ${lineNumberAt(bytes, long)}.`,
    )
  }
}

/** What must change for one part to be ASCII in short lines. Refuses (422) what cannot be made so. */
export function reencodePart(bytes: Buffer, part: RawPart, isText: boolean): Edit[] {
  const body = bytes.subarray(part.bodyStart, part.bodyEnd)
  const place = { start: part.bodyStart, end: part.bodyEnd }
  if (part.encoding === 'quoted-printable') return [{ ...place, bytes: mendQuotedPrintable(body) }]
  if (part.encoding === 'base64') return [{ ...place, bytes: wrapBase64(bytes, part) }]
  if (!IDENTITY_ENCODINGS.has(part.encoding) || !part.isWellFormed) throw unencodable(bytes, part)
  const encoded = encodeOctets(body)
  return [...encodingFields(bytes, part, encoded.encoding, isText), { ...place, bytes: encoded.body }]
}

function unencodable(bytes: Buffer, part: RawPart): Error {
  const line = lineNumberAt(bytes, part.bodyStart)
  return refuseRaw(
    `The raw_message field has a part, at line ${line}, with over-long lines or 8-bit text that cannot be encoded.`,
  )
}

const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/

/** Base64 in lines of its own length, which many programs write. Its octets pass unread: they are not checked. */
function wrapBase64(bytes: Buffer, part: RawPart): Buffer {
  const text = bytes.toString('latin1', part.bodyStart, part.bodyEnd)
  // Something else beside it, or a second text behind the padding: readers differ in what they make of it.
  if (NOT_BASE64.test(text) || /=\s*[^=\s]/.test(text)) throw unencodable(bytes, part)
  return encodeBase64(Buffer.from(text, 'base64'))
}

/** The fields that say how a body is encoded, in place of those that said so before. */
function encodingFields(bytes: Buffer, part: RawPart, encoding: string, isText: boolean): Edit[] {
  const edits: Edit[] = []
  const field = part.fields.find(({ name }) => name === 'content-transfer-encoding')
  const at = field ?? { start: part.headerEnd, end: part.headerEnd }
  edits.push({
    start: at.start,
    end: at.end,
    bytes: Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`),
  })
  const charset = charsetEdit(bytes, part, isText)
  return charset === null ? edits : [...edits, charset].sort((a, b) => a.start - b.start)
}

/**
 * What came as JSON is UTF-8: said where nothing was said, refused where the contrary was. What came as octets is in the
 * charset that it names; where it names none it may still be seen to be UTF-8.
 */
function charsetEdit(bytes: Buffer, part: RawPart, isText: boolean): Edit | null {
  const { type, fields, headerEnd, bodyStart, bodyEnd } = part
  if (!type.value.startsWith('text/') || isAscii(bytes.subarray(bodyStart, bodyEnd))) return null
  const charset = type.parameters.get('charset')?.toLowerCase()
  if (charset === 'utf-8' || charset === 'utf8') return null
  if (!isText && !(isUndeclared(charset) && isUtf8(bytes.subarray(bodyStart, bodyEnd)))) return null
  if (!isUndeclared(charset)) {
    const shown = charset.slice(0, 40).replace(/[^!-~]/g, '?')
    throw refuseRaw(
      `The raw_message field has 8-bit text in a part that says charset=${shown}. It is UTF-8 here; other charsets need quoted-printable or base64.`,
    )
  }
  const { start, end } = fields.find(({ name }) => name === 'content-type') ?? {
    start: headerEnd,
    end: headerEnd,
  }
  const given = start === end ? `Content-Type: ${type.value}` : bytes.toString('latin1', start, end)
  const said =
    charset === undefined
      ? `${withoutEnd(given)};\r\n charset=utf-8\r\n`
      : given.replace(/us-ascii/i, 'utf-8')
  return { start, end, bytes: Buffer.from(said, 'latin1') }
}

function isUndeclared(charset: string | undefined): charset is 'us-ascii' | undefined {
  return charset === undefined || charset === 'us-ascii'
}

/**
 * Without the semicolons, spaces and line ends at its end. Looked for from there: a pattern would try a header of
 * nothing but semicolons from each of them anew.
 */
function withoutEnd(field: string): string {
  let end = field.length
  while (end > 0 && '; \r\n'.includes(field[end - 1] as string)) end--
  return field.slice(0, end)
}
