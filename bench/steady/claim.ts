import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { CLAIM_POOL, type ClaimRound, claimDue, newRound, prepareClaims } from '../../src/queue/claim.ts'
import { byKey } from '../../src/queue/lease-queries.ts'
import { PromoteRound, promoteDue } from '../../src/queue/promote-queries.ts'
import { settle } from '../../src/queue/settle-queries.ts'
import type { DueDelivery } from '../../src/queue/types.ts'
import { makeDirectory, removeDirectory } from '../support/children.ts'
import { fillQueue } from './fill-queue.ts'
import { checkAtMost, type Measured, type Outcome, p99, type Size, type SteadyFigure } from './outcome.ts'

/** Numbers of rows that are due. The last one is measured only with `--scale 10`. */
const SIZES = [1000, 100_000, 1_000_000, 10_000_000]
const PENDING_COUNT = 1_000_000
const CHURN_COUNT = 400_000
const CHURN_SECONDS = 300
const CLAIMS = 300
const CLAIM_COUNT_MAX = 200
const PROMOTE_EVERY_MS = 500
const TARGET_MS = 50

interface Shape {
  teams: number
  domains: number
}
const SPREAD: Shape = { teams: 1000, domains: 20 }
const ONE: Shape = { teams: 1, domains: 1 }

interface Queue {
  db: Db
  /** Connections like those of the worker: the statements are planned before the first claim. */
  claims: Db
  client: pg.Client
  nodeId: string
  round: ClaimRound
}

/** Inserts what else is in the database of a queue. */
type FillBeside = (client: pg.Client) => Promise<void>

/** Runs `work` with a new queue of `count` rows, vacuumed and analyzed as after some minutes of operation. */
async function withQueue<T>(
  count: number,
  shape: Shape,
  work: (queue: Queue) => Promise<T>,
  fillBeside?: FillBeside,
): Promise<T> {
  const dataDir = makeDirectory('claim')
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
  const db = openDb(postgres.url, { connectionsMax: 4, timeoutMs: 60_000, name: 'bench' })
  const claims = openDb(postgres.url, { ...CLAIM_POOL, timeoutMs: 60_000, name: 'bench' })
  const client = new pg.Client({ connectionString: postgres.url, options: '-c synchronous_commit=off' })
  try {
    const now = new Date()
    await migrate(db, now)
    await client.connect()
    await fillQueue(client, { count, ...shape, now, dueAt: now, spreadMs: 60_000 })
    await fillBeside?.(client)
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
    await prepareClaims(claims)
    return await work({ db, claims, client, nodeId: newId(), round: newRound() })
  } finally {
    await client.end()
    await db.close()
    await claims.close()
    await postgres.stop()
    removeDirectory(dataDir)
  }
}

async function claimOnce(queue: Queue): Promise<{ rows: DueDelivery[]; ms: number }> {
  const { claims, nodeId, round } = queue
  const startedMs = performance.now()
  const request = { nodeId, now: new Date(), countMax: CLAIM_COUNT_MAX, domainsToSkip: [], round }
  const rows = await claimDue(claims, request)
  return { rows, ms: performance.now() - startedMs }
}

async function settleAll({ db, nodeId }: Queue, rows: DueDelivery[]): Promise<void> {
  const reply = { smtpCode: 250, enhancedCode: null, response: 'taken', mxHost: null, result: null }
  const settlements = rows.sort(byKey).map((delivery) => ({
    ...reply,
    delivery,
    status: 'delivered' as const,
    dueAt: null,
    category: 'accepted',
    waitsFor: null,
  }))
  await db.transaction((tx) => settle(tx, settlements, nodeId, new Date()))
}

/**
 * Measures claims one after another, each batch settled before the next. The first ones, which find empty caches, are
 * included.
 * @param beside what else is in the database, and what happens in it before each claim
 */
export async function measurePending(
  count: number,
  beside?: { fill: FillBeside; act(db: Db): Promise<void> },
): Promise<number[]> {
  const work = async (queue: Queue) => {
    const times: number[] = []
    while (times.length < CLAIMS) {
      await beside?.act(queue.db)
      const { rows, ms } = await claimOnce(queue)
      if (rows.length === 0) break
      times.push(ms)
      await settleAll(queue, rows)
    }
    return times
  }
  return withQueue(count, SPREAD, work, beside?.fill)
}

interface Churned {
  claims: number[]
  lastClaims: number[]
  promotes: number[]
  slices: number[]
}

/** Inserts, claims and settles many rows while an open transaction may still see all of them. */
async function measureChurn(
  size: Size,
  shape: Shape,
  pendingCount: number,
  seconds: number,
): Promise<Churned> {
  return withQueue(pendingCount, shape, async (queue) => {
    const old = await queue.db.connect()
    try {
      await old.query('begin isolation level repeatable read')
      await old.query('select count(*) from team')
      return await churn(size, queue, shape, seconds)
    } finally {
      await old.end()
    }
  })
}

