/**
 * `npm run bench [-- --quick] [--only accept,deliver] [--rounds N]`: measures the product beside its peers and
 * prints one table. A full run also writes it to bench/RESULTS.md. `npm run bench -- lists` measures lists
 * (bench/lists).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { runBodies } from './bodies/run.ts'

import { runCells } from './cells/run.ts'

import { runCost } from './cost/run.ts'
import { runDashboard } from './dashboard/run.ts'
import { runLists } from './lists/run.ts'
import { runMetrics } from './metrics/run.ts'
import { type Options, readOptions } from './options.ts'
import { runSoak } from './soak/run.ts'
import { runSteady, STEADY_NAMES } from './steady/run.ts'
import { startBurners } from './support/burners.ts'
import { cleanUp } from './support/children.ts'
import { type Figure, PRODUCT, type Sample, type Scale, type Subject } from './support/figure.ts'
import { installPeers } from './support/install-peers.ts'
import { describeMachine, describeRun } from './support/machine.ts'
import {
  formatFigures,
  formatTargets,
  type Measured,
  REPORT_HEADINGS,
  writeReport,
} from './support/report.ts'
import { readOtherSections, replaceSection } from './support/section.ts'
import { runWorkers } from './workers/run.ts'

const RESULTS_PATH = join(import.meta.dirname, 'RESULTS.md')
const BUSY_HEADING = 'Beside busy neighbours'

function describeSample(figure: Figure, { values, cost }: Sample): string {
  const measured = Object.entries(values).map(
    ([name, value]) => `${name} ${value.toFixed(1)} ${figure.measures[name]}`,
  )
  return `${measured.join(', ')}; ${cost.cpuSeconds.toFixed(1)} CPU s, ${cost.peakMb.toFixed(0)} MB`
}

/**
 * Runs one measurement. A failure is printed and leaves a gap, so that the results of the other subjects are not
 * lost.
 */
async function measureOnce(figure: Figure, subject: Subject, scale: Scale): Promise<Sample | null> {
  try {
    const sample = await subject.measure(scale)
    process.stderr.write(`${describeSample(figure, sample)}\n`)
    return sample
  } catch (error) {
    process.stderr.write(`FAILED: ${(error as Error).message}\n`)
    return null
  }
}

/**
 * Measures all subjects in turn, in several rounds. Every other round is in reverse order, so that drifts of
 * the machine affect all subjects alike.
 */
async function measureFigure(
  figure: Figure,
  subjects: readonly Subject[],
  options: Options,
): Promise<Measured> {
  // A subject that cannot run keeps its row, without values.
  const rounds = new Map<string, (Sample | null)[]>(
    figure.subjects.filter(({ name }) => name.includes(options.subject)).map(({ name }) => [name, []]),
  )
  for (let round = 0; round < options.rounds; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      process.stderr.write(`${figure.name}, round ${round + 1} of ${options.rounds}, ${subject.name}: `)
      rounds.get(subject.name)?.push(await measureOnce(figure, subject, options.scale))
    }
  }
  return { figure, rounds }
}

/** Leaves out subjects that cannot run, and adds the reasons to `notes`. */
async function prepareSubjects(
  { subjects }: Figure,
  { subject: wanted }: Options,
  hasPostfix: boolean,
  notes: string[],
): Promise<Subject[]> {
  const ready: Subject[] = []
  for (const subject of subjects) {
    if (!subject.name.includes(wanted) || (!hasPostfix && subject.needsPostfix === true)) continue
    const reason = (await subject.prepare?.()) ?? null
    if (reason === null) ready.push(subject)
    else notes.push(reason)
  }
  return ready
}

async function runBenchmark(): Promise<number> {
  const options = await readOptions()
  const skipped = await installPeers()
  const notes = skipped === null ? [] : [skipped]
  const all: Measured[] = []
  const stopBurners = options.isBusy ? startBurners() : null
  for (const figure of options.figures) {
    const subjects = await prepareSubjects(figure, options, skipped === null, notes)
    if (subjects.length > 0) all.push(await measureFigure(figure, subjects, options))
  }
  if (stopBurners !== null) {
    const percent = (100 * (await stopBurners())).toFixed(0)
    notes.push(`Meanwhile, one process pinned to each processor took ${percent} % of it.`)
  }
  process.stdout.write(`\n${formatFigures(all)}\n\n${formatTargets(all)}\n\n${notes.join('\n')}\n`)
  if (options.complete) writeResults(options, all, notes)
  const ownRuns = all.flatMap(({ rounds }) => rounds.get(PRODUCT) ?? [])
  return ownRuns.includes(null) ? 1 : 0
}

function writeResults({ isBusy }: Options, all: readonly Measured[], notes: readonly string[]): void {
  const page = existsSync(RESULTS_PATH) ? readFileSync(RESULTS_PATH, 'utf8') : ''
  if (isBusy) {
    const text = `${describeRun('--busy')} ${notes.join(' ')}\n\n${formatFigures(all)}\n\n${formatTargets(all)}`
    writeFileSync(RESULTS_PATH, replaceSection(page, BUSY_HEADING, text))
    return
  }
  const others = readOtherSections(page, REPORT_HEADINGS)
  writeFileSync(RESULTS_PATH, writeReport(all, describeMachine(), notes) + others)
}

process.on('exit', cleanUp)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const [name = '', ...rest] = process.argv.slice(2)
const RUNS: Record<string, (args: string[]) => Promise<number>> = {
  bodies: runBodies,
  cells: runCells,
  lists: runLists,
  cost: runCost,
  dashboard: runDashboard,
  metrics: runMetrics,
  soak: runSoak,
  workers: runWorkers,
}
const run = STEADY_NAMES.includes(name) ? (args: string[]) => runSteady(name, args) : RUNS[name]
process.exit(await (run === undefined ? runBenchmark() : run(rest)))
