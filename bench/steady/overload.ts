import { setTimeout as pause } from 'node:timers/promises'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { CLIENTS, RECIPIENT_DOMAIN, WARM_UP_COUNT } from '../support/names.ts'
import { Product } from '../support/product.ts'
import { createLoad, type ProductLoad } from '../support/product-load.ts'
import { type Sink, startSink } from '../support/sink.ts'
import { fillBacklog } from './backlog.ts'
import {
  checkAtLeast,
  checkAtMost,
  type Outcome,
  percentile,
  type Size,
  type SteadyFigure,
} from './outcome.ts'
import { findTeams } from './world.ts'

const BACKLOG_COUNT = 20_000
const SECONDS = 60
const SAMPLE_SECONDS = 5
const MANY_CLIENTS = 4 * CLIENTS
/** More than a server accepts in a minute, and more than the load generator sends before it is ended. */
const EMAILS_PER_MINUTE_MAX = 150_000
const ENDLESS = 10_000_000

interface Samples {
  /** Deliveries a second, in each interval. */
  delivered: number[]
  accepted: number[]
  waiting: number[]
}

interface Server {
  db: Db
  sink: Sink
  load: ProductLoad
}

/** Sends without a pause for some seconds, and counts what happens meanwhile. */
async function sample({ db, sink, load }: Server, connections: number, seconds: number): Promise<Samples> {
  const countWaiting = async () => {
    const [row] = await db.query<{ count: number }>(
      "select count(*)::int4 as count from delivery where status = 'queued'",
    )
    return row?.count ?? 0
  }
  const ending = new AbortController()
  const sending = load
    .send(ENDLESS, { connections, timeLimitMs: 2000 * seconds, signal: ending.signal })
    .catch((error: unknown) => {
      if (!ending.signal.aborted) throw error
    })
  const samples: Samples = { delivered: [], accepted: [], waiting: [await countWaiting()] }
  for (let left = seconds; left > 0; left -= SAMPLE_SECONDS) {
    const [atMs, sent] = [performance.now(), sink.count()]
    await Promise.race([sending, pause(SAMPLE_SECONDS * 1000)])
    const [delivered, waiting] = [sink.count() - sent, await countWaiting()]
    const elapsed = (performance.now() - atMs) / 1000
    samples.delivered.push(delivered / elapsed)
    samples.accepted.push((delivered + waiting - (samples.waiting.at(-1) ?? 0)) / elapsed)
    samples.waiting.push(waiting)
  }
  ending.abort()
  await sending
  return samples
}

async function measureOverload({ scale, progress }: Size): Promise<{ control: Samples; over: Samples }> {
  const seconds = Math.max(2 * SAMPLE_SECONDS, SECONDS * scale)
  const sink = await startSink()
  const product = await Product.create(sink.port)
  const databases: Db[] = []
  try {
    await product.start()
    const load = await createLoad(product, EMAILS_PER_MINUTE_MAX)
    const db = openDb(product.databaseUrl, { connectionsMax: 2, timeoutMs: 120_000, name: 'bench' })
    databases.push(db)
    const server = { db, sink, load }
    const teams = await findTeams(db, load.senders)
    await Promise.all([load.send(WARM_UP_COUNT), sink.waitFor(WARM_UP_COUNT, 60_000)])
    progress(`control, ${CLIENTS} clients`)
    const control = await sample(server, CLIENTS, seconds)
    await fillBacklog(db, Math.round(BACKLOG_COUNT * scale), (number) => ({
      team: teams[number % teams.length] as (typeof teams)[number],
      recipient: `w-${number}@${RECIPIENT_DOMAIN}`,
    }))
    progress(`beside a backlog, ${MANY_CLIENTS} clients`)
    return { control, over: await sample(server, MANY_CLIENTS, seconds) }
  } finally {
    for (const db of databases) await db.close().catch(() => {})
    await product.remove()
    await sink.stop()
  }
}

export const overload: SteadyFigure = {
  name: 'overload',
  title: 'Many clients without a pause, beside a backlog',
  note:
    `The control is the same server with ${CLIENTS} clients and no backlog. Then ${BACKLOG_COUNT.toLocaleString('en-US')} emails ` +
    `wait in the database, and ${MANY_CLIENTS} clients send to the same site without a pause. All processes, the load ` +
    'and the sink share the processors.',
  async run(size): Promise<Outcome> {
    const { control, over } = await measureOverload(size)
    const before = over.waiting[0] ?? 0
    return {
      measured: [
        { what: 'delivered (control)', unit: 'emails/s', values: control.delivered },
        { what: 'delivered', unit: 'emails/s', values: over.delivered },
        { what: 'accepted', unit: 'emails/s', values: over.accepted },
        { what: 'waiting', unit: 'emails', values: over.waiting },
      ],
      verdicts: [
        checkAtMost(
          'the backlog shrinks: waiting at the end ≤ at the start',
          over.waiting.at(-1) ?? 0,
          before,
          '',
        ),
        checkAtLeast(
          'delivered ≥ 0.75 × control',
          percentile(over.delivered, 0.5) / percentile(control.delivered, 0.5),
          0.75,
          '×',
        ),
      ],
    }
  },
}
