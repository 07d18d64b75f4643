import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neutralizeFormulas, restoreFormulas, writeCsvLine } from './csv.ts'

/** Programs may strip tabs and line breaks before a formula. */
const FORMULA = /^[\t\r\n]*[=+\-@＝＋－＠]/

const unit = fc.constantFrom(
  ...`'";,=+-@\t\r\n\v\f\u0085\u2028\u2029＝－a1 |\\ä`,
  '😀',
  '\r\n',
  ';"=',
  "\n'+",
  '""',
)
const texts = fc.string({ unit, maxLength: 12 })
/** The first cell of an export is an address, the last one a time, and a row has texts between them. */
const rows = fc.array(
  fc.tuple(fc.string({ unit, minLength: 1, maxLength: 6 }), fc.array(texts, { minLength: 3, maxLength: 3 })),
  { minLength: 1, maxLength: 5 },
)
const NOW = new Date('2026-01-15T09:30:00Z')
const fileOf = (given: readonly (readonly [string, readonly string[]])[]) =>
  [['email', 'a', 'b', 'c', 'created_at'], ...given.map(([first, rest]) => [first, ...rest, NOW])]
    .map(writeCsvLine)
    .join('')

/**
 * Returns the cells as a spreadsheet finds them, which rejects nothing: a quote at the start of a cell opens a quoted part,
 * and what follows its end is added; any other quote is a character. A row ends in CR LF, CR or LF.
 */
function cellsOf(file: string, separator: string): string[] {
  const cell = new RegExp(
    `^(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\\r\\n]*)(?:${separator}|\\r\\n|[\\r\\n]|$)`,
  )
  const cells: string[] = []
  for (let rest = file; rest !== ''; ) {
    const [whole = rest, quoted = '', plain = ''] = cell.exec(rest) ?? []
    cells.push(quoted.replaceAll('""', '"') + plain)
    rest = rest.slice(whole.length)
  }
  return cells
}

// Failures print the seed with which they can be repeated.
const RUNS = { numRuns: 5_000 }

test.each([[','], [';'], ['\t']])(
  'no cell is a formula to a spreadsheet that separates by %j',
  (separator) => {
    fc.assert(
      fc.property(rows, (given) => {
        expect(cellsOf(fileOf(given), separator).filter((cell) => FORMULA.test(cell))).toEqual([])
      }),
      RUNS,
    )
  },
)

test.each([
  [';', 'a;=1+1'],
  [';', ';=1+1'],
  [';', 'a;"=1+1;b'],
  [';', 'a\r=1+1'],
  [';', 'a\n"=1+1;b'],
  [',', 'a\r=1+1'],
  [',', '=1+1'],
  ['\t', 'a\t@SUM(A1)'],
])('a spreadsheet that separates by %j would run %j without the apostrophe', (separator, text) => {
  const plain = `x@y.test,${/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text},1\r\n`
  const hasFormula = (file: string) => cellsOf(file, separator).some((cell) => FORMULA.test(cell))
  expect([hasFormula(plain), hasFormula(fileOf([['x@y.test', [text, '', '']]]))]).toEqual([true, false])
})

test('every parser reads the rows of a file, with the texts that an import restores', () => {
  fc.assert(
    fc.property(rows, (given) => {
      for (const record_delimiter of ['\r\n', ['\r\n', '\n', '\r']]) {
        const [, ...read] = parse(fileOf(given), { record_delimiter }) as string[][]
        const expected = given.map(([first, rest]) => [first, ...rest, NOW.toISOString()])
        expect(read.map((cells) => cells.map(restoreFormulas))).toEqual(expected)
      }
    }),
    RUNS,
  )
})

test('any text is restored from its neutral form', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(restoreFormulas(neutralizeFormulas(text))).toBe(text)
    }),
    RUNS,
  )
})

test('a text that begins with a tab or a line break is marked too', () => {
  for (const text of ['\tx', '\r\nx', '\n', "'\rx"]) expect(neutralizeFormulas(text)).toBe(`'${text}`)
})

test('ordinary text stays as it is', () => {
  for (const text of [
    "O'Neil",
    'a-b; c',
    'one\r\ntwo\n\nthree',
    '"quoted"',
    'a=b',
    'https://x.test/?a=b;c=d',
  ]) {
    expect(neutralizeFormulas(text)).toBe(text)
  }
  expect(writeCsvLine(['a', 'b, c', 'say "hi"', 'two\nlines', 'a;b', 5, -2, true, null, NOW])).toBe(
    `a,"b, c","say ""hi""","two\nlines","a;b",5,-2,true,,${NOW.toISOString()}\r\n`,
  )
})

test('quotes and separators take time in proportion to their number', () => {
  for (const part of ['"', "'", ';"', ';', '\n=', "'="]) {
    const text = part.repeat(200_000)
    const before = process.cpuUsage()
    expect(restoreFormulas(neutralizeFormulas(text))).toBe(text)
    const { user } = process.cpuUsage(before)
    // If each place searched the rest of the text, this would take minutes.
    expect(user / 1_000, part).toBeLessThan(2_000)
  }
})
