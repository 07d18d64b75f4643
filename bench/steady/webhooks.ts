import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../src/db/db-types.ts'
import { notify } from '../../src/db/listen.ts'
import { recordEvents } from '../../src/events/record-queries.ts'
import { openSecret } from '../../src/lib/crypto/seal.ts'
import { newId } from '../../src/lib/ids.ts'
import { deriveWebhookKey, newWebhookSecret, sealWebhookSecret } from '../../src/webhooks/request/secrets.ts'
import { insertWebhook } from '../../src/webhooks/webhooks-queries.ts'
import { findFreePort } from '../../test/support/ports.ts'
import { createCaller } from '../support/caller.ts'
import { startMeter } from '../support/meter.ts'
import { HANGS, type Hooks, startHooks } from './hooks.ts'
import { domainOf, nowMs } from './mail-sites.ts'
import {
  checkAtMost,
  checkEquals,
  type Measured,
  type Outcome,
  p99,
  type Size,
  type SteadyFigure,
} from './outcome.ts'
import { sendSteadily } from './send-steadily.ts'
import { waitUntil } from './waits.ts'
import { createWorld, type World } from './world.ts'

const ENDPOINTS = 1000
const DEAD = 10
const EVENTS_PER_SECOND = 500
const SECONDS = 120
const P99_MAX_MS = 5000
const TICK_MS = 100
const DRAIN_LIMIT_MS = 120_000
/** Emails per second; the last rate is the target. */
const RATES = [100, 200, 300, 400, 500]
const RATE_SECONDS = 60
const HOOKS_PER_TEAM = 3
/** Teams that send, because a team's plan admits a hundred requests a second. */
const SENDERS = 8
/** The events `queued` and `delivered`. */
const EVENTS_PER_EMAIL = 2
/** A backlog that drains within this time after the last email did not grow. */
const SLACK_SECONDS = 3

interface Endpoint {
  teamId: string
  path: string
  isDead: boolean
}

/** Inserts endpoints with SQL, each for its own team. Some refuse connections or never respond. */
async function makeEndpoints(world: World, db: Db, hooks: Hooks, count: number): Promise<Endpoint[]> {
  const key = deriveWebhookKey(await openSecret(world.product.dataDir, null))
  const deadUrl = `http://127.0.0.1:${await findFreePort()}`
  const now = new Date()
  const deadCount = Math.max(2, Math.round((count * DEAD) / ENDPOINTS))
  const endpoints: Endpoint[] = []
  await db.transaction(async (tx) => {
    for (let number = 0; number < count; number++) {
      const [teamId, id] = [newId(), newId()]
      const isDead = number < deadCount
      const path = isDead ? `${HANGS}-${number}` : `/hook-${number}`
      const url = isDead && number % 2 === 0 ? deadUrl : hooks.url + path
      await insertWebhook(tx, {
        teamId,
        id,
        url,
        description: null,
        types: [],
        status: 'enabled',
        disabledReason: null,
        disabledAt: null,
        sealedSecret: sealWebhookSecret(key, teamId, id, newWebhookSecret()),
        sealedOldSecret: null,
        oldSecretUntil: null,
        position: 0,
        failingSince: null,
        createdAt: now,
        updatedAt: now,
      })
      endpoints.push({ teamId, path, isDead })
    }
  })
  return endpoints
}

/** Records events at a steady rate, for the teams in turn. Returns, for each path, when its events were committed. */
async function recordSteadily(
  db: Db,
  endpoints: readonly Endpoint[],
  seconds: number,
): Promise<Map<string, number[]>> {
  const committed = new Map<string, number[]>()
  const startedMs = nowMs()
  const perTick = (EVENTS_PER_SECOND * TICK_MS) / 1000
  let next = 0
  for (let tick = 0; tick < (seconds * 1000) / TICK_MS; tick++) {
    await pause(Math.max(0, startedMs + tick * TICK_MS - nowMs()))
    const chosen = Array.from({ length: perTick }, () => endpoints[next++ % endpoints.length] as Endpoint)
    const events = chosen.map(({ teamId }) => ({
      teamId,
      subjectId: newId(),
      type: 'email.delivered' as const,
      data: { recipient: 'ann@example.com', response: '250 2.0.0 Ok: queued as 4XkQx', smtp_code: 250 },
    }))
    await db.transaction(async (tx) => recordEvents(tx, events, new Date()))
    const atMs = nowMs()
    // Processes that record events send this notification.
    await notify(db, 'sendwright_events')
    for (const { path } of chosen) {
      const times = committed.get(path)
      if (times === undefined) committed.set(path, [atMs])
      else times.push(atMs)
    }
  }
  return committed
}

interface DeadEndpointsResult {
  waits: number[]
  missing: number
  cpuSeconds: number
  peakMb: number
}

async function measureDeadEndpoints(size: Size): Promise<DeadEndpointsResult> {
  const world = await createWorld({ sitesCount: 1, sendersCount: 1 })
  const hooks = await startHooks()
  try {
    const db = world.openDatabase()
    const endpoints = await makeEndpoints(world, db, hooks, Math.max(100, Math.round(ENDPOINTS * size.scale)))
    await world.product.stop()
    await world.product.start()
    const meter = startMeter(world.product.pids)
    const alive = endpoints.filter(({ isDead }) => !isDead)
    const committed = await recordSteadily(
      world.openDatabase(),
      endpoints,
      Math.max(10, SECONDS * size.scale),
    )
    const cost = meter.stop()
    const wanted = alive.reduce((sum, { path }) => sum + (committed.get(path)?.length ?? 0), 0)
    await waitUntil(() => hooks.arrivals.length >= wanted, DRAIN_LIMIT_MS)
    // Each endpoint receives its events in order: the first arrival belongs to the first commit.
    const arrived = Map.groupBy(hooks.arrivals, ({ path }) => path)
    const waits = alive.flatMap(({ path }) =>
      (committed.get(path) ?? []).map((atMs, index) => (arrived.get(path)?.[index]?.atMs ?? nowMs()) - atMs),
    )
    return {
      waits,
      missing: wanted - hooks.arrivals.length,
      cpuSeconds: cost.cpuSeconds,
      peakMb: cost.peakMb,
    }
  } finally {
    await hooks.stop()
    await world.close()
  }
}

