import { listRates, RATE_HEAD } from '../support/compare-counts.ts'
import type { ProcessMemory } from '../support/process-memory.ts'
import { computeMedian, formatNumber, formatTable } from '../support/report.ts'
import type { WorkersRun } from './measure.ts'

export const WORKERS_HEADING = 'Workers and idle memory'

const PROCESS_MAX_MB = 150
const TOTAL_MAX_MB = 350
const MEMORY_HEAD = ['workers', 'process', 'after the start MB', 'after load MB']
const TARGET_HEAD = ['target', 'measured', 'verdict']
const FIGURES = [
  ['endToEnd', 'end to end', 'emails/s'],
  ['accept', 'accept', 'emails/s'],
  ['cpuSeconds', 'CPU s/1,000 emails', 's'],
  ['stolenPercent', 'stolen', '%'],
] as const

type Moment = 'afterStart' | 'afterLoad'

/** Returns the tables of rates, memory and targets. */
export function formatWorkers(runs: readonly WorkersRun[]): string {
  const byCount = Map.groupBy(runs, ({ workers }) => workers)
  const rates = listRates(byCount, FIGURES)
  const memory = [...byCount].flatMap(([workers, group]) => listMemory(workers, group))
  return `The load generator and the sink run at a lower priority (nice 10) on the same processors. Memory is read after 45 s
without mail; it is RSS for each Node process, and PSS for those of PostgreSQL. The values are medians of the rounds.

${formatTable(['workers', ...RATE_HEAD], rates)}

${formatTable(MEMORY_HEAD, memory)}

${formatTable(TARGET_HEAD, listTargets(byCount))}`
}

function medianMb(group: readonly WorkersRun[], moment: Moment, read: (memory: ProcessMemory) => number) {
  return computeMedian(group.map((run) => read(run[moment])))
}

function listMemory(workers: number, group: readonly WorkersRun[]): string[][] {
  const row = (name: string, read: (memory: ProcessMemory) => number) => [
    `${workers}`,
    name,
    formatNumber(medianMb(group, 'afterStart', read)),
    formatNumber(medianMb(group, 'afterLoad', read)),
  ]
  const names = [...(group[0]?.afterStart.node.keys() ?? [])]
  return [
    ...names.map((name) => row(name, ({ node }) => node.get(name) ?? Number.NaN)),
    row('PostgreSQL, all processes', ({ postgresMb }) => postgresMb),
    row('all', ({ totalMb }) => totalMb),
  ]
}

function listTargets(byCount: ReadonlyMap<number, readonly WorkersRun[]>): string[][] {
  const most = (what: string, value: number, bound: number) => [
    `${what} ≤ ${bound} MB`,
    `${formatNumber(value)} MB`,
    value <= bound ? 'met' : 'MISSED',
  ]
  const largest = ({ node }: ProcessMemory) => Math.max(...node.values())
  return [...byCount].flatMap(([workers, group]) =>
    (['afterStart', 'afterLoad'] as const).flatMap((moment) => {
      const when = `${moment === 'afterStart' ? 'after the start' : 'after load'}, workers: ${workers}`
      const each = most(`each Node process, ${when}`, medianMb(group, moment, largest), PROCESS_MAX_MB)
      if (workers > 1) return [each]
      return [
        each,
        most(
          `all processes, ${when}`,
          medianMb(group, moment, (one) => one.totalMb),
          TOTAL_MAX_MB,
        ),
      ]
    }),
  )
}
