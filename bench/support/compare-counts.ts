import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPeers } from './install-peers.ts'
import { describeRun } from './machine.ts'
import { computeMedian, formatNumber } from './report.ts'
import { replaceSection } from './section.ts'

const RESULTS_PATH = join(import.meta.dirname, '..', 'RESULTS.md')

/** A measurement with one and with more of something, which is repeated in rounds. */
interface Comparison<Size, Run> {
  /** The command, for example `workers`. */
  name: string
  /** The section of bench/RESULTS.md that a complete run writes. */
  heading: string
  full: Size & { rounds: number }
  quick: Size & { rounds: number }
  counts: readonly number[]
  measure(count: number, size: Size): Promise<Run>
  /** Describes a run in some words, for the progress. */
  describe(run: Run): string
  format(runs: readonly Run[]): string
}

/**
 * Runs `npm run bench -- <name> [--quick] [--rounds N]`: all counts in turn, every other round in reverse order. Prints the
 * report, and writes it after a run of full size. Resolves with the exit code.
 */
export async function compareCounts<Size, Run>(
  args: string[],
  { name, heading, full, quick, counts, measure, describe, format }: Comparison<Size, Run>,
): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const size = values.quick ? quick : full
  const rounds = Number(values.rounds ?? size.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number of at least 1.')
  const missing = await installPeers()
  if (missing !== null) throw new Error(missing)
  const runs: Run[] = []
  for (let round = 0; round < rounds; round++) {
    for (const count of round % 2 === 0 ? counts : counts.toReversed()) {
      const run = await measure(count, size)
      runs.push(run)
      process.stderr.write(`${name}, round ${round + 1} of ${rounds}, ${count}: ${describe(run)}\n`)
    }
  }
  const text = format(runs)
  process.stdout.write(`\n${text}\n`)
  if (!values.quick && rounds >= full.rounds) {
    const page = readFileSync(RESULTS_PATH, 'utf8')
    writeFileSync(RESULTS_PATH, replaceSection(page, heading, `${describeRun(name)} ${text}`))
  }
  return 0
}

/** The columns of `listRates`, after the first. */
export const RATE_HEAD = ['figure', 'unit', 'median', 'min', 'max', 'ratio to one']

/**
 * Returns the rows of a table with the figures of each count.
 * @param figures the field of a run, its name and its unit
 */
export function listRates<Key extends string>(
  byCount: ReadonlyMap<number, readonly Readonly<Record<Key, number>>[]>,
  figures: readonly (readonly [key: Key, name: string, unit: string])[],
): string[][] {
  const one = byCount.get(1) ?? []
  return [...byCount].flatMap(([count, group]) =>
    figures.map(([key, figure, unit]) => {
      const values = group.map((run) => run[key])
      const ratio = computeMedian(values) / computeMedian(one.map((run) => run[key]))
      const numbers = [computeMedian(values), Math.min(...values), Math.max(...values), ratio]
      return [`${count}`, figure, unit, ...numbers.map(formatNumber)]
    }),
  )
}
