import type { Cost } from './meter.ts'

/** The size of one run. */
export interface Scale {
  acceptCount: number
  deliverCount: number
  endToEndCount: number
  latencyCount: number
  renderCount: number
  /** Number of messages of 25 MB. */
  largeCount: number
  /** Number of rows in the CSV file. */
  importCount: number
  quietMs: number
  /** How long each processor computes signatures. */
  signMs: number
}

export const FULL: Scale = {
  acceptCount: 20_000,
  deliverCount: 20_000,
  endToEndCount: 10_000,
  latencyCount: 300,
  renderCount: 50_000,
  largeCount: 20,
  importCount: 1_000_000,
  quietMs: 10_000,
  signMs: 5_000,
}
export const QUICK: Scale = {
  acceptCount: 2_000,
  deliverCount: 2_000,
  endToEndCount: 1_000,
  latencyCount: 30,
  renderCount: 5_000,
  largeCount: 3,
  importCount: 50_000,
  quietMs: 3_000,
  signMs: 2_000,
}

export interface Sample {
  /** Values by the name of the measure, for example `p99`. */
  values: Readonly<Record<string, number>>
  /** The number of emails, because CPU time is given per 1,000. Zero if the run sends none. */
  count: number
  cost: Cost
  /** Peak memory of the Node process alone, if there is one. */
  nodePeakMb?: number
}

/** One side of a comparison. */
export interface Subject {
  name: string
  /** True to skip this subject if Postfix cannot run. */
  needsPostfix?: boolean
  /** The unit of its values, if they do not count what the figure counts. */
  unit?: string
  /** Prepares it once before the first round. Resolves to null, or to a sentence that says why it cannot run. */
  prepare?(): Promise<string | null>
  measure(scale: Scale): Promise<Sample>
}

export interface Target {
  what: string
  /** The name of a measure, or `CPU_PER_EMAIL`. */
  measure: string
  /** The peer that the ratio refers to. Null if the target applies to the product's own value. */
  peer: string | null
  /** The bound: `least` for values that should be high, `most` for values that should be low. */
  bound: { least: number } | { most: number }
}

/** One part of the benchmark: its subjects, its measures and the product's targets. */
export interface Figure {
  name: string
  title: string
  /** The units by the name of the measure. */
  measures: Readonly<Record<string, string>>
  subjects: readonly Subject[]
  targets: readonly Target[]
  /** The targets that hold instead beside other programs that take half of each processor (`--busy`). */
  busyTargets?: readonly Target[]
  /** The same measurement of another checkout of the product (`--baseline`), and the targets beside it. */
  baseline?: {
    measure(scale: Scale, directory: string): Promise<Sample>
    targets: readonly Target[]
  }
  /** Explains how to read the numbers. */
  note: string
}

export const PRODUCT = 'Sendwright'
/** The row of the other checkout. */
export const BASELINE = 'Sendwright, baseline'
/** A measure that every sample has: CPU seconds for one email. */
export const CPU_PER_EMAIL = 'CPU per email'

export function readValue({ values, cost, count }: Sample, measure: string): number | undefined {
  return measure === CPU_PER_EMAIL ? cost.cpuSeconds / count : values[measure]
}

/** Adds the other checkout of the product in `directory` to the rounds, next to the product. */
export function addBaseline(figure: Figure, directory: string): Figure {
  const { baseline } = figure
  if (baseline === undefined) return figure
  const row: Subject = { name: BASELINE, measure: (scale) => baseline.measure(scale, directory) }
  const subjects = figure.subjects.flatMap((subject) =>
    subject.name === PRODUCT ? [subject, row] : [subject],
  )
  return { ...figure, subjects, targets: [...figure.targets, ...baseline.targets] }
}
