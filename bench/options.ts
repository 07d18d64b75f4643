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
