import { arrays } from '../db/arrays.ts'
import type { Queryable, Tx } from '../db/db-types.ts'

/** An address of a team, in the form in which addresses are compared. */
export interface AddressKey {
  teamId: string
  addressKey: string
}

/** An email's outcome at an address, for counting. */
export interface CountedOutcome extends AddressKey {
  emailId: string
  status: string
  category: string | null
}

/** Enough to see a short row. */
const OUTCOMES_MAX = 50
/**
 * A full mailbox is often told only when an email's lifetime is over: by then newer ones wait at the same address. So
 * many emails are looked at for those that have ended: three days of three hundred a day.
 */
const EMAILS_MAX = 1000

const keysOf = (keys: readonly AddressKey[]) => [
  arrays.uuid(keys.map((key) => key.teamId)),
  arrays.text(keys.map((key) => key.addressKey)),
]

/** Whoever counts the soft bounces of these addresses waits for whoever does already. Sorted by key. */
export async function lockSoftBounces(tx: Tx, keys: readonly AddressKey[], now: Date): Promise<void> {
  await tx.query(
    `insert into soft_bounce as s (team_id, address_key, updated_at)
     select k.team_id, k.address_key, $3::timestamptz
     from unnest($1::uuid[], $2::text[]) as k (team_id, address_key)
     order by k.team_id, k.address_key collate "C"
     on conflict (team_id, address_key) do update
     set updated_at = excluded.updated_at`,
    [...keysOf(keys), now],
  )
}

/** The newest emails to each of the locked addresses that have ended, newest first, without those that were counted before. */
export async function listCountedOutcomes(tx: Tx, keys: readonly AddressKey[]): Promise<CountedOutcome[]> {
  return tx.query<CountedOutcome>(
    `select s.team_id, s.address_key, d.email_id, d.status, d.category
     from unnest($1::uuid[], $2::text[]) as k (team_id, address_key)
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
    keysOf(keys),
  )
}

/** From now on only emails behind `emailId` are counted. */
export async function closeSoftBounceRows(
  tx: Tx,
  rows: readonly (AddressKey & { emailId: string })[],
): Promise<void> {
  await tx.query(
    `update soft_bounce s
     set counted_until = k.email_id
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as k (team_id, address_key, email_id)
     where s.team_id = k.team_id and s.address_key = k.address_key`,
    [...keysOf(rows), arrays.uuid(rows.map((row) => row.emailId))],
  )
}

/** Forgets addresses whose mailbox was not full since then; at most `countMax`. Returns how many. */
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
