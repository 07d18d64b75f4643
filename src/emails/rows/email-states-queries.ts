import { batchOf } from '../../db/batch.ts'
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

const STATES = batchOf('team_id uuid, id uuid, status text, last_event text, sent_at timestamptz', {
  id: (state: EmailState) => state.emailId,
})

const SET_STATES = `update email e
  set status = s.status, last_event = s.last_event, sent_at = coalesce(e.sent_at, s.sent_at)
  from unnest(${STATES.hiddenFrom(1)}) as s (${STATES.names})
  where e.team_id = s.team_id and e.id = s.id`

/** Sets the states of emails with one recipient, which equal the recipient's state. `states` must be sorted by key. */
export async function setEmailStates(tx: Tx, states: readonly EmailState[]): Promise<void> {
  if (states.length > 0) await tx.query(SET_STATES, STATES.values(states))
}

type ChangedEmail = Omit<EmailState, 'status'>
type EmailKey = Pick<EmailState, 'teamId' | 'emailId'>

const KEYS = batchOf('team_id uuid, id uuid', { id: ({ emailId }: EmailKey) => emailId })

const LOCK = `select e.id as email_id, e.status, e.last_event
  from email e
  join unnest(${KEYS.arrays}) as k (${KEYS.names}) on e.team_id = k.team_id and e.id = k.id
  order by e.team_id, e.id
  for update of e`

const CHANGES = batchOf('last_event text, sent_at timestamptz')

const DERIVE_STATES = `update email e
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
    from unnest(${KEYS.arrays}, ${CHANGES.arraysFrom(3)}) as k (${KEYS.names}, ${CHANGES.names})
    join delivery d on d.team_id = k.team_id and d.email_id = k.id
    group by k.team_id, k.id, k.last_event, k.sent_at
  ) s
  where e.team_id = s.team_id and e.id = s.id`

/** Locks emails, and returns their states. */
export function lockEmailStates(
  tx: Tx,
  emails: readonly EmailKey[],
): Promise<Pick<EmailState, 'emailId' | 'status' | 'lastEvent'>[]> {
  return emails.length === 0 ? Promise.resolve([]) : tx.query(LOCK, KEYS.values(emails))
}

/**
 * Sets the states of emails with several recipients. Their status follows from all recipients (EML-7): open
 * while any is open, else the status that all have in common, else `partially_delivered`. A separate statement
 * locks the rows first. If two processes settle recipients of one email, the second then sees what the first
 * wrote.
 */
export async function deriveEmailStates(tx: Tx, states: readonly ChangedEmail[]): Promise<void> {
  if (states.length === 0) return
  const keys = KEYS.values(states)
  await together([tx.query(LOCK, keys), tx.query(DERIVE_STATES, [...keys, ...CHANGES.values(states)])])
}
