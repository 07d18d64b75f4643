import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { makeDirectory, removeDirectory } from '../support/children.ts'
import { type Cost, startMeter } from '../support/meter.ts'
import { RUN_LIMIT_MS, WARM_UP_COUNT } from '../support/names.ts'
import { Product } from '../support/product.ts'
import { createLoad } from '../support/product-load.ts'
import { type Sink, startSink } from '../support/sink.ts'
import { startThreadCpu, type ThreadCpu } from './cpu.ts'
import {
  type Counters,
  createExtensions,
  enableStatistics,
  isSettled,
  type RecordKind,
  type RelationLog,
  readCounters,
  readLogByRelation,
  readLogBytes,
  readRecordKinds,
  readStatements,
  resetStatements,
  type StatementCost,
} from './database-queries.ts'
import { probeEnvironment, startProfiles, type ThreadProfile } from './probe-client.ts'

/** The result of a run, from the first request until everything is settled and counted. */
export interface PlainRun {
  count: number
  seconds: number
  cost: Cost
  threads: ThreadCpu[]
  walBytes: number
}

export interface ProfiledRun extends PlainRun {
  profiles: ThreadProfile[]
  database: DatabaseCost
}

export interface DatabaseCost {
  before: Counters
  after: Counters
  statements: StatementCost[]
  relations: RelationLog[]
  records: RecordKind[]
}

/** PostgreSQL's processes report their counters at the latest when they were idle for 10 s (pgstat.c). */
const COUNTERS_LATE_MS = 11_000
const SETTLED_POLL_MS = 20

/** Sends `count` emails through a server as users run it. */
export function measurePlain(count: number): Promise<PlainRun> {
  return withServer({ emailsCount: count }, ({ through }) => through(count))
}

/** Like `measurePlain`, but also profiles the server, and collects PostgreSQL's statement statistics and log. */
export async function measureProfiled(count: number, intervalUs: number): Promise<ProfiledRun> {
  const directory = makeDirectory('probes')
  try {
    const environment = probeEnvironment(directory, intervalUs)
    const options = { emailsCount: count, environment, statistics: true, fromSources: true }
    return await withServer(options, async ({ client, through }) => {
      await createExtensions(client)
      await pause(COUNTERS_LATE_MS)
      const before = await readCounters(client)
      await resetStatements(client)
      const stop = await startProfiles(directory)
      const run = await through(count)
      const profiles = await stop()
      const statements = await readStatements(client)
      await pause(COUNTERS_LATE_MS)
      const after = await readCounters(client)
      const relations = await readLogByRelation(client, before.lsn, after.lsn)
      const records = await readRecordKinds(client, before.lsn, after.lsn)
      return { ...run, profiles, database: { before, after, statements, relations, records } }
    })
  } finally {
    removeDirectory(directory)
  }
}

export interface Server {
  client: pg.Client
  /** Sends `count` emails and measures until all are settled. */
  through(count: number): Promise<PlainRun>
}

interface ServerOptions {
  /** All emails that `through` will send. */
  emailsCount: number
  environment?: Record<string, string>
  statistics?: boolean
  /** Another checkout to run. */
  directory?: string
  fromSources?: boolean
}

/** Runs `work` with a warm server and a connection to its database. */
export async function withServer<T>(
  { emailsCount, statistics = false, ...options }: ServerOptions,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const sink = await startSink()
  const product = await Product.create(sink.port, options)
  let client: pg.Client | null = null
  try {
    await product.start()
    const { send } = await createLoad(product, emailsCount + WARM_UP_COUNT)
    // Both kinds of run restart the server, so that they differ in nothing else.
    await product.stop()
    if (statistics) enableStatistics(product.dataDir)
    await product.start()
    client = new pg.Client({ connectionString: product.databaseUrl })
    await client.connect()
    const world = { client, sink, product, send }
    await sendAll(world, WARM_UP_COUNT)
    return await work({ client, through: (count) => measureThrough(world, count) })
  } finally {
    await client?.end()
    await product.remove()
    await sink.stop()
  }
}

interface World {
  client: pg.Client
  sink: Sink
  product: Product
  send(count: number): Promise<unknown>
}

async function measureThrough(world: World, count: number): Promise<PlainRun> {
  const { client, product } = world
  const [node, postmaster] = product.pids
  if (node === undefined || postmaster === undefined) throw new Error('the server is not running')
  const walBefore = await readLogBytes(client)
  const stopThreads = startThreadCpu({ node, postmaster })
  // Sampling memory would cost CPU time on the same processors.
  const meter = startMeter(product.pids, { memory: false })
  const startedAt = performance.now()
  await sendAll(world, count)
  const seconds = (performance.now() - startedAt) / 1000
  const cost = meter.stop()
  const threads = stopThreads()
  return { count, seconds, cost, threads, walBytes: (await readLogBytes(client)) - walBefore }
}

/** Sends `count` emails. Resolves when the sink has them, and all are settled. */
async function sendAll({ client, sink, send }: World, count: number): Promise<void> {
  const total = sink.count() + count
  await Promise.all([send(count), sink.waitFor(total, RUN_LIMIT_MS)])
  const end = performance.now() + RUN_LIMIT_MS
  while (!(await isSettled(client))) {
    if (performance.now() > end) throw new Error(`not settled after ${RUN_LIMIT_MS / 1000} s`)
    await pause(SETTLED_POLL_MS)
  }
}
