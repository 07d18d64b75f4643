import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../db/db-types.ts'
import { KeptAnswers } from '../lib/async/kept-answers.ts'
import type { Clock } from '../lib/time/clock.ts'
import { countWebhookBacklog, listBusiestTeams } from '../operator/operator-metrics-queries.ts'
import { countOpen } from '../queue/open-counts-queries.ts'

/** Several scrapers, or several looks of one, share an answer of the database for so long. */
const KEPT = { keptMs: 10_000, countMax: 1 }
const HOUR_MS = 3_600_000
/** A label for every team would be too many: those that send most. */
const TEAMS_MAX = 100
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Answers are kept for a moment; null while the database does not answer. */
function keep<T>(ask: () => Promise<T>): () => Promise<T | null> {
  const kept = new KeptAnswers<T | null>(KEPT)
  return () => kept.get('', () => ask().catch(() => null))
}

/** What an operator watches beside the process itself: the queue by state, teams' rates, the webhooks' backlog. */
export function gaugeOperation(registry: Registry, db: Db, clock: Clock): void {
  const open = keep(() => countOpen(db))
  new Gauge({
    name: 'sendwright_queue_deliveries',
    help: 'Open deliveries by state: ready, leased, delayed, scheduled. Counted up to 200,000 each.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [state, count] of Object.entries((await open()) ?? {})) this.set({ state }, count)
    },
  })
  gaugeTeams(registry, db, clock)
  const backlog = keep(() => countWebhookBacklog(db))
  new Gauge({
    name: 'sendwright_webhook_backlog',
    help: 'untold: events that enabled webhooks have not come to, all together. waiting: deliveries that wait for another try.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [kind, count] of Object.entries((await backlog()) ?? {})) this.set({ kind }, count)
    },
  })
}

function gaugeTeams(registry: Registry, db: Db, clock: Clock): void {
  const busiest = keep(() => listBusiestTeams(db, new Date(clock.now().getTime() - 24 * HOUR_MS), TEAMS_MAX))
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['team'], registers: [registry] })
  const attempted = gauge(
    'sendwright_team_recipients',
    'Recipients that were tried in the last 24 hours, of the hundred teams that send most.',
  )
  const bounces = gauge('sendwright_team_bounce_ratio', 'Of these, the share that bounced for good.')
  const complaints = new Gauge({
    name: 'sendwright_team_complaint_ratio',
    help: 'Of the emails that were taken in the last 24 hours, the share that was complained about.',
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

/** How long commits take: hand the result to `DbOptions.onCommit` of a pool. */
export function timeCommits(registry: Registry): (pool: string) => (seconds: number) => void {
  const commits = new Histogram({
    name: 'sendwright_db_commit_seconds',
    help: 'From sending a COMMIT, with the last writes of its transaction, to its answer.',
    labelNames: ['pool'],
    buckets: SECONDS,
    registers: [registry],
  })
  return (pool) => (seconds) => commits.observe({ pool }, seconds)
}

/** Connections of each pool: in use, idle, and how many callers wait for one. */
export function gaugePools(registry: Registry, pools: Readonly<Record<string, Db>>): void {
  new Gauge({
    name: 'sendwright_db_connections',
    help: 'Connections of this process by pool and state: busy, idle; waiting are callers that have none.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, db] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(db.use())) this.set({ pool, state }, count)
      }
    },
  })
}