interface RateResult {
  rate: number
  /** Webhooks that were due but had not arrived when the last email was sent. */
  backlog: number
  drainSeconds: number
  missing: number
  refused: number
  firstError: string
  /** CPU time of server and database per email, including its webhooks. */
  cpuMs: number
}

/**
 * Sends mail at one rate, with three webhooks per event. Measures the backlog after the last email, and the
 * time until it has drained.
 */
async function measureRate(world: World, hooks: Hooks, rate: number, seconds: number): Promise<RateResult> {
  const meter = startMeter(world.product.pids, { memory: false })
  const before = hooks.arrivals.length
  const { sent, failures } = await sendSteadily({
    port: world.product.port,
    senders: world.senders,
    perSecond: rate,
    seconds,
    recipientAt: (number, sender) => `r${rate}-${sender}-${number}@${domainOf(0)}`,
  })
  const acceptedCount = sent.size - failures.length
  const wanted = acceptedCount * EVENTS_PER_EMAIL * HOOKS_PER_TEAM
  const endedMs = nowMs()
  const backlog = wanted - (hooks.arrivals.length - before)
  await waitUntil(() => hooks.arrivals.length - before >= wanted, DRAIN_LIMIT_MS)
  const cost = meter.stop()
  return {
    rate,
    backlog,
    drainSeconds: (nowMs() - endedMs) / 1000,
    missing: wanted - (hooks.arrivals.length - before),
    refused: failures.length,
    firstError: failures[0] ?? '',
    cpuMs: (1000 * cost.cpuSeconds) / Math.max(1, acceptedCount),
  }
}

async function measureRates(size: Size): Promise<RateResult[]> {
  const world = await createWorld({ sitesCount: 1, sendersCount: SENDERS })
  const hooks = await startHooks()
  try {
    const endpoints = world.senders.flatMap(({ key }, index) =>
      Array.from({ length: HOOKS_PER_TEAM }, (_, number) => ({ key, path: `/team-${index}-${number}` })),
    )
    for (const { key, path } of endpoints) {
      const body = { endpoint: hooks.url + path, events: ['email.queued', 'email.delivered'] }
      await createCaller(world.product.port, key)({ method: 'POST', path: '/webhooks', body })
    }
    await world.product.stop()
    await world.product.start()
    const results: RateResult[] = []
    for (const rate of RATES) {
      const result = await measureRate(world, hooks, rate, Math.max(10, RATE_SECONDS * size.scale))
      size.progress(
        `${rate} emails/s: ${result.backlog} webhooks behind at the end, drained in ${result.drainSeconds.toFixed(1)} s, ` +
          `${result.cpuMs.toFixed(2)} ms of CPU per email, ${result.refused} refused ${result.firstError}`,
      )
      results.push(result)
      if (result.drainSeconds > SLACK_SECONDS) break
    }
    return results
  } finally {
    await hooks.stop()
    await world.close()
  }
}

export const webhooks: SteadyFigure = {
  name: 'webhooks',
  title: 'Webhooks',
  note:
    'A thousand endpoints, one per team. Ten of them are dead: half refuse connections, half never ' +
    'respond. Another process writes 500 events a second, from the teams in turn; the time is measured from the ' +
    'commit to the request at the endpoint. Then mail is sent over HTTP, with three webhooks for both events of ' +
    'each email, at growing rates until the backlog takes more than three seconds to drain. Server, database, ' +
    'senders, mail server and endpoints share the machine.',
  async run(size): Promise<Outcome> {
    const besideDead = await measureDeadEndpoints(size)
    const rates = await measureRates(size)
    const kept = rates.filter(
      ({ drainSeconds, missing, refused }) => drainSeconds <= SLACK_SECONDS && missing === 0 && refused === 0,
    )
    const ceiling = Math.max(0, ...kept.map(({ rate }) => rate))
    const measured: Measured[] = [
      { what: 'commit to endpoint, beside dead ones', unit: 'ms', values: besideDead.waits },
      { what: 'CPU seconds of server and database', unit: 's', values: [besideDead.cpuSeconds] },
      { what: 'memory of server and database', unit: 'MB', values: [besideDead.peakMb] },
      { what: 'CPU time of an email with 6 webhooks', unit: 'ms', values: rates.map(({ cpuMs }) => cpuMs) },
      ...rates.map(({ rate, drainSeconds }) => ({
        what: `${rate} emails/s, 3 webhooks each: time to drain after the last email`,
        unit: 's',
        values: [drainSeconds],
      })),
      { what: 'highest rate without a backlog', unit: 'emails/s', values: [ceiling] },
    ]
    return {
      measured,
      verdicts: [
        checkAtMost('beside dead endpoints: p99 ≤ 5 s', p99(besideDead.waits), P99_MAX_MS, 'ms'),
        checkEquals('beside dead endpoints: events missing', besideDead.missing, 0),
        checkEquals('emails/s with 3 webhooks each without a backlog', ceiling, RATES.at(-1) ?? 0),
        checkEquals(
          'webhooks missing',
          rates.reduce((sum, { missing }) => sum + missing, 0),
          0,
        ),
      ],
    }
  },
}
