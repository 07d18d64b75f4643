import { expect, test } from 'vitest'
import { formatBuilds } from './compare.ts'
import type { Counters } from './database-queries.ts'
import type { PlainRun, ProfiledRun } from './measure.ts'
import { formatCostSection } from './report.ts'
import {
  formatFunctions,
  formatNative,
  formatStatements,
  formatTables,
  formatThreads,
  formatTotals,
  shorten,
} from './tables.ts'

const COUNT = 1000

function counters(factor: number): Counters {
  const email = { name: 'email', inserted: 1000, updated: 500, hot: 400, deleted: 0, toastInserted: 0 }
  const sizes = { heapBytes: 8192, toastBytes: 0, indexBytes: 16_384 }
  const tables = [scale({ ...email, ...sizes }, factor)]
  const totals = {
    commits: 30,
    rollbacks: 0,
    walRecords: 6000,
    walBytes: 900_000,
    walImages: 2,
    walSyncs: 20,
  }
  return { tables, totals: scale({ ...totals, checkpoints: 1 }, factor), lsn: '0/0' }
}

function scale<Numbers extends object>(numbers: Numbers, factor: number): Numbers {
  const scaled = Object.entries(numbers).map(([key, value]) => [
    key,
    typeof value === 'number' ? value * factor : value,
  ])
  return Object.fromEntries(scaled) as Numbers
}

const plain = (cpuSeconds: number): PlainRun => ({
  count: COUNT,
  seconds: 2,
  cost: { cpuSeconds, peakMb: 0, stolenPercent: 0.25 },
  threads: [
    { process: 'Node', kind: 'main thread', userUs: cpuSeconds * 700_000, systemUs: cpuSeconds * 100_000 },
    { process: 'PostgreSQL', kind: 'connections', userUs: cpuSeconds * 200_000, systemUs: 0 },
  ],
  walBytes: 900_000,
})

const log = { records: 1000, bytes: 200_000, images: 0 }
const PROFILED: ProfiledRun = {
  ...plain(2.5),
  profiles: [],
  database: {
    before: counters(1),
    after: counters(3),
    statements: [
      {
        query: `insert into email\n  select * from unnest($1)`,
        calls: 10,
        rows: 1000,
        ms: 50,
        pages: 9000,
        walBytes: 400_000,
      },
      { query: 'commit', calls: 20, rows: 0, ms: 100, pages: 0, walBytes: 0 },
    ],
    relations: [
      { table: 'email', index: null, entries: 0, ...log },
      { table: 'email', index: 'email_pkey', entries: 1000, ...log },
    ],
    records: [{ kind: 'Heap/INSERT', count: 1000, bytes: 200_000 }],
  },
}

/** Returns the cells of the row that begins with `name`. */
function cellsOf(table: string, name: string): string[] {
  const row = table.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? ''
  return row
    .split(' | ')
    .map((cell) => cell.replace(/^\|/, '').replace(/\|$/, '').trim())
    .slice(1)
}

test('CPU time is given for each email: the median of the plain runs, and that of the run with the profiler', () => {
  const table = formatThreads([plain(1), plain(2), plain(4)], PROFILED)
  expect(cellsOf(table, 'Node')).toEqual(['main thread', '1,400', '200', '1,600', '2,000'])
  expect(cellsOf(table, 'all')).toEqual(['', '1,800', '200', '2,000', '2,500'])
})

test('A function that works for the same stage in two threads has a row for each', () => {
  const share = { stage: 'DKIM', name: 'postMessage', cpuUs: 3000, nativeUs: 3000 }
  const thread = { cpuUs: 3000, sampledUs: 3000, stages: [], functions: [share] }
  const threads = [
    { ...thread, thread: 'main thread' },
    { ...thread, thread: 'worker thread 1' },
  ]
  const lines = formatFunctions(threads, COUNT).split('\n').slice(2)
  expect(lines.map((line) => line.replace(/ +/g, ' '))).toEqual([
    '| 3.00 | postMessage | DKIM | main thread |',
    '| 3.00 | postMessage | DKIM | worker thread 1 |',
  ])
  expect(formatNative(threads, COUNT)).toMatch(/6\.00 \| postMessage/)
})

test('Counters of a table are those of the run alone, with the index entries and bytes of all its log records', () => {
  const cells = cellsOf(formatTables(PROFILED.database, COUNT), 'email')
  const [inserted, updated, hot, deleted, toast, entries, records, bytes] = cells
  expect([inserted, updated, hot, deleted, toast]).toEqual(['2.00', '1.00', '0.80', '0.00', '0.00'])
  expect([entries, records, bytes]).toEqual(['1.00', '2.00', '400'])
})

test('The totals of PostgreSQL are for each email, apart from the checkpoints', () => {
  const table = formatTotals(PROFILED.database, PROFILED, [plain(1)])
  expect(cellsOf(table, 'statements')).toEqual(['0.03'])
  expect(cellsOf(table, 'log (WAL) bytes')).toEqual(['1,800'])
  expect(cellsOf(table, 'the same')).toEqual(['900'])
  expect(cellsOf(table, 'index bytes')).toEqual(['32.8'])
  expect(cellsOf(table, 'checkpoints')).toEqual(['2.00'])
})

test('Statements are for each email, their calls and the time of a call as they were', () => {
  const table = formatStatements(PROFILED.database, COUNT)
  const lines = table.split('\n').map((line) => line.replace(/ +/g, ' '))
  expect(lines).toContain(
    '| 50.0 | 5.00 | 10 | 1.00 | 9.00 | 400 | `insert into email select * from unnest($1)` |',
  )
  expect(lines).toContain('| 150 | 5.00 | 30 | 1.00 | 9.00 | 400 | all |')
})

test('Statements are shortened to one line that fits a table', () => {
  expect(formatStatements(PROFILED.database, COUNT)).toContain('`insert into email select * from unnest($1)`')
  expect(shorten(`select 'a' || $1,\n${'x'.repeat(200)}`)).toMatch(/^select 'a' \\\|\\\| \$1, x+…$/)
})

test('The section has the median of the plain runs, and the largest share of stolen CPU time', () => {
  const section = formatCostSection({
    plain: [plain(1), plain(2), plain(4)],
    profiled: PROFILED,
    intervalUs: 500,
    signatures: { rsaUs: 700, ed25519Us: 40 },
  })
  expect(section).toMatch(/^At most 0\.25 % of the CPU time was stolen\./)
  expect(section).toContain('**2,000 µs of CPU for each email**')
})

test('compares builds by the ratio within each round', () => {
  const table = formatBuilds([
    { name: 'old', runs: [plain(2), plain(3), plain(4)] },
    { name: 'new', runs: [plain(1), plain(3), plain(3)] },
  ])
  expect(cellsOf(table, 'old').slice(0, 5)).toEqual(['500', '3,000', '1.000 (1.00 to 1.00)', '2,400', '0.00'])
  expect(cellsOf(table, 'new').slice(0, 3)).toEqual(['500', '3,000', '0.750 (0.50 to 1.00)'])
})
