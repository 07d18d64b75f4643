import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { parseJson } from './json.ts'
import { JsonReader } from './json-reader.ts'

/** Faults under I-JSON that JSON.parse accepts. */
const OWN_FAULTS = /twice\.$|__proto__|too large|values\.$|levels\.$/

function readBoth(text: string) {
  let expected: { value: unknown } | null = null
  try {
    expected = { value: JSON.parse(text) }
  } catch {
    // Malformed.
  }
  try {
    return { expected, found: { value: parseJson(Buffer.from(text)) }, message: '' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { expected, found: null, message: error.message }
  }
}

/** Arbitrary JSON text with white space, various escapes, and all forms of numbers. */
const gap = fc.constantFrom('', '', '', ' ', '\n', '\t\r ')
const number = fc.constantFrom(
  '0',
  '-0',
  '7',
  '-12',
  '1.50',
  '2e3',
  '1E-7',
  '123456789012345678',
  '0.1e+2',
  '1e308',
)
const text = fc.string({ unit: 'binary', maxLength: 90 }).map((value) => JSON.stringify(value))
const escaped = fc.string({ maxLength: 12 }).map((value) => {
  const units = Array.from({ length: value.length }, (_, at) =>
    value.charCodeAt(at).toString(16).padStart(4, '0'),
  )
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`
})
const { json } = fc.letrec<{ json: string; list: string; map: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    number,
    text,
    escaped,
    fc.constantFrom('true', 'false', 'null'),
    tie('list'),
    tie('map'),
  ),
  list: fc
    .tuple(gap, fc.array(tie('json'), { maxLength: 4 }))
    .map(([space, items]) => `[${space}${items.join(`,${space}`)}]`),
  map: fc
    .tuple(gap, fc.array(fc.tuple(fc.oneof(text, escaped), tie('json')), { maxLength: 4 }))
    .map(
      ([space, fields]) =>
        `{${space}${fields.map(([name, value]) => `${name}${space}:${value}`).join(',')}${space}}`,
    ),
}))

/**
 * V8 13.6 takes an escaped name of one character for the name `\` if an object with the same names before it had that one
 * (docs/adr/0049-own-json-reader.md). So it never sees that name.
 */
const BACKSLASH_NAME = /"\\(?:\\|u005c)"\s*:/i

/** The same with one piece removed, doubled or replaced. */
const mutated = fc
  .tuple(
    json,
    fc.nat(),
    fc.nat(4),
    fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', 'e', '1', '-', '\u0000', 'é'),
  )
  .map(([whole, place, length, piece]) => {
    const at = place % (whole.length + 1)
    return whole.slice(0, at) + piece + whole.slice(at + length)
  })
  .filter((value) => value !== '' && value.isWellFormed())

describe('agrees with JSON.parse', () => {
  test.each([
    ['whole texts', json],
    ['broken texts', mutated],
  ])('%s have the same validity and value', (_what, texts) => {
    fc.assert(
      fc.property(texts, (value) => {
        fc.pre(!BACKSLASH_NAME.test(value))
        const { expected, found, message } = readBoth(value)
        if (expected === null) expect(found).toBeNull()
        else if (found === null) expect(message).toMatch(OWN_FAULTS)
        else expect(found).toStrictEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Counts the octets that the reader reads, searches or copies, including repetitions. */
function countSteps(text: string): number {
  const bytes = Buffer.from(text)
  let steps = 0
  const counted = new Proxy(bytes, {
    get(_target, name) {
      if (name === 'length') return bytes.length
      if (name === 'toString') return slice
      if (name === 'indexOf') return search
      steps++
      return bytes[Number(name)]
    },
  })
  const slice = (encoding: BufferEncoding, from: number, to: number) => {
    steps += to - from
    return bytes.toString(encoding, from, to)
  }
  const search = (octet: number, from: number) => {
    const found = bytes.indexOf(octet, from)
    steps += (found === -1 ? bytes.length : found + 1) - from
    return found
  }
  try {
    new JsonReader(counted, 0, { hasBuffers: true, isList: true }).readDocument()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  return steps
}

/**
 * Bodies that once blocked a process for seconds or could block a careless parser, by the repetitions of their piece.
 */
const HOSTILE: [string, (count: number) => string][] = [
  ['e1 without end', (count) => `[${'e1'.repeat(count)}]`],
  ['1e1 without end', (count) => `[${'1e1'.repeat(count)}]`],
  ['numbers', (count) => `[${'1e9,'.repeat(count)}1]`],
  ['zeros', (count) => `[${'0,'.repeat(count)}0]`],
  ['digits', (count) => `[${'1'.repeat(count)}]`],
  ['signs', (count) => `[${'-'.repeat(count)}]`],
  ['points', (count) => `[1${'.1'.repeat(count)}]`],
  ['white space', (count) => `[${' \n'.repeat(count)}]`],
  ['backslashes', (count) => `"${'\\\\'.repeat(count)}"`],
  ['quotes', (count) => `"${'\\"'.repeat(count)}"`],
  ['long strings', (count) => `[${`"${'a'.repeat(80)}",`.repeat(count / 2)}1]`],
  ['an open string', (count) => `["${'a'.repeat(count)}`],
  ['escapes', (count) => `"${'\\u0000'.repeat(count)}"`],
  ['brackets', (count) => '['.repeat(count)],
  ['empty objects', (count) => `[${'{},'.repeat(count)}1]`],
  ['names', (count) => `{${Array.from({ length: count }, (_, index) => `"n${index}":1`).join()}}`],
  [
    'numbered names',
    (count) => `{${Array.from({ length: count }, (_, index) => `"${index * 7}":1`).join()}}`,
  ],
  ['octets', (count) => `{"data":[${'255,'.repeat(count)}0]}`],
  ['almost octets', (count) => `{"data":[${'255,'.repeat(count)}256]}`],
  ['almost octets, nested', (count) => `${`{"data":[${'1,'.repeat(count / 10)}`.repeat(10)}x`],
  ['empty lists of octets', (count) => `[${'{"data":[]},'.repeat(count)}1]`],
]

test.each(HOSTILE)('linear steps in the length of the body: %s', (_what, body) => {
  const [single, double] = [4_000, 8_000].map((count) => countSteps(body(count))) as [number, number]
  expect(double / single).toBeLessThan(2.1)
})
