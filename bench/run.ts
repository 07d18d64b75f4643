/**
 * `npm run bench [-- --quick] [--only accept,deliver] [--rounds N]`: measures the product beside its peers and
 * prints one table. A full run also writes it to bench/RESULTS.md. `npm run bench -- lists` measures lists
 * (bench/lists).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { accept } from './accept.ts'
import { readCostSection } from './cost/report.ts'
import { runCost } from './cost/run.ts'
import { runDashboard } from './dashboard/run.ts'
import { deliver } from './deliver.ts'
import { endToEnd } from './end-to-end.ts'
import { mime, template } from './forms.ts'
import { csvImport } from './import.ts'
import { largeMime } from './large-mime.ts'
import { latency } from './latency.ts'
import { readSection } from './lists/report.ts'
import { runLists } from './lists/run.ts'
import { memory } from './memory.ts'
import { runMetrics } from './metrics/run.ts'
import { render } from './render.ts'
import { SOAK_HEADING } from './soak/report.ts'
import { runSoak } from './soak/run.ts'
import { readSteadySection } from './steady/report.ts'
import { runSteady, STEADY_NAMES } from './steady/run.ts'
import { startBurners } from './support/burners.ts'
import { openCheckout } from './support/checkout.ts'
import { cleanUp } from './support/children.ts'
import {
  addBaseline,
  type Figure,
  FULL,
  PRODUCT,
  QUICK,
  type Sample,
  type Scale,
  type Subject,
} from './support/figure.ts'
import { installPeers } from './support/install-peers.ts'
import { describeMachine, describeRun } from './support/machine.ts'
import { formatFigures, formatTargets, type Measured, writeReport } from './support/report.ts'
import { readSection as readPart, replaceSection } from './support/section.ts'
import { WORKERS_HEADING } from './workers/report.ts'
import { runWorkers } from './workers/run.ts'

const FIGURES: readonly Figure[] = [
  accept,
  deliver,
  endToEnd,
  latency,
  memory,
  render,
  template,
  mime,
  largeMime,
  csvImport,
]
const NAMES = FIGURES.map((figure) => figure.name)
const ROUNDS_DEFAULT = 5
const RESULTS_PATH = join(import.meta.dirname, 'RESULTS.md')
const BUSY_HEADING = 'Beside busy neighbours'
const USAGE = `Usage: npm run bench -- [options]

  --quick         one round with small counts, to see that everything works
  --only NAMES    of ${NAMES.join(', ')}; comma-separated
  --subject TEXT  only subjects whose name contains it
  --rounds N      rounds, default ${ROUNDS_DEFAULT}
  --baseline DIR  another checkout of Sendwright, with its packages, as a row of its own in the same rounds
  --busy          end-to-end only, while other processes take half of each processor
  --help          this text

   or: npm run bench -- lists [--quick] [--only TEXT]

  How long every list and filter takes on millions of rows: a quarter of an hour and 12 GB under the temporary
  directory. Writes a section of its own in bench/RESULTS.md. --only: requests that contain the text, printed alone.

   or: npm run bench -- metrics [--quick] [--events N]

  How long GET /emails/metrics takes on what a year of 50,000,000 events leaves behind, and what it costs to count
  events: half an hour and 25 GB under the temporary directory.

   or: npm run bench -- dashboard [--quick]

  What the first load of the dashboard's pages weighs, and how long it takes on a slow network and processor.

   or: npm run bench -- cost [--quick] [--count N] [--rounds N] [--keep DIRECTORY]

  What one email costs from acceptance to settled: CPU time by process and stage, and statements, rows, index entries
  and log bytes in PostgreSQL. Five minutes at full size, which writes a section of its own in bench/RESULTS.md.
  --count: emails in a run; --rounds: runs without the profiler; --keep: where to write the CPU profiles.

   or: npm run bench -- ${STEADY_NAMES.join('|')} [--quick] [--scale N]

  One team's mail beside another's, or beside its own bulk mail, dead and slow sites, claims beside an old transaction, schedules, large messages:
  each with its control and its targets. At full size (scale 1, minutes each) it writes its part of bench/RESULTS.md.

   or: npm run bench -- soak [--count N] [--every SECONDS] [--minutes N]

  One run of 3,000,000 emails end to end, with retention beside it, sampled every 30 s, and what drifts from its first
  fifth to its last. At most --minutes, default 120. SIGINT ends it with the figures so far. A complete run of at least
  1,000,000 writes a section of its own in bench/RESULTS.md, and a chart.

   or: npm run bench -- workers [--quick] [--rounds N]

  One and two workers in turn, and the memory of each process after the start and after load. A quarter of an hour at
  full size, which writes a section of its own in bench/RESULTS.md.

A run of everything at full size, at least three rounds, takes half an hour and writes bench/RESULTS.md; all others
only print. With BENCH_PROFILE_DIR=/some/directory in the environment the server's CPU profiles are kept there.
With BENCH_TRACE=1, the figures fairness and classes print where the time of their slowest emails went.
SENDWRIGHT_WORKERS=2 in the environment runs it with two workers; otherwise it decides by itself.
`

interface Options {
  figures: readonly Figure[]
  subject: string
  rounds: number
  scale: Scale
  isBusy: boolean
  /** Whether the results of this run are written to RESULTS.md. */
  complete: boolean
}

