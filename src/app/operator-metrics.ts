import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../db/db-types.ts'
import { AnswerCache } from '../lib/async/answer-cache.ts'
import type { Clock } from '../lib/time/clock.ts'
import { countWebhookBacklog, listBusiestTeams } from '../operator/operator-metrics-queries.ts'
import { countOpenByClass } from '../queue/open-counts-queries.ts'

/** Concurrent and repeated scrapes share a database result for this long. */
const KEPT = { keptMs: 10_000, countMax: 1 }
const HOUR_MS = 3_600_000
/** Maximum number of team labels: the teams that send most. */
const TEAMS_MAX = 100
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Caches results for a moment; null while the database is unavailable. */
function cacheResult<T>(read: () => Promise<T>): () => Promise<T | null> {
  const cache = new AnswerCache<T | null>(KEPT)
  return () => cache.get('', () => read().catch(() => null))
}

/** Adds gauges for operators: the queue by state, rates by team, and the webhook backlog. */
export function gaugeOperation(registry: Registry, db: Db, clock: Clock): void {
  const open = cacheResult(() => countOpenByClass(db))
  new Gauge({
    name: 'sendwright_queue_deliveries',
    help: 'Open deliveries by class of mail and state: ready, leased, delayed, scheduled. Counted up to 200,000 each.',
    labelNames: ['class', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [name, counts] of Object.entries((await open()) ?? {})) {
        for (const [state, count] of Object.entries(counts)) this.set({ class: name, state }, count)
      }
    },
  })
  gaugeTeams(registry, db, clock)
  const backlog = cacheResult(() => countWebhookBacklog(db))
  new Gauge({
    name: 'sendwright_webhook_backlog',
    help: 'untold: events that enabled webhooks have not yet reached, in total. waiting: deliveries that wait for a retry.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [kind, count] of Object.entries((await backlog()) ?? {})) this.set({ kind }, count)
    },
  })
}

function gaugeTeams(registry: Registry, db: Db, clock: Clock): void {
  const busiest = cacheResult(() =>
    listBusiestTeams(db, new Date(clock.now().getTime() - 24 * HOUR_MS), TEAMS_MAX),
  )
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['team'], registers: [registry] })
  const attempted = gauge(
    'sendwright_team_recipients',
    'Recipients attempted in the last 24 hours, for the 100 teams that send most.',
  )
  const bounces = gauge(
    'sendwright_team_bounce_ratio',
    'Share of sendwright_team_recipients that hard-bounced.',
  )
  const complaints = new Gauge({
    name: 'sendwright_team_complaint_ratio',
    help: 'Share of the emails taken by receivers in the last 24 hours that led to a complaint.',
    labelNames: ['team'],
    registers: [registry],
    async collect() {
      for (const one of [attempted, bounces, complaints]) one.reset()
      for (const team of (await busiest()) ?? []) {
        attempted.set({ team: team.teamId }, team.attempted)
        bounces.set({ team: team.teamId }, team.bouncedHard / team.attempted)
        complaints.set({ team: team.teamId }, team.taken === 0 ? 0 : team.complained / team.taken)
      }
    },
  })
}

/** Measures the duration of commits. Pass the result to `DbOptions.onCommit` of a pool. */
export function timeCommits(registry: Registry): (pool: string) => (seconds: number) => void {
  const commits = new Histogram({
    name: 'sendwright_db_commit_seconds',
    help: 'Time from sending a COMMIT, with the last writes of its transaction, to its response.',
    labelNames: ['pool'],
    buckets: SECONDS,
    registers: [registry],
  })
  return (pool) => (seconds) => commits.observe({ pool }, seconds)
}

/** Adds a gauge of the connections of each pool: busy, idle, and callers that wait for one. */
export function gaugePools(registry: Registry, pools: Readonly<Record<string, Db>>): void {
  new Gauge({
    name: 'sendwright_db_connections',
    help: 'Connections of this process by pool and state: busy, idle. waiting: callers without a connection.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, db] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(db.use())) this.set({ pool, state }, count)
      }
    },
  })
}
