import { replaceInSlices } from '../lib/text/text-slices.ts'
import { hexValue } from './transfer-decoding.ts'

/** RFC 2045 section 6.8: base64 in lines of 76 characters, 57 octets each. */
const BASE64_LINE_CHARS = 76
const LINE_OCTETS_MAX = 998
const CR = 13
const LF = 10
const TAB = 9
const SPACE = 0x20
const EQUALS = 0x3d
const DOT = 0x2e
const HEX = Buffer.from('0123456789ABCDEF')

interface EncodedText {
  encoding: '7bit' | 'quoted-printable' | 'base64'
  /** ASCII in lines of at most 998 octets, separated by CRLF. A Buffer if a large text was encoded, else a string. */
  body: string | Buffer
}

/** Converts all line ends to CRLF, the only line end allowed on the wire (RFC 5321 section 2.3.8). */
function toCrlf(text: string): string {
  const hasCr = text.includes('\r')
  if (!hasCr && !text.includes('\n')) return text
  return replaceInSlices(text, (slice) => {
    const lf = hasCr ? slice.replace(/\r\n?/g, '\n') : slice
    return lf.replace(/\n/g, '\r\n')
  })
}

/** Returns whether no line is too long. Advances by the longest permitted line: about a dozen steps for 10 KB. */
function linesFit(text: string): boolean {
  let start = 0
  while (text.length - start > LINE_OCTETS_MAX) {
    const end = text.lastIndexOf('\r\n', start + LINE_OCTETS_MAX)
    if (end < start) return false
    start = end + 2
  }
  return true
}

/** A whole number of lines, whose base64 is a string of less than 80 KB. */
const BASE64_SLICE_OCTETS = 57 * 1024

/** Encodes octets as base64 in lines separated by CRLF. Uses the memory of the result and of one slice. */
export function encodeBase64(content: Buffer): Buffer {
  const flatLength = Math.ceil(content.length / 3) * 4
  const breaks = Math.max(0, Math.ceil(flatLength / BASE64_LINE_CHARS) - 1)
  const lines = Buffer.allocUnsafe(flatLength + 2 * breaks)
  let to = 0
  for (let start = 0; start < content.length; start += BASE64_SLICE_OCTETS) {
    const flat = Buffer.from(content.toString('base64', start, start + BASE64_SLICE_OCTETS), 'latin1')
    for (let from = 0; from < flat.length; from += BASE64_LINE_CHARS) {
      if (to > 0) {
        lines[to++] = CR
        lines[to++] = LF
      }
      to += flat.copy(lines, to, from, from + BASE64_LINE_CHARS)
    }
  }
  return lines
}

/**
 * The kinds of octets in quoted-printable (RFC 2045 section 6.7 (1)-(3)). Printable ASCII other than `=` is plain,
 * and so is a space or tab that does not end its line.
 */
const ESCAPE = 0
const PLAIN = 1
const LINE_END = 2
const KIND = Uint8Array.from({ length: 256 }, (_, octet) => {
  if (octet === CR || octet === LF) return LINE_END
  return octet === TAB || (octet >= SPACE && octet < 0x7f && octet !== EQUALS) ? PLAIN : ESCAPE
})
/** Leaves room for the `=` of a soft line break within 76 characters (RFC 2045 section 6.7 (5)). */
const QP_LINE_CHARS = 75
/** The encoder checks its limit only at line breaks, so it may exceed the limit by one line. */
const QP_SLACK_OCTETS = 100

/** The maximum size of one UTF-16 code unit in UTF-8. */
const UTF8_OCTETS_MAX = 3
const SCRATCH_OCTETS = 256 * 1024
const scratches = [Buffer.allocUnsafeSlow(SCRATCH_OCTETS), Buffer.allocUnsafeSlow(SCRATCH_OCTETS)] as const

/**
 * Returns a scratch buffer, whose content the next text overwrites. It is reused if it is large enough: at a thousand
 * emails a second, new buffers would trigger garbage collection twice a second.
 */
