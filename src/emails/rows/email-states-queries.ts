import { arrays } from '../../db/arrays.ts'
import type { Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'

export interface EmailState {
  teamId: string
  emailId: string
  status: string
  /** The type of the newest event, without `email.`. */
  lastEvent: string
  /** When a server first accepted the email for a recipient, or null. */
  sentAt: Date | null
}

/**
 * Sets the states of emails with one recipient, which equal the recipient's state. `states` must be sorted by key. The
 * subselect makes PostgreSQL use a generic plan, as in `settle`.
 */
export async function setEmailStates(tx: Tx, states: readonly EmailState[]): Promise<void> {
  if (states.length === 0) return
  await tx.query(
    `update email e
     set status = s.status, last_event = s.last_event, sent_at = coalesce(e.sent_at, s.sent_at)
     from unnest((select $1::uuid[]), $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
       as s (team_id, id, status, last_event, sent_at)
     where e.team_id = s.team_id and e.id = s.id`,
    [
      arrays.uuid(states.map((state) => state.teamId)),
      arrays.uuid(states.map((state) => state.emailId)),
      arrays.text(states.map((state) => state.status)),
      arrays.text(states.map((state) => state.lastEvent)),
      arrays.timestamptz(states.map((state) => state.sentAt)),
    ],
  )
}

/**
 * Sets the states of emails with several recipients. Their status follows from all recipients (EML-7): open
 * while any is open, else the status that all have in common, else `partially_delivered`. A separate statement
 * locks the rows first. If two processes settle recipients of one email, the second then sees what the first
 * wrote.
 */
export async function deriveEmailStates(
  tx: Tx,
  states: readonly Omit<EmailState, 'status'>[],
): Promise<void> {
  if (states.length === 0) return
  const keys = [
    arrays.uuid(states.map((state) => state.teamId)),
    arrays.uuid(states.map((state) => state.emailId)),
  ]
  const locked = tx.query(
    `select 1
     from email e
     join unnest($1::uuid[], $2::uuid[]) as k (team_id, id) on e.team_id = k.team_id and e.id = k.id
     order by e.team_id, e.id
     for update of e`,
    keys,
  )
  const derived = tx.query(
    `update email e
     set status = s.status, last_event = s.last_event, sent_at = coalesce(e.sent_at, s.sent_at)
     from (
       select k.team_id, k.id, k.last_event, k.sent_at,
         case
           when bool_or(d.status = 'delivery_delayed') then 'delivery_delayed'
           when bool_or(d.status = 'queued') then 'queued'
           when bool_or(d.status = 'scheduled') then 'scheduled'
           when min(d.status) = max(d.status) then min(d.status)
           else 'partially_delivered'
         end as status
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) as k (team_id, id, last_event, sent_at)
       join delivery d on d.team_id = k.team_id and d.email_id = k.id
       group by k.team_id, k.id, k.last_event, k.sent_at
     ) s
     where e.team_id = s.team_id and e.id = s.id`,
    [
      ...keys,
      arrays.text(states.map((state) => state.lastEvent)),
      arrays.timestamptz(states.map((state) => state.sentAt)),
    ],
  )
  await together([locked, derived])
}
