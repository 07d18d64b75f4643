import { hexValue } from './transfer-decoding.ts'

const CR = 13
const LF = 10
const EQUALS = 0x3d
const HEX = Buffer.from('0123456789ABCDEF')
/** Leaves room for the `=` of a soft line break within 76 characters (RFC 2045 section 6.7 (5)). */
const LINE_CHARS = 75

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
    if (column + width > LINE_CHARS) {
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
  return octets + SOFT_BREAK.length * (1 + Math.ceil(octets / (LINE_CHARS - 2)))
}

/** Returns whether an escape (`=` and two hexadecimal digits) starts here. A soft line break must not split it. */
function isEscape(encoded: Buffer, at: number): boolean {
  return encoded[at] === EQUALS && hexValue(encoded[at + 1]) >= 0 && hexValue(encoded[at + 2]) >= 0
}
