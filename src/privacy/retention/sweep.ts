import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/db-types.ts'
import type { Week } from '../../db/partitions/drop-partitions.ts'
import type { PartitionedName } from '../../db/partitions/partitions.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { expireAttempts, expireContents, expireEmails } from './expire-emails-queries.ts'
import {
  type Expired,
  expireCaptured,
  expireEvents,
  expireWebhookDeliveries,
  findReadTo,
  listTeamsWithin,
  listWebhooksWithin,
  type Piece,
} from './expire-rows-queries.ts'
import { type AllPeriods, KIND_OF, type Periods } from './periods.ts'
import { cutoffOf } from './plan-retention.ts'

/**
 * The limit on emails of one transaction, which takes some tens of milliseconds. Each may have 150 recipients with
 * several attempts.
 */
const EMAILS_MAX = 200
const CONTENTS_MAX = 200
const ROWS_MAX = 1000
const TEAMS_MAX = 1000
/** The minimum pause between batches. Each pause is at least as long as the batch, to leave the database to others. */
const REST_MIN_MS = 10
const BEGINNING = '00000000-0000-0000-0000-000000000000'

export interface SweepDeps {
  db: Db
  now: Date
  periods: AllPeriods
  /** Does not wait for endpoints that have been failing since before this time. */
  failingBefore: Date
  /** Checked between batches. */
  isStopping(): boolean
}

/** The expired rows of one team in a week. */
interface Scope {
  teamId: string
  week: Week
  before: string
  cutoff: Date
}

/**
 * Deletes the rows of a week that exceed their team's period, in batches with a separate transaction each. After a
 * kill, the sweep starts again. Returns the number of deleted rows.
 */
export async function sweepWeek(deps: SweepDeps, table: PartitionedName, week: Week): Promise<number> {
  const kind = KIND_OF[table]
  // Tags and recipients are deleted with their emails. All teams keep requests equally long, so only whole weeks expire.
  if (table === 'email_tag' || table === 'delivery' || table === 'request_log') return 0
  return sweepTeams(deps, table, week, kind, (scope) => {
    switch (table) {
      case 'email_content':
      case 'packed_content':
        return sweepPieces(deps, scope, (piece) => expireContents(deps.db, table, piece, CONTENTS_MAX))
      case 'attempt':
        return sweepPieces(deps, scope, (piece) => expireAttempts(deps.db, piece, EMAILS_MAX))
      case 'email':
        return sweepPieces(deps, scope, (piece) =>
          deps.db.transaction((tx) => expireEmails(tx, piece, EMAILS_MAX)),
        )
      case 'event':
        return sweepEvents(deps, scope)
      case 'webhook_delivery':
        return sweepWebhooks(deps, scope)
    }
  })
}

/** Deletes captured messages, which count as content. */
export async function sweepCaptured(deps: SweepDeps): Promise<number> {
  const all = { from: new Date(0), to: deps.now }
  return sweepTeams(deps, 'captured', all, 'content', (scope) =>
    sweepPieces(deps, scope, (piece) => expireCaptured(deps.db, piece, EMAILS_MAX)),
  )
}

async function sweepTeams(
  { db, now, periods, isStopping }: SweepDeps,
  table: PartitionedName | 'captured',
  week: Week,
  kind: keyof Periods,
  sweep: (scope: Scope) => Promise<number>,
): Promise<number> {
  let count = 0
  let after: string | null = null
  do {
    const teams: string[] = await listTeamsWithin(db, table, week, after, TEAMS_MAX)
    for (const teamId of teams) {
      if (isStopping()) return count
      const cutoff = cutoffOf(periods.ofTeam(teamId), kind, now)
      if (cutoff <= week.from) continue
      const before = firstIdAt(new Date(Math.min(cutoff.getTime(), week.to.getTime())))
      count += await sweep({ teamId, week, before, cutoff })
    }
    after = teams.length === TEAMS_MAX ? (teams.at(-1) ?? null) : null
  } while (after !== null)
  return count
}

async function sweepPieces(
  deps: SweepDeps,
  { teamId, week, before, cutoff }: Scope,
  expire: (piece: Piece) => Promise<Expired>,
): Promise<number> {
  let count = 0
  let after: string | null = week.from.getTime() === 0 ? BEGINNING : firstIdAt(week.from)
  while (after !== null && !deps.isStopping()) {
    const startedMs = performance.now()
    const done = await expire({ teamId, after, before, cutoff })
    count += done.count
    after = done.last
    await rest(startedMs)
  }
  return count
}

async function sweepEvents(deps: SweepDeps, scope: Scope): Promise<number> {
  const readTo = await findReadTo(deps.db, scope.teamId, deps.failingBefore)
  let count = 0
  let after: number | null = 0
  while (after !== null && !deps.isStopping()) {
    const startedMs = performance.now()
    const done: Awaited<ReturnType<typeof expireEvents>> = await expireEvents(
      deps.db,
      { ...scope, readTo },
      after,
      ROWS_MAX,
    )
    count += done.count
    after = done.last
    await rest(startedMs)
  }
  return count
}

async function sweepWebhooks(deps: SweepDeps, scope: Scope): Promise<number> {
  let count = 0
  for (const webhookId of await listWebhooksWithin(deps.db, scope.teamId, scope.week)) {
    count += await sweepPieces(deps, scope, (piece) =>
      expireWebhookDeliveries(deps.db, webhookId, piece, ROWS_MAX),
    )
  }
  return count
}

function rest(sinceMs: number): Promise<void> {
  return pause(Math.max(REST_MIN_MS, performance.now() - sinceMs))
}
