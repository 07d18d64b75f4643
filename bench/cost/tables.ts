import { computeMedian, formatNumber, formatTable } from '../support/report.ts'
import type { ThreadCpu } from './cpu.ts'
import type { Counters, RelationLog, StatementCost, TableCounters } from './database-queries.ts'
import type { DatabaseCost, PlainRun } from './measure.ts'
import type { ThreadCost } from './profile.ts'

const FUNCTIONS_MAX = 30
const NATIVE_MAX = 12
const STATEMENTS_MAX = 20
const RECORDS_MAX = 12
const QUERY_CHARS_MAX = 90
/** Costs below this are left out of the tables. */
const BYTES_MIN = 0.5
const CPU_US_MIN = 0.5

/** CPU time in microseconds for each email, by process and thread, without and with the profiler. */
export function formatThreads(plain: readonly PlainRun[], profiled: PlainRun): string {
  const runs = [...plain, profiled]
  const names = new Map(runs.flatMap(({ threads }) => threads.map((one) => [keyOf(one), one])))
  const pick = (run: PlainRun, key: string) => run.threads.find((one) => keyOf(one) === key)
  const perEmail = (run: PlainRun, key: string, of: (one: ThreadCpu) => number) => {
    const thread = pick(run, key)
    return thread === undefined ? 0 : of(thread) / run.count
  }
  const total = ({ userUs, systemUs }: ThreadCpu) => userUs + systemUs
  const rows = [...names].map(([key, { process, kind }]) => ({
    cells: [process, kind],
    numbers: [
      ...[({ userUs }: ThreadCpu) => userUs, ({ systemUs }: ThreadCpu) => systemUs, total].map((of) =>
        computeMedian(plain.map((run) => perEmail(run, key, of))),
      ),
      perEmail(profiled, key, total),
    ],
  }))
  const shown = rows.filter(({ numbers }) => Math.max(...numbers) >= CPU_US_MIN)
  const sums = [0, 1, 2, 3].map((column) =>
    rows.reduce((sum, { numbers }) => sum + (numbers[column] ?? 0), 0),
  )
  return formatTable(
    ['process', 'thread', 'user µs', 'system µs', 'µs', 'µs with profiler'],
    [...shown, { cells: ['all', ''], numbers: sums }].map(({ cells, numbers }) => [
      ...cells,
      ...numbers.map(formatNumber),
    ]),
  )
}

const keyOf = ({ process, kind }: ThreadCpu) => `${process} ${kind}`

/** CPU time of Node's threads by stage. */
export function formatStages(threads: readonly ThreadCost[], count: number): string {
  const all = threads.reduce((sum, { cpuUs }) => sum + cpuUs, 0)
  const rows = threads.flatMap(({ thread, stages }) =>
    stages.map(({ stage, cpuUs, nativeUs }) => [
      thread,
      stage,
      formatNumber(cpuUs / count),
      formatNumber(nativeUs / count),
      formatNumber((100 * cpuUs) / all),
    ]),
  )
  return formatTable(['thread', 'stage', 'µs', 'of it native', '%'], rows)
}

/** The functions that take most of the time themselves, without the functions that they call. */
export function formatFunctions(threads: readonly ThreadCost[], count: number): string {
  const rows = threads
    .flatMap(({ thread, functions }) => functions.map((share) => ({ thread, ...share })))
    .sort((a, b) => b.cpuUs - a.cpuUs)
    .slice(0, FUNCTIONS_MAX)
    .map(({ thread, stage, name, cpuUs }) => [formatNumber(cpuUs / count), name, stage, thread])
  return formatTable(['µs', 'function', 'stage', 'thread'], rows)
}

/** Functions that are not JavaScript, whatever stage they work for. */
export function formatNative(threads: readonly ThreadCost[], count: number): string {
  const native = threads.flatMap(({ functions }) => functions).filter(({ nativeUs }) => nativeUs > 0)
  const rows = [...Map.groupBy(native, ({ name }) => name)]
    .map(([name, shares]) => ({ name, us: shares.reduce((sum, { nativeUs }) => sum + nativeUs, 0) / count }))
    .sort((a, b) => b.us - a.us)
    .slice(0, NATIVE_MAX)
    .map(({ name, us }) => [formatNumber(us), name])
  return formatTable(['µs', 'native function'], rows)
}

/** Rows, index entries, log and size by table, for each email. */
export function formatTables({ before, after, relations }: DatabaseCost, count: number): string {
  const changes = diffTables(before, after)
  const rows = changes
    .map((change) => ({ change, log: relations.filter(({ table }) => table === change.name) }))
    .sort((a, b) => sumOf(b.log, 'bytes') - sumOf(a.log, 'bytes'))
    .filter(({ log }) => sumOf(log, 'bytes') / count >= BYTES_MIN)
    .map(({ change, log }) => [
      change.name,
      ...numbersOf(change, log).map((sum) => formatNumber(sum / count)),
    ])
  const sums = changes.map((change) =>
    numbersOf(
      change,
      relations.filter(({ table }) => table === change.name),
    ),
  )
  const total = sums[0]?.map((_, column) =>
    formatNumber(sums.reduce((sum, numbers) => sum + (numbers[column] ?? 0), 0) / count),
  )
  const head = [
    'inserted',
    'updated',
    'HOT',
    'deleted',
    'TOAST rows',
    'index entries',
    'log records',
    'log B',
  ]
  return formatTable(['table', ...head, 'heap B', 'TOAST B', 'index B'], [...rows, ['all', ...(total ?? [])]])
}

