/** Named as in the API. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'

export interface EncodingChoice {
  encoding: Encoding
  /** `marked`: by a byte order mark, which cannot be overridden. `guessed`: the file is not UTF-8. */
  encodingBy: 'marked' | 'chosen' | 'guessed' | 'default'
}

const MARKS: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** UTF-16 is recognized by the bytes up to here. */
const SAMPLE_BYTES = 1000
/** The least share of ASCII characters, as most addresses and delimiters are, in a file that counts as UTF-16. */
const ASCII_SHARE_MIN = 1 / 8

/**
 * Decodes the beginning of a file as the server does (src/audience/imports/decode-file.ts). If it is not UTF-8 and nothing
 * was chosen, guesses another encoding, for the user to check. The text is null if it is invalid in the encoding.
 */
export function decodeHead(
  bytes: Uint8Array,
  isCut: boolean,
  encoding?: Encoding,
): EncodingChoice & { text: string | null } {
  const decode = (encoding: Encoding, encodingBy: EncodingChoice['encodingBy']) => ({
    text: tryDecode(bytes, isCut, encoding),
    encoding,
    encodingBy,
  })
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0]
  if (marked !== undefined) return decode(marked, 'marked')
  if (encoding !== undefined) return decode(encoding, 'chosen')
  const wide = guessWide(bytes)
  const guessed = wide === null ? null : decode(wide, 'guessed')
  if (guessed !== null && guessed.text !== null) return guessed
  const plain = decode('utf-8', 'default')
  // Excel on Windows uses Windows-1252 in most of Europe and America. It decodes any bytes.
  return plain.text === null ? decode('windows-1252', 'guessed') : plain
}

/** In UTF-16, one byte of each ASCII character is zero: the first in big endian, the second in little endian. */
function guessWide(bytes: Uint8Array): Encoding | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = { even: 0, odd: 0 }
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd']++
  const [more, fewer] = zeros.even > zeros.odd ? [zeros.even, zeros.odd] : [zeros.odd, zeros.even]
  // Programs and images have zeros at both places.
  if (more < (ASCII_SHARE_MIN * sample.length) / 2 || more <= 4 * fewer) return null
  return zeros.even > zeros.odd ? 'utf-16be' : 'utf-16le'
}

function tryDecode(bytes: Uint8Array, isCut: boolean, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return null
  }
}
