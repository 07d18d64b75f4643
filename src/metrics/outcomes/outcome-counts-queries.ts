import { batchOf } from '../../db/batch.ts'
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
const PLACES = batchOf('team_id uuid, grain text, since timestamptz, simulated bool', {
  since: ({ sinceMs }: OutcomeRow) => new Date(sinceMs),
  simulated: ({ isSimulated }: OutcomeRow) => isSimulated,
})

const COUNTS = batchOf(
  OUTCOMES.map((outcome) => `${outcome} int8`).join(', '),
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, ({ counts }: OutcomeRow) => counts[outcome]])),
)

const ADD_OUTCOMES = `insert into metric_outcome (${PLACES.names}, ${COUNTS.names})
  select *
  from unnest(${PLACES.arrays}, ${COUNTS.arraysFrom(5)})
  on conflict (${PLACES.names}) do update
  set ${OUTCOMES.map((outcome) => `${outcome} = metric_outcome.${outcome} + excluded.${outcome}`).join(',\n    ')}`

/** Adds changes to the stored outcomes. Rows must be sorted by key. */
export async function addOutcomes(tx: Tx, rows: readonly OutcomeRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(ADD_OUTCOMES, [...PLACES.values(rows), ...COUNTS.values(rows)])
}

/** The counted status of an email with several recipients. */
export interface CountedStatus {
  teamId: string
  emailId: string
  status: string
}

const KEYS = batchOf('team_id uuid, email_id uuid')

const FIND_COUNTED_STATUSES = `select s.email_id, s.status
  from unnest(${KEYS.arrays}) as k (${KEYS.names})
  join metric_status s on s.team_id = k.team_id and s.email_id = k.email_id`

/** Returns the counted statuses of emails, by email. */
export async function findCountedStatuses(
  tx: Tx,
  keys: readonly { teamId: string; emailId: string }[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await tx.query<{ emailId: string; status: string }>(FIND_COUNTED_STATUSES, KEYS.values(keys))
  return new Map(rows.map(({ emailId, status }) => [emailId, status]))
}

const STATUSES = batchOf('team_id uuid, email_id uuid, status text')

const STORE_COUNTED_STATUSES = `insert into metric_status (${STATUSES.names})
  select *
  from unnest(${STATUSES.arrays})
  on conflict (team_id, email_id) do update
  set status = excluded.status`

/** Stores the counted statuses of emails. */
export async function storeCountedStatuses(tx: Tx, statuses: readonly CountedStatus[]): Promise<void> {
  if (statuses.length > 0) await tx.query(STORE_COUNTED_STATUSES, STATUSES.values(statuses))
}