async function churn(size: Size, queue: Queue, shape: Shape, seconds: number): Promise<Churned> {
  const measured: Churned = { claims: [], lastClaims: [], promotes: [], slices: [] }
  const promoteRound = new PromoteRound()
  const count = Math.round(CHURN_COUNT * size.scale)
  const startedMs = performance.now()
  let nextPromoteMs = 0
  for (let taken = 0; taken < count; ) {
    const now = new Date()
    await fillQueue(queue.client, { count: CLAIM_COUNT_MAX, ...shape, now, dueAt: now, spreadMs: 100 })
    const { rows, ms } = await claimOnce(queue)
    if (rows.length === 0) throw new Error(`nothing was claimed after ${taken} of ${count} rows`)
    measured.claims.push(ms)
    if (taken >= count * 0.8) measured.lastClaims.push(ms)
    await timeSlice(queue.round, measured.slices)
    await settleAll(queue, rows)
    taken += rows.length
    if (performance.now() >= nextPromoteMs) {
      nextPromoteMs = performance.now() + PROMOTE_EVERY_MS
      measured.promotes.push(await promoteOnce(queue.db, promoteRound))
    }
    const waitMs = startedMs + (seconds * 1000 * taken) / count - performance.now()
    if (waitMs > 0) await pause(waitMs)
  }
  const took = (performance.now() - startedMs) / 1000
  size.progress(`${count} rows churned in ${took.toFixed(0)} s beside an open transaction`)
  return measured
}

/** Waits for the survey that runs beside the claims, so that its time is measured separately from the next claim. */
async function timeSlice(round: ClaimRound, times: number[]): Promise<void> {
  if (round.slice === null) return
  const startedMs = performance.now()
  await round.slice
  times.push(performance.now() - startedMs)
}

async function promoteOnce(db: Db, round: PromoteRound): Promise<number> {
  const now = new Date()
  const startedMs = performance.now()
  const from = round.begin(now)
  round.end(await db.transaction((tx) => promoteDue(tx, now, from)))
  return performance.now() - startedMs
}

function listChurned(what: string, churned: Churned): Measured[] {
  return [
    { what: `claim, ${what}`, unit: 'ms', values: churned.claims },
    { what: `claim, ${what}, the last fifth`, unit: 'ms', values: churned.lastClaims },
    { what: `release of due mail, ${what}`, unit: 'ms', values: churned.promotes },
    { what: `slice of a survey, ${what}`, unit: 'ms', values: churned.slices },
  ]
}

export const claim: SteadyFigure = {
  name: 'claim',
  title: 'Cost of a claim',
  note:
    'Claims of 200 rows from 1,000 teams with 20 destinations each, on the embedded PostgreSQL with default ' +
    'settings. Each batch is settled before the next claim. Statements are planned before the first claim, as in ' +
    'the worker. Churn: 400,000 rows arrive, are claimed and settled within 5 minutes, beside 1,000,000 waiting ' +
    'rows and a transaction that was opened before (repeatable read), so that vacuum cannot remove any of them; ' +
    'then again at full speed with one team and one destination. A survey runs beside the claims. The control is ' +
    'the queue of 1,000.',
  async run(size): Promise<Outcome> {
    const measured: Measured[] = []
    const verdicts = []
    for (const count of SIZES.filter((one) => one <= Math.max(1000, 1_000_000 * size.scale))) {
      const values = await measurePending(count)
      const rows = count.toLocaleString('en-US')
      measured.push({ what: `claim, ${rows} pending`, unit: 'ms', values })
      verdicts.push(checkAtMost(`claim p99 ≤ 50 ms with ${rows} pending`, p99(values), TARGET_MS, 'ms'))
      size.progress(`${rows} pending: p99 ${p99(values).toFixed(1)} ms`)
    }
    const pendingCount = Math.round(PENDING_COUNT * size.scale)
    const spread = await measureChurn(size, SPREAD, pendingCount, CHURN_SECONDS * size.scale)
    const one = await measureChurn(size, ONE, Math.round(pendingCount / 10), 0)
    measured.push(...listChurned('churn', spread), ...listChurned('churn of one destination', one))
    for (const [what, { claims, lastClaims }] of Object.entries({
      churn: spread,
      'churn of one destination': one,
    })) {
      verdicts.push(
        checkAtMost(`claim p99 ≤ 50 ms beside an old transaction, ${what}`, p99(claims), TARGET_MS, 'ms'),
        checkAtMost('the same, the last fifth', p99(lastClaims), TARGET_MS, 'ms'),
      )
    }
    return { measured, verdicts }
  },
}
