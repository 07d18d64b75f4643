import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Zone } from '../../test/support/dns.ts'
import { makeDirectory, removeDirectory } from '../support/children.ts'
import { RUN_LIMIT_MS } from '../support/names.ts'
import { Product } from '../support/product.ts'
import { createLoad, type ProductLoad } from '../support/product-load.ts'
import { type Sink, startSink } from '../support/sink.ts'
import { PROBE_DOMAIN, PROBE_HOST, startProbe } from './probe.ts'
import { createSampler, readMetric, type SoakSample } from './samples.ts'

export interface SoakOptions {
  count: number
  /** The interval of the samples. */
  everyMs: number
  limitMs: number
  signal: AbortSignal
}

export interface SoakRun {
  samples: SoakSample[]
  /** Rows that retention deleted and partitions that it dropped meanwhile. */
  deletedRows: number
  droppedPartitions: number
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
  const directory = makeDirectory('soak')
  const clockFile = join(directory, 'clock')
  writeFileSync(clockFile, `${-AGED_MS}`)
  const sink = await startSink()
  const product = await Product.create(sink.port, settingsOf(clockFile))
  try {
    await product.start()
    const agedCount = Math.min(AGED_MAX, Math.ceil(options.count * AGED_SHARE))
    const load = await createLoad(product, Math.min(EMAILS_PER_MINUTE, options.count + agedCount))
    await Promise.all([load.send(agedCount), sink.waitFor(agedCount, RUN_LIMIT_MS)])
    writeFileSync(clockFile, '0')
    await pause(CLOCK_STEP_MS)
    const sampled = await sampleLoad({ product, sink }, load, options)
    const count = (name: string) => readMetric({ product, metricsToken: METRICS_TOKEN }, name)
    return {
      ...sampled,
      deletedRows: await count('sendwright_retention_deleted_rows_total'),
      droppedPartitions: await count('sendwright_retention_dropped_partitions_total'),
    }
  } finally {
    await product.remove()
    await sink.stop()
    removeDirectory(directory)
  }
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

type Sampled = Pick<SoakRun, 'samples' | 'isComplete'>

/** Sends the load and samples the server, with a probe beside it. */
async function sampleLoad(
  { product, sink }: { product: Product; sink: Sink },
  { senders, send }: ProductLoad,
  options: SoakOptions,
): Promise<Sampled> {
  const { count, limitMs } = options
  const [sender] = senders
  if (sender === undefined) throw new Error('no sender was made')
  const client = new pg.Client({ connectionString: product.databaseUrl })
  await client.connect()
  const probe = await startProbe(product, sender, sink.port)
  try {
    const sampler = await createSampler({ product, client, sink, probe, metricsToken: METRICS_TOKEN })
    const run = (signal: AbortSignal) => send(count, { timeLimitMs: limitMs, signal })
    return await sampleUntilDone(sampler, run, options)
  } finally {
    // Otherwise the end of the server would break them, which hides why a run failed.
    await probe.stop()
    await client.end()
  }
}

/** Samples at the interval until the load has ended, or the signal or the time limit ends it. */
async function sampleUntilDone(
  sampler: () => Promise<SoakSample>,
  run: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, limitMs, signal }: SoakOptions,
): Promise<Sampled> {
  const samples: SoakSample[] = []
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
    samples.push(sample)
    const { emails, rate, cpuUs, probeMs, nodeMb } = sample
    process.stderr.write(
      `soak: ${emails} emails, ${rate.toFixed(0)}/s, ${cpuUs.toFixed(0)} µs CPU each, probe ${probeMs.toFixed(1)} ms, Node ${nodeMb.toFixed(0)} MB\n`,
    )
  }
  return { samples, isComplete: await load }
}
