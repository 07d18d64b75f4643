import { batchOf } from '../db/batch.ts'
import type { Queryable, Tx } from '../db/db-types.ts'

/** A team's address in normalized form. */
export interface AddressKey {
  teamId: string
  addressKey: string
}

/** The outcome of an email at an address. */
export interface CountedOutcome extends AddressKey {
  emailId: string
  status: string
  category: string | null
}

/** Enough to find three in a row. */
const OUTCOMES_MAX = 50
/**
 * The limit on scanned emails: three days with three hundred a day. A full mailbox is often reported only when an
 * email's lifetime ends, and newer emails to the address are open by then.
 */
const EMAILS_MAX = 1000

const KEYS = batchOf('team_id uuid, address_key text')

const LOCK_SOFT_BOUNCES = `insert into soft_bounce as s (team_id, address_key, updated_at)
  select k.team_id, k.address_key, $1::timestamptz
  from unnest(${KEYS.arraysFrom(2)}) as k (${KEYS.names})
  order by k.team_id, k.address_key collate "C"
  on conflict (team_id, address_key) do update
  set updated_at = excluded.updated_at`

/** Locks the counting of soft bounces of these addresses, sorted by key. */
export async function lockSoftBounces(tx: Tx, keys: readonly AddressKey[], now: Date): Promise<void> {
  await tx.query(LOCK_SOFT_BOUNCES, [now, ...KEYS.values(keys)])
}

/** Returns the newest finished emails to each of the locked addresses, newest first, without those counted before. */
export async function listCountedOutcomes(tx: Tx, keys: readonly AddressKey[]): Promise<CountedOutcome[]> {
  return tx.query<CountedOutcome>(
    `select s.team_id, s.address_key, d.email_id, d.status, d.category
     from unnest(${KEYS.arrays}) as k (${KEYS.names})
     join soft_bounce s on s.team_id = k.team_id and s.address_key = k.address_key
     cross join lateral (
       select n.email_id, n.status, n.category
       from (
         select d.email_id, d.status, d.category
         from delivery d
         where d.team_id = s.team_id
           and d.address_key = s.address_key
           and (s.counted_until is null or d.email_id > s.counted_until)
         order by d.email_id desc
         limit ${EMAILS_MAX}
       ) n
       where n.status in ('sent', 'delivered', 'bounced', 'failed')
       order by n.email_id desc
       limit ${OUTCOMES_MAX}
     ) d
     order by d.email_id desc`,
    KEYS.values(keys),
  )
}

const COUNTED = batchOf('team_id uuid, address_key text, email_id uuid')

const CLOSE_SOFT_BOUNCE_ROWS = `update soft_bounce s
  set counted_until = k.email_id
  from unnest(${COUNTED.arrays}) as k (${COUNTED.names})
  where s.team_id = k.team_id and s.address_key = k.address_key`

/** Restarts counting after `emailId`. */
export async function closeSoftBounceRows(
  tx: Tx,
  rows: readonly (AddressKey & { emailId: string })[],
): Promise<void> {
  await tx.query(CLOSE_SOFT_BOUNCE_ROWS, COUNTED.values(rows))
}

/**
 * Deletes addresses without a full mailbox since `before`, at most `countMax`. Returns the number of deleted
 * addresses.
 */
export async function forgetSoftBounces(db: Queryable, before: Date, countMax: number): Promise<number> {
  const rows = await db.query(
    `delete from soft_bounce s
     using (
       select team_id, address_key
       from soft_bounce
       where updated_at < $1
       limit $2
       for update skip locked
     ) old
     where s.team_id = old.team_id and s.address_key = old.address_key
     returning s.team_id`,
    [before, countMax],
  )
  return rows.length
}
