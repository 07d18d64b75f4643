import { formatNumber, formatTable } from '../support/report.ts'

/** The size of a run. */
export interface Size {
  /** A factor for counts and durations. The targets apply to 1, the full size. */
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

/** One measurement of a server under steady load: what happens to some mail while something else goes on. */
export interface SteadyFigure {
  name: string
  title: string
  /** Explains how to read the numbers. */
  note: string
  run(size: Size): Promise<Outcome>
}

/** Returns the smallest value that is not exceeded by `share` of the values, or NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const p99 = (values: readonly number[]): number => percentile(values, 0.99)

/** Returns the verdict for a value that must not exceed `most`. */
export function checkAtMost(target: string, value: number, most: number, unit: string): Verdict {
  return { target, measured: `${formatNumber(value)} ${unit}`.trim(), isMet: value <= most }
}

/** Returns the verdict for a value that must reach `least`. */
export function checkAtLeast(target: string, value: number, least: number, unit: string): Verdict {
  return { target, measured: `${formatNumber(value)} ${unit}`.trim(), isMet: value >= least }
}

/** An email to a recipient's server in this time is late to nobody, however fast an idle server is. */
const SOON_MS = 40

/** Returns the verdict for waits beside other mail: their p99 may be twice that of the control, or 40 ms. */
export function checkBeside(what: string, beside: readonly number[], control: readonly number[]): Verdict {
  const [value, most] = [p99(beside), Math.max(2 * p99(control), SOON_MS)]
  return checkAtMost(`${what}: p99 ≤ 2 × control or ${SOON_MS} ms`, value, most, 'ms')
}

export function checkEquals(target: string, value: number, wanted: number): Verdict {
  return { target, measured: value.toLocaleString('en-US'), isMet: value === wanted }
}

export function formatOutcome({ measured, verdicts }: Outcome): string {
  const rows = measured.map(({ what, unit, values }) => [
    what,
    unit,
    values.length.toLocaleString('en-US'),
    ...[percentile(values, 0.5), percentile(values, 0.99), Math.max(...values)].map(formatNumber),
  ])
  const verdictRows = verdicts.map(({ target, measured: value, isMet }) => [
    target,
    value,
    isMet ? 'met' : 'MISSED',
  ])
  return `${formatTable(['measured', 'unit', 'count', 'p50', 'p99', 'max'], rows)}

${formatTable(['target', 'measured', 'verdict'], verdictRows)}`
}