async function readOptions(): Promise<Options> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: NAMES.join(',') },
      subject: { type: 'string', default: '' },
      rounds: { type: 'string' },
      baseline: { type: 'string' },
      busy: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) exitWith(USAGE, 0)
  const wanted = values.only.split(',')
  const unknown = wanted.filter((name) => !NAMES.includes(name))
  const rounds = Number(values.rounds ?? (values.quick ? 1 : ROUNDS_DEFAULT))
  if (unknown.length > 0) exitWith(`There is no figure "${unknown.join(', ')}".\n\n${USAGE}`, 2)
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100)
    exitWith(`--rounds takes 1 to 100.\n\n${USAGE}`, 2)
  const { busy: isBusy, baseline } = values
  if (baseline !== undefined) await openCheckout(baseline)
  const variants = FIGURES.map((figure) =>
    isBusy ? { ...figure, targets: figure.busyTargets ?? [] } : figure,
  )
  const figures = variants
    .filter(({ name, busyTargets }) => wanted.includes(name) && (!isBusy || busyTargets !== undefined))
    .map((figure) => (baseline === undefined ? figure : addBaseline(figure, baseline)))
  const isWhole = isBusy || figures.length === FIGURES.length
  const complete = !values.quick && isWhole && values.subject === '' && rounds >= 3
  return { figures, subject: values.subject, rounds, scale: values.quick ? QUICK : FULL, isBusy, complete }
}

function exitWith(text: string, code: number): never {
  process.stderr.write(text)
  process.exit(code)
}

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
  // The other sections come from separate runs: keep them.
  const ownRuns = [BUSY_HEADING, SOAK_HEADING, WORKERS_HEADING].map((heading) => readPart(page, heading))
  const kept = [readCostSection(page), ...ownRuns, readSteadySection(page), readSection(page)].join('')
  writeFileSync(RESULTS_PATH, writeReport(all, describeMachine(), notes) + kept)
}

process.on('exit', cleanUp)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const [name = '', ...rest] = process.argv.slice(2)
const RUNS: Record<string, (args: string[]) => Promise<number>> = {
  lists: runLists,
  cost: runCost,
  dashboard: runDashboard,
  metrics: runMetrics,
  soak: runSoak,
  workers: runWorkers,
}
const run = STEADY_NAMES.includes(name) ? (args: string[]) => runSteady(name, args) : RUNS[name]
process.exit(await (run === undefined ? runBenchmark() : run(rest)))
