/**
 * `npm run bench -- soak [--count N] [--every SECONDS] [--minutes N] [--keep DIRECTORY]`: one long run end to end, with
 * retention beside it, and what drifts from its first fifth to its last.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installPeers } from '../support/install-peers.ts'
import { describeRun } from '../support/machine.ts'
import { replaceSection } from '../support/section.ts'
import { drawChart } from './chart.ts'
import { measureSoak } from './measure.ts'
import { formatSoak, SOAK_FIGURES, SOAK_HEADING } from './report.ts'

const BENCH = join(import.meta.dirname, '..')
const CHART = 'soak.svg'
const COUNT_DEFAULT = 3_000_000
/** A run of at least this many is written to the page of results. */
const COUNT_WRITTEN = 1_000_000

/** Resolves with the exit code. SIGINT and SIGTERM end the load; the figures until then are printed. */
export async function runSoak(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: `${COUNT_DEFAULT}` },
      every: { type: 'string', default: '30' },
      minutes: { type: 'string', default: '120' },
      keep: { type: 'string' },
    },
  })
  const [count = 0, every = 0, minutes = 0] = [values.count, values.every, values.minutes].map(Number)
  if (!(Number.isInteger(count) && count >= 1000 && every >= 1 && minutes > 0 && minutes <= 1440))
    throw new Error(
      '--count takes an integer of at least 1,000, --every takes at least 1 (second), and --minutes takes at most 1,440.',
    )
  const missing = await installPeers()
  if (missing !== null) throw new Error(missing)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.removeAllListeners(signal)
    process.once(signal, () => stopping.abort())
  }
  const { signal } = stopping
  const keptIn = values.keep && resolve(values.keep)
  const run = await measureSoak({ count, everyMs: every * 1000, limitMs: minutes * 60_000, signal, keptIn })
  const text = formatSoak(run)
  process.stdout.write(`\n${text}\n`)
  const isWritten = run.isComplete && count >= COUNT_WRITTEN
  const chartPath = isWritten
    ? join(BENCH, CHART)
    : join(mkdtempSync(join(tmpdir(), 'sendwright-soak-')), CHART)
  writeFileSync(chartPath, drawChart(run.samples, SOAK_FIGURES))
  process.stdout.write(`\nThe chart is ${chartPath}.\n`)
  if (isWritten) {
    const path = join(BENCH, 'RESULTS.md')
    const section = `${describeRun('soak')} ${text}\n\n![Figures of the run over the emails sent](${CHART})`
    writeFileSync(path, replaceSection(readFileSync(path, 'utf8'), SOAK_HEADING, section))
  }
  return 0
}
