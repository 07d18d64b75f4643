import { listRates, RATE_HEAD } from '../support/compare-counts.ts'
import { computeMedian, formatNumber, formatTable } from '../support/report.ts'
import type { CellsRun } from './measure.ts'

export const CELLS_HEADING = 'Cells'

const FIGURES = [
  ['endToEnd', 'end to end', 'emails/s'],
  ['cpuSeconds', 'CPU s/1,000 emails', 's'],
  ['stolenPercent', 'stolen', '%'],
] as const

const DAY_SECONDS = 86_400
/** The busiest second of a day has four times the mail of an average one. */
const PEAK_FACTOR = 4
const EMAILS_A_DAY = [10_000_000, 100_000_000, 1_000_000_000]
const SIZE_HEAD = [
  'emails a day',
  'at the peak, emails/s',
  'processors at the peak',
  'cells of two processors, half used',
]
/** Processors of a cell that the peak may use: one of two. */
const CELL_PROCESSORS = 1

/** Returns the table of the figures, and what follows from them for many cells. */
export function formatCells(runs: readonly CellsRun[]): string {
  const byCount = Map.groupBy(runs, ({ cells }) => cells)
  const most = Math.max(...byCount.keys())
  const costOf = (cells: number) => computeMedian((byCount.get(cells) ?? []).map((run) => run.cpuSeconds))
  return `Each cell has one worker and an embedded PostgreSQL, and the cells share the emails evenly. All of them, the load
generators and the sink (nice 10) share the processors of this machine.

${formatTable(['cells', ...RATE_HEAD], listRates(byCount, FIGURES))}

Cells share no process and no table, so machines of their own carry as many times the load. On one machine, the cost of an email
shows it: with ${most} cells, an email takes ${formatNumber(costOf(most) / costOf(1))} times the processor time. The following is
computed from the larger cost, with a peak of ${PEAK_FACTOR} times the average.

${formatTable(SIZE_HEAD, listSizes(Math.max(...[...byCount.keys()].map(costOf)) / 1000))}`
}

/** @param cpuSeconds for one email */
function listSizes(cpuSeconds: number): string[][] {
  return EMAILS_A_DAY.map((emails) => {
    const peak = (PEAK_FACTOR * emails) / DAY_SECONDS
    const processors = peak * cpuSeconds
    const cells = `${Math.ceil(processors / CELL_PROCESSORS)}`
    return [emails.toLocaleString('en-US'), formatNumber(peak), formatNumber(processors), cells]
  })
}
