import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Zone } from '../../test/support/dns.ts'
import { makeDirectory, removeDirectory } from '../support/children.ts'
import { RUN_LIMIT_MS } from '../support/names.ts'
import { Product } from '../support/product.ts'
import { createLoad, createLoadOf, type ProductLoad } from '../support/product-load.ts'
import { type Sink, startSink } from '../support/sink.ts'
import { SoakLedger } from './ledger.ts'
import { PROBE_DOMAIN, PROBE_HOST, startProbe } from './probe.ts'
import { createSampler, type SoakSample } from './samples.ts'

export interface SoakOptions {
  count: number
  /** The interval of the samples. */
  everyMs: number
  limitMs: number
  signal: AbortSignal
  /** Keeps the server's data and the samples in this directory, from which a stopped run goes on. */
  keptIn: string | undefined
}

export interface SoakRun {
  samples: readonly SoakSample[]
  /** False if it was stopped, or ran into its time limit. */
  isComplete: boolean
}

const CLOCK = new URL('../steady/stepped-clock.ts', import.meta.url).href
const DAY_MS = 86_400_000
/** Emails from before the run are this old, so that retention has them to delete. */
const AGED_MS = 6 * DAY_MS
const AGED_SHARE = 0.05
const AGED_MAX = 100_000
const METRICS_TOKEN = 'soak-metrics'
/** The load of one minute at 2,500 emails a second, for which there must be enough teams. */
const EMAILS_PER_MINUTE = 150_000
/** The stepped clock reads its file 20 times a second. */
const CLOCK_STEP_MS = 500

/** Sends `count` emails through a server whose retention deletes older ones meanwhile, and samples it. */
export async function measureSoak(options: SoakOptions): Promise<SoakRun> {
  const directory = options.keptIn ?? makeDirectory('soak')
  const { count, everyMs } = options
  const ledger = new SoakLedger(directory, { count, everyMs })
  const clockFile = join(directory, 'clock')
  writeFileSync(clockFile, ledger.senders === null ? `${-AGED_MS}` : '0')
  const home = join(directory, 'server')
  // A server that was stopped before the load began is of no use.
  if (ledger.senders === null) rmSync(home, { recursive: true, force: true })
  const sink = await startSink()
  const product = await Product.create(sink.port, {
    ...settingsOf(clockFile),
    ...(options.keptIn !== undefined && { home }),
  })
  try {
    await product.start()
    const world = { product, sink, ledger }
    const load =
      ledger.senders === null
        ? await sendAged(world, clockFile, count)
        : createLoadOf(product, ledger.senders)
    return { isComplete: await sampleLoad(world, load, options), samples: ledger.samples }
  } finally {
    await product.remove()
    await sink.stop()
    if (options.keptIn === undefined) removeDirectory(directory)
  }
}

interface World {
  product: Product
  sink: Sink
  ledger: SoakLedger
}

/** Sends emails that retention will delete, in the past of a stepped clock. Returns the load of the present. */
async function sendAged(
  { product, sink, ledger }: World,
  clockFile: string,
  count: number,
): Promise<ProductLoad> {
  const agedCount = Math.min(AGED_MAX, Math.ceil(count * AGED_SHARE))
  const load = await createLoad(product, Math.min(EMAILS_PER_MINUTE, count + agedCount))
  await Promise.all([load.send(agedCount), sink.waitFor(agedCount, RUN_LIMIT_MS)])
  writeFileSync(clockFile, '0')
  await pause(CLOCK_STEP_MS)
  ledger.begin(load.senders)
  return load
}

function settingsOf(clockFile: string) {
  return {
    zone: {
      [PROBE_DOMAIN]: { mx: [[10, `mx.${PROBE_DOMAIN}`]] },
      [`mx.${PROBE_DOMAIN}`]: { a: [PROBE_HOST] },
    } satisfies Zone,
    environment: {
      NODE_OPTIONS: `--import ${CLOCK}`,
      BENCH_CLOCK_FILE: clockFile,
      SENDWRIGHT_METRICS_TOKEN: METRICS_TOKEN,
      SENDWRIGHT_KEEP_CONTENT: '1d',
      SENDWRIGHT_KEEP_ATTEMPTS: '1d',
      SENDWRIGHT_KEEP_EVENTS: '7d',
    },
  }
}

/** Sends what is left of the load and samples the server, with a probe beside it. Returns whether all was sent. */
async function sampleLoad(
  world: World,
  { senders, send }: ProductLoad,
  options: SoakOptions,
): Promise<boolean> {
  const { product, sink, ledger } = world
  const [sender] = senders
  if (sender === undefined) throw new Error('no sender was made')
  const client = new pg.Client({ connectionString: product.databaseUrl })
  await client.connect()
  const probe = await startProbe(product, sender, sink.port)
  try {
    const earlier = ledger.samples.at(-1)
    const sources = { product, client, sink, probe, metricsToken: METRICS_TOKEN }
    const sampler = await createSampler(sources, earlier)
    const left = options.count - (earlier?.emails ?? 0)
    if (left <= 0) return true
    const run = (signal: AbortSignal) => send(left, { timeLimitMs: options.limitMs, signal })
    return await sampleUntilDone(sampler, run, ledger, options)
  } finally {
    // Otherwise the end of the server would break them, which hides why a run failed.
    await probe.stop()
    await client.end()
  }
}

/** Samples at the interval until the load has ended, or the signal or the time limit ends it. Returns whether all was sent. */
async function sampleUntilDone(
  sampler: () => Promise<SoakSample>,
  run: (signal: AbortSignal) => Promise<unknown>,
  ledger: SoakLedger,
  { everyMs, limitMs, signal }: SoakOptions,
): Promise<boolean> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  let isDone = false
  const load = run(ending).then(
    () => true,
    (error: unknown) => {
      if (!ending.aborted) throw error
      return false
    },
  )
  const finished = load.finally(() => {
    isDone = true
  })
  finished.catch(() => {})
  for (;;) {
    await Promise.race([finished.catch(() => {}), pause(everyMs)])
    // The last interval is shorter, and would count too much.
    if (isDone) break
    const sample = await sampler()
    ledger.add(sample)
    const { emails, rate, cpuUs, probeMs, nodeMb } = sample
    process.stderr.write(
      `soak: ${emails} emails, ${rate.toFixed(0)}/s, ${cpuUs.toFixed(0)} µs CPU each, probe ${probeMs.toFixed(1)} ms, Node ${nodeMb.toFixed(0)} MB\n`,
    )
  }
  return load
}