function numbersOf(change: TableCounters, log: readonly RelationLog[]): number[] {
  const entries = sumOf(log, 'entries')
  const records = sumOf(log, 'records')
  const { inserted, updated, hot, deleted, toastInserted, heapBytes, toastBytes, indexBytes } = change
  return [
    ...[inserted, updated, hot, deleted, toastInserted, entries, records, sumOf(log, 'bytes')],
    ...[heapBytes, toastBytes, indexBytes],
  ]
}

function sumOf(log: readonly RelationLog[], field: 'bytes' | 'entries' | 'records'): number {
  return log.reduce((sum, relation) => sum + relation[field], 0)
}

function diffTables(before: Counters, after: Counters): TableCounters[] {
  return after.tables.map((table) => {
    const old = before.tables.find(({ name }) => name === table.name)
    const numbers = Object.entries(table).map(([key, value]) => [
      key,
      typeof value === 'number' ? value - Number(old?.[key as keyof TableCounters] ?? 0) : value,
    ])
    return Object.fromEntries(numbers) as TableCounters
  })
}

/** The log records of each index, for each email. */
export function formatIndexes({ after, relations }: DatabaseCost, count: number): string {
  const own = new Set(after.tables.map(({ name }) => name))
  const rows = relations
    .filter(({ table, index, bytes }) => own.has(table) && index !== null && bytes / count >= BYTES_MIN)
    .map(({ table, index, entries, records, bytes, images }) => [
      table,
      index ?? '',
      ...[entries, records, bytes, images].map((sum) => formatNumber(sum / count)),
    ])
  return formatTable(['table', 'index', 'entries', 'log records', 'log B', 'page images'], rows)
}

export function formatRecords({ records }: DatabaseCost, count: number): string {
  const rows = records
    .slice(0, RECORDS_MAX)
    .map((one) => [one.kind, formatNumber(one.count / count), formatNumber(one.bytes / count)])
  return formatTable(['log record', 'count', 'bytes'], rows)
}

/** The statements that take most of the time, for each email, with the calls of the whole run. */
export function formatStatements({ statements }: DatabaseCost, count: number): string {
  const describe = (statement: Omit<StatementCost, 'query'>) => {
    const { calls, rows, ms, pages, walBytes } = statement
    return [
      ...[(1000 * ms) / count, ms / calls].map(formatNumber),
      calls.toLocaleString('en-US'),
      ...[rows, pages, walBytes].map((sum) => formatNumber(sum / count)),
    ]
  }
  const rows = statements
    .slice(0, STATEMENTS_MAX)
    .map((statement) => [...describe(statement), `\`${shorten(statement.query)}\``])
  const all = { calls: 0, rows: 0, ms: 0, pages: 0, walBytes: 0 }
  for (const statement of statements) {
    for (const name of ['calls', 'rows', 'ms', 'pages', 'walBytes'] as const) all[name] += statement[name]
  }
  const head = ['µs', 'ms a call', 'calls', 'rows', 'pages', 'log B', 'statement']
  return formatTable(head, [...rows, [...describe(all), 'all']])
}

/** Returns the beginning of a statement in one line that fits a table. */
export function shorten(query: string): string {
  const line = query.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'").trim()
  return line.length > QUERY_CHARS_MAX ? `${line.slice(0, QUERY_CHARS_MAX)}…` : line
}

/** What PostgreSQL counts for the whole database, for each email. */
export function formatTotals(cost: DatabaseCost, profiled: PlainRun, plain: readonly PlainRun[]): string {
  const { before, after, statements } = cost
  const { count } = profiled
  const change = (name: string) => ((after.totals[name] ?? 0) - (before.totals[name] ?? 0)) / count
  const changes = diffTables(before, after)
  const grown = (name: 'heapBytes' | 'toastBytes' | 'indexBytes') =>
    changes.reduce((sum, table) => sum + table[name], 0) / count
  const entries = (inToast: boolean) =>
    sumOf(
      cost.relations.filter(({ index }) => (index === 'TOAST') === inToast),
      'entries',
    ) / count
  const rows: [string, number][] = [
    ['statements', statements.reduce((sum, { calls }) => sum + calls, 0) / count],
    ['transactions', change('commits') + change('rollbacks')],
    ['rows inserted', changes.reduce((sum, { inserted }) => sum + inserted, 0) / count],
    ['rows updated', changes.reduce((sum, { updated }) => sum + updated, 0) / count],
    ['index entries', entries(false)],
    ['TOAST rows, each with an index entry', entries(true)],
    ['log (WAL) bytes', change('walBytes')],
    [
      'the same, in the runs without the profiler',
      computeMedian(plain.map((run) => run.walBytes / run.count)),
    ],
    ['log records', change('walRecords')],
    ['full page images', change('walImages')],
    ['log syncs', change('walSyncs')],
    ['heap bytes', grown('heapBytes')],
    ['TOAST bytes', grown('toastBytes')],
    ['index bytes', grown('indexBytes')],
    ['checkpoints in the run', change('checkpoints') * count],
  ]
  return formatTable(
    ['for each email', 'PostgreSQL'],
    rows.map(([name, value]) => [name, formatNumber(value)]),
  )
}
