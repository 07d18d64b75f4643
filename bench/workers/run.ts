/**
 * `npm run bench -- workers [--quick] [--rounds N]`: one and two workers in turn on this machine, and the memory of each
 * process after the start and after load.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPeers } from '../support/install-peers.ts'
import { describeRun } from '../support/machine.ts'
import { replaceSection } from '../support/section.ts'
import { measureWorkers, type WorkersRun } from './measure.ts'
import { formatWorkers, WORKERS_HEADING } from './report.ts'

const RESULTS_PATH = join(import.meta.dirname, '..', 'RESULTS.md')
/** An idle process returns memory after 30 to 40 seconds. */
const QUIET_MS = 45_000
const FULL = { count: 20_000, quietMs: QUIET_MS, rounds: 3 }
const QUICK = { count: 2_000, quietMs: QUIET_MS, rounds: 1 }
const COUNTS = [1, 2]

/** Resolves with the exit code. */
export async function runWorkers(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const size = values.quick ? QUICK : FULL
  const rounds = Number(values.rounds ?? size.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number of at least 1.')
  const missing = await installPeers()
  if (missing !== null) throw new Error(missing)
  const runs: WorkersRun[] = []
  for (let round = 0; round < rounds; round++) {
    for (const workers of round % 2 === 0 ? COUNTS : COUNTS.toReversed()) {
      const run = await measureWorkers(workers, size)
      runs.push(run)
      process.stderr.write(
        `workers, round ${round + 1} of ${rounds}, ${workers}: end to end ${run.endToEnd.toFixed(0)} emails/s, accept ${run.accept.toFixed(0)} emails/s\n`,
      )
    }
  }
  const text = formatWorkers(runs)
  process.stdout.write(`\n${text}\n`)
  if (!values.quick && rounds >= FULL.rounds) {
    const page = readFileSync(RESULTS_PATH, 'utf8')
    writeFileSync(RESULTS_PATH, replaceSection(page, WORKERS_HEADING, `${describeRun('workers')} ${text}`))
  }
  return 0
}
