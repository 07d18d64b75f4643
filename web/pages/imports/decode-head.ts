import { texts } from './texts.ts'
import { UnreadableFile } from './unreadable-file.ts'

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
/**
 * Decodes the beginning of a file as the server does (src/audience/imports/decode-file.ts). If it is not UTF-8 and nothing
 * was chosen, guesses another encoding, for the user to check. Throws UnreadableFile.
 */
export function decodeHead(
  bytes: Uint8Array,
  isCut: boolean,
  chosen?: Encoding,
): EncodingChoice & { text: string } {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0]
  const encoding = marked ?? chosen ?? 'utf-8'
  const text = tryDecode(bytes, isCut, encoding)
  if (marked === undefined && chosen === undefined && (text === null || isWide(bytes))) {
    const guessed = guessEncoding(bytes)
    return { text: tryDecode(bytes, isCut, guessed) ?? '', encoding: guessed, encodingBy: 'guessed' }
  }
  if (text === null) throw new UnreadableFile(texts.csvHead.wrongEncoding)
  if (marked !== undefined) return { text, encoding, encodingBy: 'marked' }
  return { text, encoding, encodingBy: chosen === undefined ? 'default' : 'chosen' }
}

/** Returns whether the first character is ASCII in UTF-16. */
const isWide = ([first, second]: Uint8Array) => (first === 0) !== (second === 0)

/** Excel on Windows uses Windows-1252 in most of Europe and America. It decodes any bytes. */
function guessEncoding(bytes: Uint8Array): Encoding {
  if (!isWide(bytes)) return 'windows-1252'
  return bytes[0] === 0 ? 'utf-16be' : 'utf-16le'
}

function tryDecode(bytes: Uint8Array, isCut: boolean, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return null
  }
}
