/** RFC 2045 section 6.8: base64 in lines of 76 characters, 57 octets each. */
const LINE_CHARS = 76
const CR = 13
const LF = 10
/** A whole number of lines, whose base64 is a string of less than 80 KB. */
const SLICE_OCTETS = 57 * 1024

/** Encodes octets as base64 in lines separated by CRLF. Uses the memory of the result and of one slice. */
export function encodeBase64(content: Buffer): Buffer {
  const flatLength = Math.ceil(content.length / 3) * 4
  const breaks = Math.max(0, Math.ceil(flatLength / LINE_CHARS) - 1)
  const lines = Buffer.allocUnsafe(flatLength + 2 * breaks)
  let to = 0
  for (let start = 0; start < content.length; start += SLICE_OCTETS) {
    const flat = Buffer.from(content.toString('base64', start, start + SLICE_OCTETS), 'latin1')
    for (let from = 0; from < flat.length; from += LINE_CHARS) {
      if (to > 0) {
        lines[to++] = CR
        lines[to++] = LF
      }
      to += flat.copy(lines, to, from, from + LINE_CHARS)
    }
  }
  return lines
}

/** Returns the length of the output of `encodeBase64` for this many octets, line ends included. */
export function base64Length(octets: number): number {
  const flat = Math.ceil(octets / 3) * 4
  return flat + 2 * Math.floor(flat / LINE_CHARS)
}
