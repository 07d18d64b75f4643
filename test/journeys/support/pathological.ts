import { seedRandom, shuffle } from '../../support/random.ts'
import { isFull, seedOfToday } from '../../support/thorough.ts'

/** Chooses what the journeys that measure a server try today. */
export const SEED = seedOfToday()

/** Whether to try every kind everywhere, which takes hours. */
export const isEverything = process.env.HOLD_FULL !== undefined

/**
 * Returns `today` of these, or `full` with SENDWRIGHT_FULL=1. The choice depends only on the seed. Each day continues where the
 * day before ended, in an order that never changes, so all have their turn.
 */
export function sampleOf<T>(all: readonly T[], today: number, full: number): T[] {
  if (isEverything) return [...all]
  const count = Math.min(isFull ? full : today, all.length)
  const order = shuffle(all, ORDER)
  return Array.from({ length: count }, (_, at) => order[(SEED * count + at) % order.length] as T)
}

const ORDER = 1

/** Texts that are most expensive to search, each repeated until it has its size. */
const UNITS: readonly string[] = [
  'a',
  ' ',
  '\n',
  '\r\n',
  '\t',
  'é',
  '😀',
  '\\',
  '"',
  "'",
  '<',
  '>',
  '&',
  '&amp;',
  '&#x41;',
  '<b><i>',
  '</b>',
  '<style>',
  '<script>',
  '<!--',
  '<![CDATA[',
  '<a href="http://a.test/">',
  '<img src=x ',
  ' x=1',
  '<p a="b" c=\'d\' e=f>',
  '<table><tr><td>',
  '<li><ul>',
  '<blockquote>',
  'http://a.test/ ',
  'www.',
  '{{',
  '{{{',
  '}}',
  '{{A}}',
  '{{#if A}}',
  ',',
  ';',
  '(',
  ')',
  '()',
  '-',
  '.',
  '..a',
  '@',
  'a@b.test,',
  '<a@b.test>, ',
  '"a" <b@c.test>, ',
  'a.',
  'xn--',
  '=?utf-8?q?a?= ',
  '=?utf-8?b?',
  '=20',
  '=\r\n',
  'QUJD',
  '%41',
  '+',
  ':',
  '/',
  '--b1\r\n',
  'A: b\r\n',
  'A:\r\n ',
  '0',
  'e1',
  '1e9,',
  '\u202e',
  '\u0301',
  '\ud800',
  '\0',
]

/** Pieces that the generator joins into new units. */
const PIECES = [
  ...'<>"\'=&;:,.()[]{}@-_/\\?!#% \t\n',
  '\r\n',
  'a',
  '0',
  'é',
  '</',
  '/>',
  '=?',
  '?=',
  '--',
  '{{',
  '}}',
  '<!',
  '&#',
]

export const MIB = 1024 * 1024

/**
 * Creates units: those of the list, a sample of them, and generated ones. The result depends only on the seed. Samples take
 * the units of the list in turn, so that many samples contain each of them.
 */
export function createUnits(seed: number) {
  const random = seedRandom(seed)
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const order = shuffle(UNITS, seed)
  let taken = 0
  const next = () => order[taken++ % order.length] as string
  const generate = () => Array.from({ length: 2 + Math.floor(random() * 5) }, () => pick(PIECES)).join('')
  return {
    all: UNITS,
    pickSome: <T>(all: readonly T[], count: number): T[] => Array.from({ length: count }, () => pick(all)),
    some: (count: number): string[] =>
      Array.from({ length: count }, (_, index) => (index % 3 === 2 ? generate() : next())),
  }
}

/** Repeats the unit as often as its UTF-8 fits into this many bytes. */
export function fill(unit: string, bytes: number): string {
  return unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))))
}

/** Fills a JSON string, inside its quotes, where escapes count. */
function fillQuoted(unit: string, bytes: number): string {
  return fill(JSON.stringify(unit).slice(1, -1), bytes)
}

const MARK = '\u0001mark'

/** Returns a body of this size: `example`, in which `MARK_VALUE` is replaced by the text. */
export function jsonWith(example: unknown, unit: string, bytes: number): Buffer {
  const [head = '', tail = ''] = JSON.stringify(example).split(JSON.stringify(MARK).slice(1, -1), 2)
  const room = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return Buffer.from(head + fillQuoted(unit, room) + tail)
}
export const MARK_VALUE = MARK

/** Returns the bodies that are most expensive to parse as JSON, by name. `bytes` is the size of each. */
export function jsonShapes(bytes: number): Record<string, () => Buffer> {
  const around = (open: string, unit: string, close: string) => () => {
    const room = bytes - Buffer.byteLength(open) - Buffer.byteLength(close) - 16
    return Buffer.from(open + fill(unit, room) + close)
  }
  return {
    'exponents in a row': around('[', 'e1', ']'),
    'numbers with exponents': around('[0', ',1e9', ']'),
    'numbers with fractions': around('[0', ',1.5', ']'),
    zeros: around('[0', ',0', ']'),
    'zeros in an object': around('{"to":[0', ',0', ']}'),
    'one long number': around('{"to":', '9', '}'),
    'one long fraction': around('{"to":0.', '1', 'e5}'),
    minuses: around('[', '-', ']'),
    'minuses and exponents': around('[', '-1e-', ']'),
    trues: around('[true', ',true', ']'),
    nulls: around('[null', ',null', ']'),
    'empty strings': around('[""', ',""', ']'),
    'empty arrays': around('[[]', ',[]', ']'),
    'empty objects': around('{"to":[{}', ',{}', ']}'),
    'small objects': around('[{"a":1}', ',{"a":1}', ']'),
    spaces: around('', ' ', ''),
    'lines before a value': around('', '\n', '{}'),
    'spaces in an object': around('{', ' ', '}'),
    'spaces before a colon': around('{"a"', ' ', ':1}'),
    brackets: around('', '[', ''),
    'closing brackets': around('', ']', ''),
    'nested objects': around('', '{"a":', ''),
    'one name again and again': around('{"a":1', ',"a":1', '}'),
    'many names': () => Buffer.from(`{${manyNames(bytes - 16)}"z":1}`),
    'escaped names': around('{"a":1', ',"\\u0061":1', '}'),
    escapes: around('{"to":"', '\\u0041', '"}'),
    backslashes: around('{"to":"', '\\\\', '"}'),
    'backslashes without an end': around('{"to":"', '\\', ''),
    quotes: around('', '"', ''),
    'multi-byte text': around('{"to":"', 'é', '"}'),
    'text of four bytes': around('{"to":"', '😀', '"}'),
    commas: around('[', ',', ']'),
    colons: around('{', ':', '}'),
    'no UTF-8': () => Buffer.alloc(bytes, 0xff),
    zeroes: () => Buffer.alloc(bytes),
  }
}

function manyNames(bytes: number): string {
  const names: string[] = []
  for (let left = bytes, at = 0; left > 0; at++) {
    const name = `"${at.toString(36)}":1,`
    left -= name.length
    if (left > 0) names.push(name)
  }
  return names.join('')
}
