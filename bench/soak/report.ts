import { computeMedian, formatNumber, formatTable } from '../support/report.ts'
import type { Panel } from './chart.ts'
import type { SoakRun } from './measure.ts'
import type { SoakSample } from './samples.ts'

export const SOAK_HEADING = 'Soak'

/** The largest drift for the worse from the first fifth to the last. */
const DRIFT_MAX = 0.1
const HEAD = ['figure', 'first fifth', 'last fifth', 'drift', 'verdict']

interface SoakFigure extends Panel {
  /** The direction of a change for the worse; null if the figure has no target. */
  worse: 'more' | 'less' | null
}

export const SOAK_FIGURES: readonly SoakFigure[] = [
  { title: 'emails/s', read: ({ rate }) => rate, worse: 'less' },
  { title: 'CPU µs per email', read: ({ cpuUs }) => cpuUs, worse: 'more' },
  { title: 'machine, ms', read: ({ referenceMs = Number.NaN }) => referenceMs, worse: null },
  { title: 'probe, ms', read: ({ probeMs }) => probeMs, worse: 'more' },
  { title: 'timer delay p99, ms', read: ({ loopDelayMs }) => loopDelayMs, worse: 'more' },
  { title: 'Node, MB', read: ({ nodeMb }) => nodeMb, worse: 'more' },
  { title: 'PostgreSQL, MB', read: ({ postgresMb }) => postgresMb, worse: 'more' },
  { title: 'dead rows', read: ({ deadRows }) => deadRows, worse: null },
  { title: 'table bytes/email', read: ({ tableBytesPerEmail }) => tableBytesPerEmail, worse: 'more' },
  { title: 'index bytes/email', read: ({ indexBytesPerEmail }) => indexBytesPerEmail, worse: 'more' },
  { title: 'WAL bytes/email', read: ({ walBytesPerEmail }) => walBytesPerEmail, worse: 'more' },
]

/** Returns the medians of the first and the last fifth, and the drift between them. */
export function formatSoak({ samples, isComplete }: SoakRun): string {
  const last = samples.at(-1)
  if (last === undefined || samples.length < 5) return `Too short: ${samples.length} samples.`
  const size = Math.floor(samples.length / 5)
  const rows = SOAK_FIGURES.map((figure) =>
    describeDrift(figure, samples.slice(0, size), samples.slice(-size)),
  )
  const stopped =
    last.part === 1
      ? ''
      : ` The server was stopped and started again between ${last.part} parts, so that its memory begins anew with each.`
  const ended = `${stopped}${isComplete ? '' : ' The run was stopped early.'}`
  return `${last.emails.toLocaleString('en-US')} emails end to end in ${formatNumber(last.atSeconds)} s, in ${samples.length} samples.${ended} Meanwhile, retention
deleted ${last.deletedRows.toLocaleString('en-US')} rows (an email counts once) and dropped ${last.droppedPartitions} partitions of mail from before. Each value is the median of the
samples; the bytes are the growth of files and log for each email. The drift counts only for the worse, and the target is
at most ${100 * DRIFT_MAX} %. Machine: the CPU time of the same work outside the server. The probe is one email at a time, from its request to
the final 250 of its own server.

${formatTable(HEAD, rows)}`
}

function describeDrift(
  { title, read, worse }: SoakFigure,
  first: readonly SoakSample[],
  last: readonly SoakSample[],
): string[] {
  // In a short interval, no probe may have ended.
  const medianOf = (samples: readonly SoakSample[]) =>
    computeMedian(samples.map(read).filter(Number.isFinite))
  const [from, to] = [medianOf(first), medianOf(last)]
  const drift = (to - from) / from
  if (!Number.isFinite(drift)) return [title, '-', '-', '-', '-']
  const cells = [title, formatNumber(from), formatNumber(to), `${formatNumber(100 * drift)} %`]
  if (worse === null) return [...cells, '-']
  const loss = worse === 'more' ? drift : -drift
  return [...cells, loss <= DRIFT_MAX ? 'met' : 'MISSED']
}
