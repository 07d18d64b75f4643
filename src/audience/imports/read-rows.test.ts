import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CsvRow, ROW_BYTES_MAX, type RowBatch, readRows, UnreadableFile } from './read-rows.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const START = { position: 0, line: 1 }

async function read(text: string | Buffer, size = 7, delimiter = ','): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const batch of readRows(inChunks(Buffer.from(text), size), START, delimiter)) {
    rows.push(...batch.rows)
  }
  return rows
}

const FAULT = expect.any(String)

test.each([
  [
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\r\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\rb\r\nc\nd', [['a'], ['b'], ['c'], ['d']]],
  ['"a,""b""","c\nd"\n', [['a,"b"', 'c\nd']]],
  ['a,,\n,\n""\n', [['a', '', ''], ['', ''], ['']]],
  ['ä,😀\n', [['ä', '😀']]],
  ['', []],
  ['\n\r\n\n', []],
])('rows of %j, however the bytes are cut', async (text, cells) => {
  for (const size of [1, 2, 3, 1_000]) {
    expect((await read(text, size)).map((row) => ('cells' in row ? row.cells : row.fault))).toEqual(cells)
  }
})

test('lines are counted as in an editor: empty ones, those inside cells, all three line ends', async () => {
  const text = 'a\n\n"b\r\nb\nb"\r\n\r\nc\rd\n\n\ne'
  for (const size of [1, 2, 5, 1_000]) {
    expect((await read(text, size)).map((row) => row.line)).toEqual([1, 3, 7, 8, 11])
  }
})

test('a fault for each line with invalid quotes, and all other rows', async () => {
  const text = 'a,1\nb"c,2\n"d"e,3\n\nf,4\r\n"g,5\nh,6\n'
  for (const size of [1, 3, 1_000]) {
    expect(await read(text, size)).toEqual([
      { line: 1, cells: ['a', '1'] },
      { line: 2, fault: expect.stringContaining('doubled') },
      { line: 3, fault: expect.stringContaining('closing quote') },
      { line: 5, cells: ['f', '4'] },
      { line: 6, fault: 'A quote is opened and not closed.' },
      { line: 7, cells: ['h', '6'] },
    ])
  }
})

test.each(['x', ',', '""'])(
  'a fault for 10 MB of %s in a row, quoted or not, closed or not',
  async (unit) => {
    const big = unit.repeat(10_000_000 / unit.length)
    const expected = [
      { line: 1, cells: ['a'] },
      { line: 2, fault: expect.stringContaining(`${ROW_BYTES_MAX}`) },
    ]
    for (const text of [`a\n${big}`, `a\n"${big}`, `a\n${big}\r`]) {
      expect(await read(text, 32_768)).toEqual(expected)
    }
    for (const text of [`a\n${big}\nb`, `a\n"${big}"\nb`, `a\n${big}\r\nb`]) {
      expect(await read(text, 32_768)).toEqual([...expected, { line: 3, cells: ['b'] }])
    }
  },
)

test('empty lines are passed with each chunk, as long as there are some', async () => {
  const text = `a${'\n\r\n\r'.repeat(2_500)}\nb`
  const batches: RowBatch[] = []
  for await (const batch of readRows(inChunks(Buffer.from(text), 1_001), START, ',')) batches.push(batch)
  const left = batches.map(({ position }, no) => Math.min(1_001 * (no + 1), text.length) - position)
  expect(Math.max(...left)).toBe(1)
  expect(batches.at(-1)?.rows).toEqual([{ line: text.split(/\r\n|\r|\n/).length, cells: ['b'] }])
})

test('an error with the line number after more than a thousand invalid lines', async () => {
  const text = `a\n${'"x"y\n'.repeat(1_001)}`
  await expect(read(text, 1_000)).rejects.toThrow(UnreadableFile)
  await expect(read(text, 1_000)).rejects.toThrow('the last is line 1002.')
})

test('every reported position is a valid start for the rest of the rows', async () => {
  const text = 'a,b\r\n"c\nc",d\n\n"e"x,f\ng,"h""h"\n'
  const bytes = Buffer.from(text)
  const all = await read(text, 4)
  let count = 0
  for await (const { rows, position, line } of readRows(inChunks(bytes, 4), START, ',')) {
    count += rows.length
    const rest: CsvRow[] = []
    const place = { position, line }
    for await (const batch of readRows(inChunks(bytes.subarray(position), 3), place, ','))
      rest.push(...batch.rows)
    expect(rest).toEqual(all.slice(count))
  }
  expect(count).toBe(all.length)
})

test('the same rows as csv-parse in one piece, for any cells, quoting, delimiter and chunk size', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'ß', '😀', ',', ';', '\t', '"', '\n', '\r', "'", ' ', '='),
  })
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 40 }),
      async (given, delimiter, end, size) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = given.map((row) => row.map(quoted).join(delimiter) + end).join('')
        const expected = parse(text, { delimiter, relax_column_count: true })
        const found = await read(text, size, delimiter)
        expect(found.map((row) => ('cells' in row ? row.cells : FAULT))).toEqual(expected)
        expect(expected).toEqual(given)
      },
    ),
    { numRuns: 200 },
  )
})
