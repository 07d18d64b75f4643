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
  measure(scale: Scale): Promise<Sample>
}

export interface Target {
  what: string
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
  /** Explains how to read the numbers. */
  note: string
}

export const PRODUCT = 'Sendwright'
