import { drawTable, formatNumber } from '../support/report.ts'

/** How large a run is, as a factor of the size that the targets are about. */
export interface Size {
  /** 1 is full size: counts and durations are multiplied by it. */
  scale: number
  progress(text: string): void
}

export interface Measured {
  what: string
  unit: string
  values: readonly number[]
}

export interface Verdict {
  target: string
  measured: string
  isMet: boolean
}

export interface Outcome {
  measured: readonly Measured[]
  verdicts: readonly Verdict[]
}

/** One question about a server at work: what happens to some mail while something else goes on. */
export interface SteadyFigure {
  name: string
  title: string
  /** What a reader must know to judge the numbers. */
  note: string
  run(size: Size): Promise<Outcome>
}

/** The smallest value that `share` of all do not exceed; NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const p99 = (values: readonly number[]): number => percentile(values, 0.99)

/** `values` at most `most`, of at least one. */
export function judgeMost(target: string, value: number, most: number, unit: string): Verdict {
  return { target, measured: `${formatNumber(value)} ${unit}`.trim(), isMet: value <= most }
}

export function judgeCount(target: string, value: number, wanted: number): Verdict {
  return { target, measured: value.toLocaleString('en-US'), isMet: value === wanted }
}

export function drawOutcome({ measured, verdicts }: Outcome): string {
  const rows = measured.map(({ what, unit, values }) => [
    what,
    unit,
    values.length.toLocaleString('en-US'),
    ...[percentile(values, 0.5), percentile(values, 0.99), Math.max(...values)].map(formatNumber),
  ])
  const judged = verdicts.map(({ target, measured: value, isMet }) => [
    target,
    value,
    isMet ? 'met' : 'MISSED',
  ])
  return `${drawTable(['measured', 'unit', 'count', 'p50', 'p99', 'max'], rows)}

${drawTable(['target', 'measured', 'verdict'], judged)}`
}
