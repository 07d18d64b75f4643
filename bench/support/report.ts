import { type Figure, PRODUCT, readValue, type Sample, type Target } from './figure.ts'

/** Samples by the name of the subject, one for each round. A failed run leaves a gap. */
export type Rounds = ReadonlyMap<string, readonly (Sample | null)[]>

export interface Measured {
  figure: Figure
  rounds: Rounds
}

const HEAD = [
  'figure',
  'subject',
  'unit',
  'median',
  'min',
  'max',
  'runs',
  'CPU s/1,000',
  'peak MB',
  'Node peak MB',
  'stolen %',
]
/** The sections of the page that a run of the figures writes. */
export const REPORT_HEADINGS = ['Figures', 'Targets', 'Notes']
const TARGET_HEAD = ['target', 'measured', 'verdict']

/** Returns the percentile of sorted values for a share from 0 to 1, or NaN if there are none. */
export function pickPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function computeMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length === 0) return Number.NaN
  return ((sorted[Math.ceil(middle - 1)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

export function formatNumber(number: number): string {
  if (!Number.isFinite(number)) return '-'
  const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2
  return number.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function describeSubject(
  figure: Figure,
  subject: string,
  measure: string,
  samples: readonly (Sample | null)[],
): string[] {
  const done = samples.filter((sample) => sample !== null)
  const name = Object.keys(figure.measures).length > 1 ? `${figure.name} ${measure}` : figure.name
  const unit = figure.subjects.find((one) => one.name === subject)?.unit ?? figure.measures[measure] ?? ''
  const cells = [name, subject, unit]
  if (samples.length === 0) return [...cells, 'not measured', '-', '-', '-', '-', '-', '-', '-']
  if (done.length === 0) return [...cells, 'failed', '-', '-', `0/${samples.length}`, '-', '-', '-', '-']
  const values = done.map((sample) => sample.values[measure] ?? Number.NaN)
  const cpu = done.map(({ cost, count }) => (count === 0 ? Number.NaN : (1000 * cost.cpuSeconds) / count))
  const nodePeaks = done.map((sample) => sample.nodePeakMb).filter((peak) => peak !== undefined)
  return [
    ...cells,
    ...[computeMedian(values), Math.min(...values), Math.max(...values)].map(formatNumber),
    done.length === samples.length ? `${done.length}` : `${done.length}/${samples.length}`,
    formatNumber(computeMedian(cpu)),
    formatNumber(Math.max(...done.map(({ cost }) => cost.peakMb))),
    formatNumber(Math.max(...nodePeaks)),
    formatNumber(Math.max(...done.map(({ cost }) => cost.stolenPercent))),
  ]
}

/**
 * Returns the product's value in each round, or its ratio to the peer's value in the same round if both succeeded.
 */
function listTargetValues({ rounds }: Measured, target: Target): number[] {
  const own = rounds.get(PRODUCT) ?? []
  const others = target.peer === null ? null : (rounds.get(target.peer) ?? [])
  return own.flatMap((sample, round) => {
    const other = others?.[round] ?? null
    if (sample === null || (others !== null && other === null)) return []
    const value = readValue(sample, target.measure)
    const divisor = other === null ? 1 : readValue(other, target.measure)
    return value === undefined || divisor === undefined ? [] : [value / divisor]
  })
}

function describeTarget(measured: Measured, target: Target): string[] {
  const judged = listTargetValues(measured, target)
  if (judged.length === 0) return [target.what, '-', 'not measured']
  const median = computeMedian(judged)
  const met = 'least' in target.bound ? median >= target.bound.least : median <= target.bound.most
  const range = `${formatNumber(median)} (${formatNumber(Math.min(...judged))} to ${formatNumber(Math.max(...judged))})`
  return [target.what, range, met ? 'met' : 'MISSED']
}

export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const isNumber = (column: number) => rows.some((row) => /^[\d.,/]+$/.test(row[column] ?? ''))
  const draw = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (isNumber(column) ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`
  return [draw(head), rule, ...rows.map(draw)].join('\n')
}

/** Formats all figures as one table. */
export function formatFigures(all: readonly Measured[]): string {
  const rows = all.flatMap(({ figure, rounds }) =>
    Object.keys(figure.measures).flatMap((measure) =>
      [...rounds].map(([subject, samples]) => describeSubject(figure, subject, measure, samples)),
    ),
  )
  return formatTable(HEAD, rows)
}

export function formatTargets(all: readonly Measured[]): string {
  const rows = all.flatMap((measured) =>
    measured.figure.targets.map((target) => describeTarget(measured, target)),
  )
  return formatTable(TARGET_HEAD, rows)
}

/** Returns the page of results: the machine, the figures, the targets and the notes. */
export function writeReport(
  all: readonly Measured[],
  machine: readonly [string, string][],
  notes: readonly string[],
): string {
  const explain = all.map(({ figure }) => `- **${figure.name}**: ${figure.title}. ${figure.note}`)
  return `# Results of \`npm run bench\`

${formatTable(['machine', ''], machine)}

## Figures

Rounds are interleaved: each round runs every subject once. Median, minimum and maximum are over the rounds. CPU
seconds are for 1,000 emails and the subject's whole process tree (including PostgreSQL and opendkim), without the load
generator and sink. Peak memory counts shared pages once. Stolen is the highest share of CPU time that the hypervisor
gave to other machines in a run. The load generator, subject and sink share the machine.

${formatFigures(all)}

## Targets

Ratios are computed within each round, and their median is compared with the target.

${formatTargets(all)}

## Notes

${[...explain, ...notes.map((note) => `- ${note}`)].join('\n')}
`
}
