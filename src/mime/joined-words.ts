import { decodeWords } from 'postal-mime'

const REPLACEMENT = '\ufffd'

/**
 * Decodes the encoded words of a value (RFC 2047). A character that is split over two words, which section 5 forbids and
 * some mailers do, is shown whole.
 */
export function readWords(value: string): string {
  const text = decodeWords(value)
  if (!text.includes(REPLACEMENT)) return text
  const joined = decodeJoinedWords(value)
  return joined.includes(REPLACEMENT) ? text : joined
}

/** RFC 2047 section 2, with the language of RFC 2231 section 5. */
const WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi
const HEX = /=([0-9a-f]{2})/gi

/** Adjacent words of one charset. */
interface Run {
  charset: string
  octets: Buffer[]
}

/**
 * Decodes encoded words as some mail programs do: they join the octets of adjacent words before they decode them. A
 * character must not be split over two words (RFC 2047 section 5), but these programs still show it.
 */
export function decodeJoinedWords(value: string): string {
  const shown: string[] = []
  let run: Run = { charset: '', octets: [] }
  let end = 0
  for (const { 0: word, 1: charset = '', 2: encoding = '', 3: content = '', index } of value.matchAll(WORD)) {
    const between = value.slice(end, index)
    // White space between two words is ignored (RFC 2047 section 6.2).
    const isAdjacent = end > 0 && between.trim() === ''
    if (!isAdjacent || run.charset !== charset.toLowerCase()) {
      shown.push(decode(run), isAdjacent ? '' : between)
      run = { charset: charset.toLowerCase(), octets: [] }
    }
    run.octets.push(octetsOf(encoding, content))
    end = index + word.length
  }
  return [...shown, decode(run), value.slice(end)].join('')
}

/** Decodes the octets of an encoded word (RFC 2047 section 4). */
function octetsOf(encoding: string, content: string): Buffer {
  if (encoding.toLowerCase() === 'b') return Buffer.from(content, 'base64')
  const latin1 = Buffer.from(content.replaceAll('_', ' ')).toString('latin1')
  const decoded = latin1.replace(HEX, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(decoded, 'latin1')
}

function decode({ charset, octets }: Run): string {
  if (octets.length === 0) return ''
  try {
    return new TextDecoder(charset).decode(Buffer.concat(octets))
  } catch {
    // A charset that is unknown here is unknown to readers too.
    return ''
  }
}
