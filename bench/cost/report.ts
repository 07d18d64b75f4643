import { computeMedian, formatNumber } from '../support/report.ts'
import type { PlainRun, ProfiledRun } from './measure.ts'
import { divideCpu } from './profile.ts'
import type { SignatureCost } from './signature-cost.ts'
import {
  formatFunctions,
  formatIndexes,
  formatNative,
  formatRecords,
  formatStages,
  formatStatements,
  formatTables,
  formatThreads,
  formatTotals,
} from './tables.ts'

export interface CostRuns {
  plain: readonly PlainRun[]
  profiled: ProfiledRun
  intervalUs: number
  signatures: SignatureCost
}

export const COST_HEADING = 'Cost of an email'

/** Returns the tables and the sentences that explain them. */
export function formatCost({ plain, profiled, intervalUs, signatures }: CostRuns): string {
  const { count, database } = profiled
  const threads = profiled.profiles.map((profile) => divideCpu(profile, intervalUs))
  const sampledUs = threads.reduce((sum, one) => sum + one.sampledUs, 0) / count
  const cpuUs = threads.reduce((sum, one) => sum + one.cpuUs, 0) / count
  const node = sumNode(profiled)
  return `**${formatNumber(medianCpuUs(plain))} µs of CPU for each email** (median of ${plain.length}: ${describeRange(plain)}), at ${formatNumber(medianRate(plain))} emails/s.

${formatThreads(plain, profiled)}

The profiler samples every ${intervalUs} µs. With it and with PostgreSQL's statistics, an email took ${formatNumber(cpuUsOf(profiled))} µs.
The threads below took ${formatNumber(cpuUs)} of the Node process's ${formatNumber(node)} µs; their samples, times the interval, are ${formatNumber(sampledUs)} µs. A
stage has its share of the samples of its thread's CPU time. libuv's threads compute the signatures and write files, V8's
collect garbage and compile, and v8:ProfEvntProc is the profiler. In this process, a signature alone took ${formatNumber(signatures.rsaUs)} µs with
RSA-2048, and ${formatNumber(signatures.ed25519Us)} µs with Ed25519.

${formatStages(threads, count)}

${formatFunctions(threads, count)}

${formatNative(threads, count)}

${formatTotals(database, profiled, plain)}

${formatStatements(database, count)}

${formatTables(database, count)}

${formatIndexes(database, count)}

${formatRecords(database, count)}`
}

export function cpuUsOf({ cost, count }: PlainRun): number {
  return (1_000_000 * cost.cpuSeconds) / count
}

function medianCpuUs(runs: readonly PlainRun[]): number {
  return computeMedian(runs.map(cpuUsOf))
}

function medianRate(runs: readonly PlainRun[]): number {
  return computeMedian(runs.map(({ count, seconds }) => count / seconds))
}

function describeRange(runs: readonly PlainRun[]): string {
  const values = runs.map(cpuUsOf)
  return `${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))}`
}

function sumNode({ threads, count }: PlainRun): number {
  const own = threads.filter(({ process }) => process === 'Node')
  return own.reduce((sum, { userUs, systemUs }) => sum + userUs + systemUs, 0) / count
}

/** Returns the section of the page of results, without its heading and the sentence about the run. */
export function formatCostSection(runs: CostRuns): string {
  const stolen = Math.max(...[...runs.plain, runs.profiled].map(({ cost }) => cost.stolenPercent))
  return `At most ${formatNumber(stolen)} % of the CPU time was stolen.
${runs.profiled.count.toLocaleString('en-US')} emails of 10 KB from 64 clients to one sink, signed once with RSA-2048. Measured from the first
request until each delivery is final and the metrics contain its events. All figures are for one email. CPU time by
process is from /proc, in runs without a profiler. All other figures are from one further run with a profiler. Index
entries and bytes of the WAL are read from the WAL itself. The time of a statement is its execution time in PostgreSQL,
including waits and excluding the commit.

${formatCost(runs)}`
}
