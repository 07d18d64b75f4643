import { arrays } from '../../db/arrays.ts'
import type { Tx } from '../../db/db-types.ts'
import type { Grain } from '../counting/metric-counts-queries.ts'

/** The columns of `metric_outcome`. Emails in none of the statuses are in progress. */
export const OUTCOMES = [
  'emails',
  'delivered',
  'sent',
  'partially_delivered',
  'bounced',
  'failed',
  'rejected',
  'suppressed',
  'canceled',
  'opened',
  'clicked',
  'complained',
] as const

export type Outcome = (typeof OUTCOMES)[number]
export type OutcomeCounts = Record<Outcome, number>

/** The outcomes of emails accepted at one time. As a change, counts can be negative. */
export interface OutcomeRow {
  teamId: string
  grain: Grain
  sinceMs: number
  isSimulated: boolean
  counts: OutcomeCounts
}

const NO_OUTCOMES = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as OutcomeCounts

export const noOutcomes = (): OutcomeCounts => ({ ...NO_OUTCOMES })

/** The key columns. Rows are written in this order, to prevent deadlocks. */
const PLACE = 'team_id, grain, since, simulated'

const ADD_OUTCOMES = `insert into metric_outcome (${PLACE}, ${OUTCOMES.join(', ')})
     select *
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::bool[],
       ${OUTCOMES.map((_, index) => `$${index + 5}::int8[]`).join(', ')})
     on conflict (${PLACE}) do update
     set ${OUTCOMES.map((outcome) => `${outcome} = metric_outcome.${outcome} + excluded.${outcome}`).join(',\n       ')}`

/** Adds changes to the stored outcomes. Rows must be sorted by key. */
export async function addOutcomes(tx: Tx, rows: readonly OutcomeRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(ADD_OUTCOMES, [
    arrays.uuid(rows.map((row) => row.teamId)),
    arrays.text(rows.map((row) => row.grain)),
    arrays.timestamptz(rows.map((row) => new Date(row.sinceMs))),
    arrays.bool(rows.map((row) => row.isSimulated)),
    ...OUTCOMES.map((outcome) => arrays.int8(rows.map(({ counts }) => counts[outcome]))),
  ])
}

/** The counted status of an email with several recipients. */
export interface CountedStatus {
  teamId: string
  emailId: string
  status: string
}

/** Returns the counted statuses of emails, by email. */
export async function findCountedStatuses(
  tx: Tx,
  keys: readonly { teamId: string; emailId: string }[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await tx.query<{ emailId: string; status: string }>(
    `select s.email_id, s.status
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, email_id)
     join metric_status s on s.team_id = k.team_id and s.email_id = k.email_id`,
    [arrays.uuid(keys.map((key) => key.teamId)), arrays.uuid(keys.map((key) => key.emailId))],
  )
  return new Map(rows.map(({ emailId, status }) => [emailId, status]))
}

/** Stores the counted statuses of emails. */
export async function storeCountedStatuses(tx: Tx, statuses: readonly CountedStatus[]): Promise<void> {
  if (statuses.length === 0) return
  await tx.query(
    `insert into metric_status (team_id, email_id, status)
     select *
     from unnest($1::uuid[], $2::uuid[], $3::text[])
     on conflict (team_id, email_id) do update
     set status = excluded.status`,
    [
      arrays.uuid(statuses.map((each) => each.teamId)),
      arrays.uuid(statuses.map((each) => each.emailId)),
      arrays.text(statuses.map((each) => each.status)),
    ],
  )
}
