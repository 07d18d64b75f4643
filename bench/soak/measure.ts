import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { makeDirectory, removeDirectory } from '../support/children.ts'
import { CLIENTS, RECIPIENT_DOMAIN, RUN_LIMIT_MS } from '../support/names.ts'
import { Product } from '../support/product.ts'
import { sendLoad } from '../support/send-load.ts'
import { startSink } from '../support/sink.ts'
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
  const product = await Product.create(sink.port, {
    zone: {
      [PROBE_DOMAIN]: { mx: [[10, `mx.${PROBE_DOMAIN}`]] },
      [`mx.${PROBE_DOMAIN}`]: { a: [PROBE_HOST] },
    },
    environment: {
      NODE_OPTIONS: `--import ${CLOCK}`,
      BENCH_CLOCK_FILE: clockFile,
      SENDWRIGHT_METRICS_TOKEN: METRICS_TOKEN,
      SENDWRIGHT_KEEP_CONTENT: '1d',
      SENDWRIGHT_KEEP_ATTEMPTS: '1d',
      SENDWRIGHT_KEEP_EVENTS: '7d',
    },
  })
  try {
    await product.start()
    const aged = Math.min(AGED_MAX, Math.ceil(options.count * AGED_SHARE))
    const senders = await product.createSenders(Math.min(EMAILS_PER_MINUTE, options.count + aged))
    const order = { port: product.port, connections: CLIENTS, senders, recipientDomain: RECIPIENT_DOMAIN }
    await Promise.all([
      sendLoad({ ...order, count: aged, timeLimitMs: RUN_LIMIT_MS }),
      sink.waitFor(aged, RUN_LIMIT_MS),
    ])
    writeFileSync(clockFile, '0')
    await pause(CLOCK_STEP_MS)
    const run = (signal: AbortSignal) =>
      sendLoad({ ...order, count: options.count, timeLimitMs: options.limitMs }, { signal })
    const client = new pg.Client({ connectionString: product.databaseUrl })
    await client.connect()
    const [sender] = senders
    if (sender === undefined) throw new Error('no sender was made')
    const probe = await startProbe(product, sender, sink.port)
    const sampler = await createSampler({ product, client, sink, probe, metricsToken: METRICS_TOKEN })
    const { samples, isComplete } = await sampleUntilDone(sampler, run, options)
    await probe.stop()
    await client.end()
    const count = (name: string) => readMetric({ product, metricsToken: METRICS_TOKEN }, name)
    return {
      samples,
      isComplete,
      deletedRows: await count('sendwright_retention_deleted_rows_total'),
      droppedPartitions: await count('sendwright_retention_dropped_partitions_total'),
    }
  } finally {
    await product.remove()
    await sink.stop()
    removeDirectory(directory)
  }
}

/** Samples at the interval until the load has ended, or the signal or the time limit ends it. */
async function sampleUntilDone(
  sampler: () => Promise<SoakSample>,
  run: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, limitMs, signal }: SoakOptions,
): Promise<Pick<SoakRun, 'samples' | 'isComplete'>> {
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
