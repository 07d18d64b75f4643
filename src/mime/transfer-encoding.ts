/** RFC 2045 section 6.8: base64 in lines of 76 characters, 57 octets each. */
const BASE64_LINE_CHARS = 76
const LINE_OCTETS_MAX = 998
const CR = 13
const LF = 10
const HEX = Buffer.from('0123456789ABCDEF')

interface EncodedText {
  encoding: '7bit' | 'quoted-printable' | 'base64'
  /** ASCII, lines of at most 998 octets ended by CRLF, the last one without. */
  body: string
}

/** Any line end becomes CRLF: nothing else may reach the wire (RFC 5321 section 2.3.8). */
function toCrlf(text: string): string {
  const lf = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return lf.replaceAll('\n', '\r\n')
}

/** Jumps from line to line in steps as long as a line may be: a dozen steps for 10 KB. */
function linesFit(text: string): boolean {
  let start = 0
  while (text.length - start > LINE_OCTETS_MAX) {
    const end = text.lastIndexOf('\r\n', start + LINE_OCTETS_MAX)
    if (end < start) return false
    start = end + 2
  }
  return true
}

/**
 * Content octets to base64 in CRLF-ended lines, the last without CRLF. Writes base64 once and moves it into lines
 * within one buffer, so that 25 MB cost two buffers and no string of that size is cut.
 */
export function encodeBase64(content: Buffer): Buffer {
  const flat = Buffer.from(content.toString('base64'), 'latin1')
  const breaks = Math.max(0, Math.ceil(flat.length / BASE64_LINE_CHARS) - 1)
  const lines = Buffer.allocUnsafe(flat.length + 2 * breaks)
  let to = 0
  for (let from = 0; from < flat.length; from += BASE64_LINE_CHARS) {
    if (from > 0) {
      lines[to++] = CR
      lines[to++] = LF
    }
    to += flat.copy(lines, to, from, from + BASE64_LINE_CHARS)
  }
  return lines
}

/** RFC 2045 section 6.7 (1)-(3): plain are printable ASCII but `=`, and a space or tab that does not end its line. */
function isPlainQp(bytes: Buffer, at: number): boolean {
  const byte = bytes[at] as number
  if (byte !== 0x20 && byte !== 0x09) return byte > 0x20 && byte < 0x7f && byte !== 0x3d
  return at + 1 < bytes.length && bytes[at + 1] !== CR
}

/** Quoted-printable of text with CRLF line ends; null as soon as it grows longer than `octetsMax`. */
function encodeQuotedPrintable(bytes: Buffer, octetsMax: number): Buffer | null {
  const encoded = Buffer.allocUnsafe(octetsMax + 8)
  let to = 0
  let column = 0
  for (let at = 0; at < bytes.length; at++) {
    if (to > octetsMax) return null
    // toCrlf leaves no bare CR, so one is always a line end.
    if (bytes[at] === CR) {
      encoded[to++] = CR
      encoded[to++] = LF
      column = 0
      at++
      continue
    }
    const plain = isPlainQp(bytes, at)
    const width = plain ? 1 : 3
    if (column + width > BASE64_LINE_CHARS - 1) {
      encoded[to++] = 0x3d
      encoded[to++] = CR
      encoded[to++] = LF
      column = 0
    }
    const byte = bytes[at] as number
    if (plain) {
      encoded[to++] = byte
    } else {
      encoded[to++] = 0x3d
      encoded[to++] = HEX[byte >> 4] as number
      encoded[to++] = HEX[byte & 15] as number
    }
    column += width
  }
  return to > octetsMax ? null : encoded.subarray(0, to)
}

/**
 * A text body made fit for any server: as it is when it is ASCII without NUL and its lines are short enough, else
 * quoted-printable or base64, whichever is smaller. A lone surrogate becomes U+FFFD.
 */
export function encodeText(text: string): EncodedText {
  const body = toCrlf(text)
  // The octets of ASCII text are as many as its characters: the cheapest test there is.
  if (Buffer.byteLength(text) === text.length && linesFit(body) && !text.includes('\0')) {
    return { encoding: '7bit', body }
  }
  const bytes = Buffer.from(body)
  const base64Octets = Math.ceil(bytes.length / 3) * 4
  const qp = encodeQuotedPrintable(bytes, base64Octets + 2 * Math.floor(base64Octets / BASE64_LINE_CHARS))
  if (qp !== null) return { encoding: 'quoted-printable', body: qp.toString('latin1') }
  const base64 = encodeBase64(bytes)
  return { encoding: 'base64', body: base64.toString('latin1') }
}
