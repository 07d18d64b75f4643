import { setImmediate as nextTurn } from 'node:timers/promises'
import { sliceEnd } from './text-slices.ts'

/** Octets that JSON shows as one long string. The writer converts them slice by slice, never as one string. */
export class OctetsText {
  readonly octets: Buffer
  readonly form: 'latin1' | 'base64'

  constructor(octets: Buffer, form: 'latin1' | 'base64') {
    this.octets = octets
    this.form = form
  }
}

/** Divisible by three, so that only the last slice has base64 padding. */
const SLICE_OCTETS = 192 * 1024
const SLICE_CHARS = 256 * 1024
const PIECE_CHARS = 4 * 1024 * 1024
/** Written in one turn of the event loop, in about ten milliseconds even if every character needs an escape. */
const TURN_CHARS = SLICE_CHARS

/**
 * Returns the UTF-8 octets of `JSON.stringify(value)` in pieces of a few megabytes. Accepts plain data and `OctetsText`.
 * Writes long strings slice by slice, because JSON.stringify needs ten times the memory of tens of megabytes of line ends.
 */
export function toJsonPieces(value: unknown): Buffer[] {
  return [...joinTexts(textsOf(value), PIECE_CHARS)]
}

/** Returns the same octets, in smaller pieces. The event loop serves others between two of them. */
export async function toJsonPiecesInTurns(value: unknown): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for (const piece of joinTexts(textsOf(value), TURN_CHARS)) {
    pieces.push(piece)
    await nextTurn()
  }
  return pieces
}

/** Returns whether a string of the object, or of an object in it, is too long to write in one turn of the event loop. */
export function hasLongText(value: unknown): boolean {
  const isLong = (one: unknown) => typeof one === 'string' && one.length > SLICE_CHARS
  const valuesOf = (one: unknown) => (isObject(one) ? Object.values(one) : [one])
  return valuesOf(value).some((one) => valuesOf(one).some(isLong))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function* joinTexts(texts: Iterable<string>, charsMin: number): Generator<Buffer> {
  let joined: string[] = []
  let chars = 0
  for (const text of texts) {
    joined.push(text)
    chars += text.length
    if (chars < charsMin) continue
    yield Buffer.from(joined.join(''))
    joined = []
    chars = 0
  }
  if (chars > 0) yield Buffer.from(joined.join(''))
}

function* textsOf(value: unknown): Generator<string> {
  if (value instanceof OctetsText) yield* textsOfOctets(value)
  else if (typeof value === 'string' && value.length > SLICE_CHARS) yield* textsOfLong(value)
  else if (Array.isArray(value)) yield* textsOfArray(value)
  else if (typeof value === 'object' && value !== null) yield* textsOfObject(value)
  else yield JSON.stringify(value) ?? 'null'
}

function* textsOfArray(values: readonly unknown[]): Generator<string> {
  for (const [index, value] of values.entries()) {
    yield index === 0 ? '[' : ','
    yield* textsOf(value)
  }
  yield values.length === 0 ? '[]' : ']'
}

function* textsOfObject(object: object): Generator<string> {
  const plain = 'toJSON' in object && typeof object.toJSON === 'function' ? object.toJSON() : object
  if (!isObject(plain)) return yield* textsOf(plain)
  let open = '{'
  for (const [name, value] of Object.entries(plain)) {
    if (value === undefined) continue
    yield `${open}${JSON.stringify(name)}:`
    yield* textsOf(value)
    open = ','
  }
  yield open === '{' ? '{}' : '}'
}

function* textsOfLong(text: string): Generator<string> {
  yield '"'
  for (let start = 0; start < text.length; ) {
    const end = sliceEnd(text, start, SLICE_CHARS)
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
  yield '"'
}

function* textsOfOctets({ octets, form }: OctetsText): Generator<string> {
  yield '"'
  for (let start = 0; start < octets.length; start += SLICE_OCTETS) {
    const slice = octets.toString(form, start, start + SLICE_OCTETS)
    yield form === 'base64' ? slice : JSON.stringify(slice).slice(1, -1)
  }
  yield '"'
}