function scratch(which: 0 | 1, octets: number): Buffer {
  return octets <= SCRATCH_OCTETS ? scratches[which] : Buffer.allocUnsafeSlow(octets)
}

/**
 * Encodes text as quoted-printable; any line end becomes CRLF. Returns null if the result would exceed `octetsMax`.
 * The result is a view of a scratch buffer that the next text overwrites, unless `octetsMax` exceeds the size of that
 * buffer. Also escapes a dot at the start of a line, so that no server needs dot-stuffing. The loop over plain octets
 * is the hottest loop of message building, so checks that only line ends need stay outside it.
 */
function encodeQuotedPrintable(bytes: Buffer, length: number, octetsMax: number): Buffer | null {
  const encoded = scratch(1, octetsMax + QP_SLACK_OCTETS)
  let to = 0
  let lineStart = 0
  for (let at = 0; at < length; ) {
    const isDotFirst = to === lineStart && bytes[at] === DOT
    const stop = isDotFirst ? at : Math.min(length, at + lineStart + QP_LINE_CHARS - to)
    while (at < stop && KIND[bytes[at] as number] === PLAIN) encoded[to++] = bytes[at++] as number
    const isLineEnd = at >= length || KIND[bytes[at] as number] === LINE_END
    // White space at the end of a line must be escaped.
    if (isLineEnd && to > lineStart && (encoded[to - 1] as number) <= SPACE) {
      to--
      at--
    } else if (isLineEnd) {
      if (at >= length) break
      if (to > octetsMax) return null
      encoded[to++] = CR
      encoded[to++] = LF
      lineStart = to
      at += bytes[at] === CR && bytes[at + 1] === LF ? 2 : 1
      continue
    }
    const octet = bytes[at] as number
    const isFull = to + 3 > lineStart + QP_LINE_CHARS
    if (isFull || (KIND[octet] === PLAIN && !isDotFirst && !isLineEnd)) {
      if (to > octetsMax) return null
      encoded[to++] = EQUALS
      encoded[to++] = CR
      encoded[to++] = LF
      lineStart = to
      if (!isLineEnd) continue
    }
    encoded[to++] = EQUALS
    encoded[to++] = HEX[octet >> 4] as number
    encoded[to++] = HEX[octet & 15] as number
    at++
  }
  return to > octetsMax ? null : encoded.subarray(0, to)
}

/** Returns the length of the quoted-printable form without soft line breaks: a lower bound. */
function quotedPrintableMin(bytes: Buffer): number {
  let octets = bytes.length
  for (const octet of bytes) if (KIND[octet] === ESCAPE) octets += 2
  return octets
}

// Only quoted-printable and base64 can carry NUL (RFC 5321 section 4.5.2, RFC 2045 section 2.7).
// biome-ignore lint/suspicious/noControlCharactersInRegex: seven bits without NUL begin at U+0001
const NOT_SEVEN_BIT = /[^\x01-\x7f]/

/**
 * Encodes a text body so that any server can carry it. ASCII without NUL in lines of up to 998 octets stays 7bit. Any
 * other text becomes quoted-printable or base64, whichever is smaller. Lone surrogates become U+FFFD.
 */
export function encodeText(text: string): EncodedText {
  if (!NOT_SEVEN_BIT.test(text)) {
    const body = toCrlf(text)
    if (linesFit(body)) return { encoding: '7bit', body }
  }
  return encodeShortText(text) ?? encodeAnyText(toCrlf(text))
}

/**
 * Returns null unless the text is short and smaller as quoted-printable. Most texts are; they need no copy with CRLF.
 */
