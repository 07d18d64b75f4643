import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import { type CamelCase, toCamelCase } from '../../db/rows.ts'
import type { EmailScope } from '../../emails/read/read-emails-queries.ts'
import { noOutcomes, OUTCOMES, type Outcome, type OutcomeCounts } from '../outcomes/outcome-counts-queries.ts'
import { listTimes, type Span } from '../reading/read-metrics-queries.ts'

type OutcomeColumns = Record<CamelCase<Outcome>, number>

const KEYS = OUTCOMES.map((outcome) => [outcome, toCamelCase(outcome)] as const)
const SUMS = OUTCOMES.map((outcome) => `coalesce(sum(m.${outcome}), 0)::int8 as ${outcome}`).join(', ')

function toCounts(row: OutcomeColumns): OutcomeCounts {
  const counts = noOutcomes()
  for (const [outcome, key] of KEYS) counts[outcome] = row[key]
  return counts
}

const TIMES = batchOf('grain text, since timestamptz')

/** Returns the outcomes of emails accepted in these spans. */
export async function sumOutcomes(
  db: Queryable,
  teamId: string,
  spans: readonly Span[],
  hasSimulated: boolean,
): Promise<OutcomeCounts> {
  const times = spans.flatMap((span) => listTimes(span).map((since) => ({ grain: span.grain, since })))
  const rows = await db.query<OutcomeColumns>(
    `select ${SUMS}
     from unnest(${TIMES.arraysFrom(3)}) as t (${TIMES.names})
     join metric_outcome m on m.team_id = $1 and m.grain = t.grain and m.since = t.since
     where $2 or not m.simulated`,
    [teamId, hasSimulated, ...TIMES.values(times)],
  )
  return rows[0] === undefined ? noOutcomes() : toCounts(rows[0])
}

/** Returns the outcomes of each step from its start to the next start, by index. Steps without emails are missing. */
export async function readOutcomeSteps(
  db: Queryable,
  teamId: string,
  steps: { grain: 'hour' | 'day'; starts: readonly Date[]; before: Date },
  hasSimulated: boolean,
): Promise<Map<number, OutcomeCounts>> {
  const rows = await db.query<OutcomeColumns & { step: number }>(
    `select width_bucket(m.since, $3::timestamptz[]) as step, ${SUMS}
     from metric_outcome m
     where m.team_id = $1 and m.grain = $2 and m.since >= ($3::timestamptz[])[1] and m.since < $4 and ($5 or not m.simulated)
     group by step`,
    [teamId, steps.grain, arrays.timestamptz(steps.starts), steps.before, hasSimulated],
  )
  return new Map(rows.map((row) => [row.step - 1, toCounts(row)]))
}

/** Statuses of emails that wait for a result. */
export const WAITING = ['queued', 'delivery_delayed', 'scheduled'] as const
export type Waiting = (typeof WAITING)[number]
/** Counting stops here, as in the list of emails. */
export const WAITING_MAX = 10_000

/** Counts the emails that wait, up to WAITING_MAX of each status. */
export async function countWaiting(db: Queryable, teamId: string): Promise<Record<Waiting, number>> {
  const countOf = (status: Waiting) => `(
       select count(*)::int4
       from (select 1 from email where team_id = $1 and status = '${status}' limit ${WAITING_MAX}) as waiting
     ) as ${status}`
  const rows = await db.query<{ queued: number; deliveryDelayed: number; scheduled: number }>(
    `select ${WAITING.map(countOf).join(', ')}`,
    [teamId],
  )
  const { queued = 0, deliveryDelayed = 0, scheduled = 0 } = rows[0] ?? {}
  return { queued, delivery_delayed: deliveryDelayed, scheduled }
}

/** Returns the deferred email that was accepted first, or null. */
export async function findLongestDeferred(
  db: Queryable,
  { teamId, domainId }: EmailScope,
): Promise<{ id: string; createdAt: Date } | null> {
  const rows = await db.query<{ id: string; createdAt: Date }>(
    `select id, created_at
     from email
     where team_id = $1 and status = 'delivery_delayed' and ($2::uuid is null or domain_id = $2)
     order by id
     limit 1`,
    [teamId, domainId],
  )
  return rows[0] ?? null
}
