import { parseArgs } from 'node:util'
import { accept } from './accept.ts'
import { deliver } from './deliver.ts'
import { endToEnd } from './end-to-end.ts'
import { mime, template } from './forms.ts'
import { csvImport } from './import.ts'
import { largeMime } from './large-mime.ts'
import { latency } from './latency.ts'
import { memory } from './memory.ts'
import { render } from './render.ts'
import { STEADY_NAMES } from './steady/run.ts'
import { openCheckout } from './support/checkout.ts'
import { addBaseline, type Figure, FULL, QUICK, type Scale } from './support/figure.ts'

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
const USAGE = `Usage: npm run bench -- [options]

  --quick         runs one round with small counts, to check that everything works
  --only NAMES    comma-separated: ${NAMES.join(', ')}
  --subject TEXT  only subjects whose name contains the text
  --rounds N      the number of rounds, default ${ROUNDS_DEFAULT}
  --baseline DIR  also measures another checkout of Sendwright, with its packages, in the same rounds
  --busy          end-to-end only, while other processes use half of each processor
  --help          shows this text

   or: npm run bench -- lists [--quick] [--only TEXT]

  Measures every list and filter on millions of rows. Takes 15 minutes, and 12 GB in the temporary directory. Writes a
  section of bench/RESULTS.md. With --only, only measures requests that contain the text, and only prints the figures.

   or: npm run bench -- metrics [--quick] [--events N]

  Measures GET /emails/metrics on the counters of a year with 50,000,000 events, and the cost of counting events.
  Takes 30 minutes, and 25 GB in the temporary directory.

   or: npm run bench -- dashboard [--quick]

  Measures the size of the first load of the dashboard's pages, and its time on a slow network and processor.

   or: npm run bench -- bodies [--quick]

  Measures what packs of bodies save, and what writing and reading one costs. Takes a minute, and only prints.

   or: npm run bench -- cost [--quick] [--count N] [--rounds N] [--keep DIRECTORY] [--baseline DIR]

  Measures the cost of one email from acceptance to settlement: CPU time by process and stage, and statements, rows,
  index entries and WAL bytes in PostgreSQL. Takes 5 minutes at full size, and then writes a section of
  bench/RESULTS.md. --count: emails per run; --rounds: runs without the profiler; --keep: directory for CPU profiles.
  With --baseline DIR, which may be repeated, runs other checkouts beside this one and compares the CPU time of slices in
  turn.

   or: npm run bench -- ${STEADY_NAMES.join('|')} [--quick] [--scale N]

  Measures one load beside another: the mail of two teams, bulk and transactional mail of one team, dead and slow
  sites, claims during a long transaction, schedules, and large messages. Each has a control and targets. Takes minutes
  each at full size (scale 1), and then writes its part of bench/RESULTS.md.

   or: npm run bench -- soak [--count N] [--every SECONDS] [--minutes N] [--keep DIRECTORY]

  Sends 3,000,000 emails end to end while retention runs, samples the figures every 30 s, and compares the last fifth
  of the run with the first. Takes at most --minutes, default 120. SIGINT ends it with the figures so far. A complete
  run of at least 1,000,000 emails writes a section of bench/RESULTS.md, and a chart. --keep: directory for the server's
  data and the samples; a run that was stopped goes on from there.

   or: npm run bench -- workers [--quick] [--rounds N]

  Measures one and two workers alternately, and the memory of each process after its start and after load. Takes 15
  minutes at full size, and then writes a section of bench/RESULTS.md.

   or: npm run bench -- cells [--quick] [--rounds N]

  Measures one and two cells alternately, each with its own PostgreSQL, and computes what many cells carry. Takes 10
  minutes at full size, and then writes a section of bench/RESULTS.md.

A run of all figures at full size with at least three rounds takes half an hour and writes bench/RESULTS.md. Smaller
runs only print. Environment:

  BENCH_PROFILE_DIR=/some/directory  writes the server's CPU profiles there
  BENCH_TRACE=1                      fairness and classes print the steps of their slowest emails, with times
  SENDWRIGHT_WORKERS=2               runs the server with two workers; by default, the server chooses the number
`

export interface Options {
  figures: readonly Figure[]
  subject: string
  rounds: number
  scale: Scale
  isBusy: boolean
  /** Whether the results of this run are written to RESULTS.md. */
  complete: boolean
}

/** Reads the options of a run of the figures. Exits with a message if they are wrong. */
export async function readOptions(): Promise<Options> {
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
  if (unknown.length > 0) exitWith(`Unknown figures: ${unknown.join(', ')}.\n\n${USAGE}`, 2)
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100)
    exitWith(`--rounds takes an integer from 1 to 100.\n\n${USAGE}`, 2)
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