function encodeShortText(text: string): EncodedText | null {
  const bytesMax = text.length * UTF8_OCTETS_MAX
  if (base64Length(bytesMax) > SCRATCH_OCTETS) return null
  const bytes = scratch(0, bytesMax)
  const length = bytes.write(text)
  // Base64 would carry CRLF line ends and be no shorter than this.
  const qp = encodeQuotedPrintable(bytes, length, base64Length(length))
  return qp === null ? null : { encoding: 'quoted-printable', body: qp.toString('latin1') }
}

/** Encodes text with CRLF line ends. */
function encodeAnyText(text: string): EncodedText {
  const bytes = scratch(0, text.length * UTF8_OCTETS_MAX)
  const length = bytes.write(text)
  const { encoding, body } = encodeOctets(bytes.subarray(0, length))
  return { encoding, body: body.length > SCRATCH_OCTETS ? body : body.toString('latin1') }
}

/** Returns the length of the output of `encodeBase64` for this many octets, line ends included. */
function base64Length(octets: number): number {
  const flat = Math.ceil(octets / 3) * 4
  return flat + 2 * Math.floor(flat / BASE64_LINE_CHARS)
}

/** Encodes octets, whose line ends must be CRLF, as quoted-printable or base64, whichever is smaller. */
export function encodeOctets(content: Buffer): { encoding: 'quoted-printable' | 'base64'; body: Buffer } {
  const octetsMax = base64Length(content.length)
  // Check first whether the result can fit: a failed encoding would waste the time and memory of the whole text.
  const fits = quotedPrintableMin(content) <= octetsMax
  const qp = fits ? encodeQuotedPrintable(content, content.length, octetsMax) : null
  if (qp === null) return { encoding: 'base64', body: encodeBase64(content) }
  return { encoding: 'quoted-printable', body: octetsMax > SCRATCH_OCTETS ? qp : Buffer.from(qp) }
}

/**
 * Repairs quoted-printable: escapes control and non-ASCII octets, and breaks long lines with soft line breaks. Does not
 * decode it, so that the content stays the same, including escaped line ends. Line ends must be CRLF.
 */
export function repairQuotedPrintable(encoded: Buffer): Buffer {
  const reencoded = Buffer.allocUnsafe(reencodedOctetsMax(encoded))
  let to = 0
  let column = 0
  for (let at = 0; at < encoded.length; ) {
    const octet = encoded[at] as number
    if (octet === CR || (octet === EQUALS && encoded[at + 1] === CR)) {
      const next = encoded.indexOf(LF, at) + 1
      to += encoded.copy(reencoded, to, at, next)
      at = next
      column = 0
      continue
    }
    const isPlain = octet > 0x1f ? octet < 0x7f : octet === 0x09
    const width = !isPlain || isEscape(encoded, at) ? 3 : 1
    if (column + width > QP_LINE_CHARS) {
      to += SOFT_BREAK.copy(reencoded, to)
      column = 0
    }
    column += width
    if (isPlain) {
      // Assign octets: a `copy` of one octet takes as long as fifty assignments.
      for (const stop = at + width; at < stop; at++) reencoded[to++] = encoded[at] as number
    } else {
      reencoded[to++] = EQUALS
      reencoded[to++] = HEX[octet >> 4] as number
      reencoded[to++] = HEX[octet & 15] as number
      at++
    }
  }
  return reencoded.subarray(0, to)
}

const SOFT_BREAK = Buffer.from('=\r\n')

function reencodedOctetsMax(encoded: Buffer): number {
  let octets = encoded.length
  for (let at = 0; at < encoded.length; at++) {
    const octet = encoded[at] as number
    if (octet < 0x20 || octet > 0x7e) octets += 2
  }
  return octets + SOFT_BREAK.length * (1 + Math.ceil(octets / (QP_LINE_CHARS - 2)))
}

/** Returns whether an escape (`=` and two hexadecimal digits) starts here. A soft line break must not split it. */
function isEscape(encoded: Buffer, at: number): boolean {
  return encoded[at] === EQUALS && hexValue(encoded[at + 1]) >= 0 && hexValue(encoded[at + 2]) >= 0
}
