const CR = 13
const LF = 10
const CRLF = Buffer.from('\r\n')
/** RFC 5322 section 2.1.1, RFC 5321 section 4.5.3.1.6: octets of a line without its CRLF. */
export const LINE_OCTETS_MAX = 998

/**
 * Returns the same octets with CRLF as the only line end, and the last line ended: a bare CR or LF allows smuggling a
 * second message (RFC 5321 section 2.3.8). Returns its argument if nothing has to change.
 */
export function toCrlfLines(bytes: Buffer): Buffer {
  const missing = countMissing(bytes)
  if (missing === 0) return bytes
  const normalized = Buffer.allocUnsafe(bytes.length + missing)
  let to = 0
  let previous = LF
  // Copies octet by octet: lines may be empty, and one `copy` for each of 36 million lines takes seconds.
  for (let at = 0; at < bytes.length; at++) {
    const octet = bytes[at] as number
    if (octet === LF ? previous !== CR : previous === CR) normalized[to++] = octet === LF ? CR : LF
    normalized[to++] = octet
    previous = octet
  }
  if (previous === CR) normalized[to] = LF
  else if (to < normalized.length) CRLF.copy(normalized, to)
  return normalized
}

/**
 * Returns octets as Latin-1 with LF in place of each CRLF. Takes a seventh of the time of `replaceAll` for short lines.
 */
export function toLfText(octets: Buffer): string {
  const kept = Buffer.allocUnsafe(octets.length)
  let to = 0
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at] as number
    if (octet !== CR || octets[at + 1] !== LF) kept[to++] = octet
  }
  return kept.toString('latin1', 0, to)
}

/** Returns the number of octets to add: one for each bare CR or LF, two for an unterminated last line. */
function countMissing(bytes: Buffer): number {
  let missing = 0
  let previous = LF
  for (let at = 0; at < bytes.length; at++) {
    const octet = bytes[at] as number
    if (octet === LF ? previous !== CR : previous === CR) missing++
    previous = octet
  }
  // A CR at the very end lacks only its LF; `previous` is LF for an empty text.
  if (previous === CR) return missing + 1
  return previous === LF ? missing : missing + CRLF.length
}

/**
 * Returns the offset of the first line over the length limit, or -1. Line ends must be CRLF. Advances by the limit: the
 * largest message takes 40,000 steps.
 */
export function findLongLine(bytes: Buffer, start = 0, end = bytes.length): number {
  let line = start
  while (end - line > LINE_OCTETS_MAX) {
    const lineEnd = bytes.lastIndexOf(CRLF, Math.min(line + LINE_OCTETS_MAX, end - CRLF.length))
    if (lineEnd < line) return line
    line = lineEnd + CRLF.length
  }
  return -1
}

/** Returns the number, from 1, of the line that begins at an offset. */
export function lineNumberAt(bytes: Buffer, offset: number): number {
  let number = 1
  for (let at = bytes.indexOf(LF); at >= 0 && at < offset; at = bytes.indexOf(LF, at + 1)) number++
  return number
}
