import { decodeWords } from 'postal-mime'

const REPLACEMENT = '\ufffd'

/**
 * Decodes the encoded words of a value (RFC 2047). A character that is split over two words, which section 5 forbids and
 * some mailers do, is shown whole.
 */
export function readWords(value: string): string {
  const text = decodeWords(mergeBase64Words(value))
  if (!text.includes(REPLACEMENT)) return text
  const apart = decodeWords(keepApart(value))
  if (!apart.includes(REPLACEMENT)) return apart
  const joined = decodeJoinedWords(value)
  return joined.includes(REPLACEMENT) ? apart : joined
}

/** The words of `decodeWords`. */
const WIDE_WORD = /=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi
const SPACES = /^[ \t\r\n]*$/

/**
 * Writes adjacent words in base64 as one, where `decodeWords` would join them: its own way takes quadratic time. Words in
 * quoted-printable take it linear time.
 */
export function mergeBase64Words(value: string): string {
  const pieces: string[] = []
  let from = 0
  let end = 0
  /** The beginning of the word before, if its octets may go on. */
  let open = ''
  for (const { 0: word, 1: charset, 2: encoding = '', 3: content = '', index } of value.matchAll(WIDE_WORD)) {
    const head = `=?${charset}?${encoding.toLowerCase()}?`
    if (head === open && SPACES.test(value.slice(end, index))) {
      pieces.push(value.slice(from, end - '?='.length))
      from = index + head.length
    }
    open = head.endsWith('?b?') && content.length % 4 === 0 && !content.endsWith('=') ? head : ''
    end = index + word.length
  }
  return pieces.join('') + value.slice(from)
}

/** Keeps `decodeWords` from joining words, by different languages (RFC 2231 section 5), which it ignores. */
function keepApart(value: string): string {
  let count = 0
  return value.replaceAll(
    WIDE_WORD,
    (_, charset: string, encoding: string, content: string) =>
      `=?${charset}*${count++ % 2}?${encoding}?${content}?=`,
  )
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
