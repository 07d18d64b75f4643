import type { Cost } from './meter.ts'

/** How much one run does. */
export interface Scale {
  acceptCount: number
  deliverCount: number
  endToEndCount: number
  latencyCount: number
  renderCount: number
  /** Messages of 25 MB. */
  largeCount: number
  /** Rows of a CSV file. */
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
  /** By the name of a row's measure, for example `p99`. */
  values: Readonly<Record<string, number>>
  /** How many emails the run was about: CPU time is told per 1,000. Zero: none. */
  count: number
  cost: Cost
  /** The Node process alone at its highest, where there is one. */
  nodePeakMb?: number
}

/** One side of a comparison. */
export interface Subject {
  name: string
  /** True: it is left out where Postfix cannot be run. */
  needsPostfix?: boolean
  measure(scale: Scale): Promise<Sample>
}

export interface Target {
  what: string
  measure: string
  /** Null: the product's own figure is judged, not its ratio to a peer's. */
  peer: string | null
  /** The bound; `least` for what should be high, `most` for what should be low. */
  bound: { least: number } | { most: number }
}

/** One question of the benchmark: who is measured, in what unit, and what is wanted of the product. */
export interface Figure {
  name: string
  title: string
  /** What is measured, each with its unit. */
  measures: Readonly<Record<string, string>>
  subjects: readonly Subject[]
  targets: readonly Target[]
  /** What a reader must know to judge the numbers. */
  note: string
}

export const PRODUCT = 'Sendwright'
