import { replaceInSlices } from '../lib/text/text-slices.ts'
import { base64Length, encodeBase64 } from './base64.ts'
import { LINE_OCTETS_MAX } from './line-ends.ts'
import { encodeQuotedPrintable, quotedPrintableMin, workspaceOctets } from './quoted-printable.ts'

interface EncodedText {
  encoding: '7bit' | 'quoted-printable' | 'base64'
  /** ASCII in lines of at most 998 octets, separated by CRLF. A string if the text needed no encoding. */
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

/** Encodes text as quoted-printable. The next text overwrites the result, unless that exceeds a scratch buffer. */
function encodeInScratch(text: Buffer, octetsMax: number): Buffer | null {
  return encodeQuotedPrintable(text, octetsMax, scratch(1, workspaceOctets(octetsMax)))
}

// Only quoted-printable and base64 can carry NUL (RFC 5321 section 4.5.2, RFC 2045 section 2.7).
// biome-ignore lint/suspicious/noControlCharactersInRegex: seven bits without NUL begin at U+0001
const NOT_SEVEN_BIT = /[^\x01-\x7f]/

/**
 * Encodes a text body so that any server can carry it. ASCII without NUL in lines of up to 998 octets stays 7bit. Any
 * other text becomes quoted-printable or base64, whichever is smaller. Lone surrogates become U+FFFD.
 * @param workspace the body may be a view of it
 */
export function encodeText(text: string, workspace: Buffer): EncodedText {
  if (!NOT_SEVEN_BIT.test(text)) {
    const body = toCrlf(text)
    if (linesFit(body)) return { encoding: '7bit', body }
  }
  return encodeShortText(text, workspace) ?? encodeAnyText(toCrlf(text))
}

/**
 * Returns null unless the text is short and smaller as quoted-printable. Most texts are; they need no copy with CRLF.
 */
function encodeShortText(text: string, workspace: Buffer): EncodedText | null {
  const bytesMax = text.length * UTF8_OCTETS_MAX
  if (base64Length(bytesMax) > SCRATCH_OCTETS) return null
  const bytes = scratch(0, bytesMax)
  const length = bytes.write(text)
  // Base64 would carry CRLF line ends and be no shorter than this.
  const octetsMax = base64Length(length)
  const octets = workspaceOctets(octetsMax)
  const into = octets <= workspace.length ? workspace : Buffer.allocUnsafeSlow(octets)
  const body = encodeQuotedPrintable(bytes.subarray(0, length), octetsMax, into)
  return body === null ? null : { encoding: 'quoted-printable', body }
}

/** Encodes text with CRLF line ends. */
function encodeAnyText(text: string): EncodedText {
  const bytes = scratch(0, text.length * UTF8_OCTETS_MAX)
  return encodeOctets(bytes.subarray(0, bytes.write(text)))
}

/** Encodes octets, whose line ends must be CRLF, as quoted-printable or base64, whichever is smaller. */
export function encodeOctets(content: Buffer): { encoding: 'quoted-printable' | 'base64'; body: Buffer } {
  const octetsMax = base64Length(content.length)
  // Check first whether the result can fit: a failed encoding would waste the time and memory of the whole text.
  const fits = quotedPrintableMin(content) <= octetsMax
  const qp = fits ? encodeInScratch(content, octetsMax) : null
  if (qp === null) return { encoding: 'base64', body: encodeBase64(content) }
  return { encoding: 'quoted-printable', body: octetsMax > SCRATCH_OCTETS ? qp : Buffer.from(qp) }
}
