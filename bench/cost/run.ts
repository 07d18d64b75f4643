/**
 * `npm run bench -- cost [--quick] [--count N] [--rounds N] [--keep DIRECTORY]`: measures what one email costs, from its
 * acceptance until it is settled: CPU time by process, thread and stage, and the work of PostgreSQL. With
 * `--baseline DIRECTORY`, which may be repeated, compares this checkout with others instead.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { REPOSITORY } from '../support/children.ts'
import { installPeers } from '../support/install-peers.ts'
import { describeRun } from '../support/machine.ts'
import { replaceSection } from '../support/section.ts'
import { compareBuilds, formatBuilds } from './compare.ts'
import { measurePlain, measureProfiled, type PlainRun, type ProfiledRun } from './measure.ts'
import { COST_HEADING, type CostRuns, cpuUsOf, formatCost, formatCostSection } from './report.ts'
import { measureSignatures } from './signature-cost.ts'

const RESULTS_PATH = join(import.meta.dirname, '..', 'RESULTS.md')
const FULL = { count: 20_000, rounds: 3 }
const QUICK = { count: 2_000, rounds: 1 }
/** Slices that several builds get in turn. */
const COMPARED = { count: 4_000, rounds: 10 }
const INTERVAL_US = 500

/** Resolves with the exit code. */
export async function runCost(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      count: { type: 'string' },
      rounds: { type: 'string' },
      keep: { type: 'string' },
      baseline: { type: 'string', multiple: true, default: [] },
    },
  })
  const isCompared = values.baseline.length > 0
  const size = values.quick ? QUICK : isCompared ? COMPARED : FULL
  const count = Number(values.count ?? size.count)
  const rounds = Number(values.rounds ?? size.rounds)
  if (!Number.isInteger(count) || count < 100 || !Number.isInteger(rounds) || rounds < 1)
    throw new Error('--count takes a number of at least 100, --rounds one of at least 1.')
  const missing = await installPeers()
  // The sink is Postfix's smtp-sink.
  if (missing !== null) throw new Error(missing)
  if (isCompared) {
    const report = (name: string, run: PlainRun) => describe(name, run)
    const builds = await compareBuilds([...values.baseline, REPOSITORY], { count, rounds }, report)
    process.stdout.write(`\n${formatBuilds(builds)}\n`)
    return 0
  }
  const plain: PlainRun[] = []
  while (plain.length < rounds) plain.push(describe('without the profiler', await measurePlain(count)))
  const profiled = describe('with the profiler', await measureProfiled(count, INTERVAL_US))
  const runs: CostRuns = { plain, profiled, intervalUs: INTERVAL_US, signatures: measureSignatures() }
  process.stdout.write(`\n${formatCost(runs)}\n`)
  if (values.keep !== undefined) keepProfiles(values.keep, profiled)
  if (count >= FULL.count && rounds >= FULL.rounds) {
    const page = readFileSync(RESULTS_PATH, 'utf8')
    const text = `${describeRun('cost')} ${formatCostSection(runs)}`
    writeFileSync(RESULTS_PATH, replaceSection(page, COST_HEADING, text))
  }
  return 0
}

function describe<Run extends PlainRun>(what: string, run: Run): Run {
  const { count, seconds, cost } = run
  const rate = (count / seconds).toFixed(0)
  const stolen = cost.stolenPercent.toFixed(1)
  process.stderr.write(
    `cost, ${what}: ${cpuUsOf(run).toFixed(0)} µs for each email, ${rate} emails/s, ${stolen} % stolen\n`,
  )
  return run
}

/** Writes the profiles, which Chrome's developer tools and others open, and what PostgreSQL counted. */
function keepProfiles(directory: string, { profiles, database }: ProfiledRun): void {
  mkdirSync(directory, { recursive: true })
  for (const { pid, threadId, profile } of profiles)
    writeFileSync(join(directory, `${pid}-${threadId}.cpuprofile`), JSON.stringify(profile))
  writeFileSync(join(directory, 'database.json'), JSON.stringify(database, null, 2))
}
