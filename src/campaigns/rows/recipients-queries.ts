/**
 * Statements about some recipients join them to a subselect `k` that holds their whole key, and their state if it matters, and
 * that `offset 0` keeps apart. With the campaign or the state as a parameter, the planner would expect that it has a few
 * recipients, as most campaigns may, and read all of a million for each of a hundred contacts.
 */
import type { ContactCondition } from '../../audience/segments/contact-condition.ts'
import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'

export type RecipientState = 'waiting' | 'accepted' | 'skipped' | 'failed'

/** The campaign that a statement is about. */
export interface CampaignKey {
  teamId: string
  id: string
}

/** A part of the audience that was read: up to which contact, and how many were tested. */
export interface AudiencePart {
  last: string | null
  testedCount: number
}

/** Failed recipients that wait again: the last of them, and how many they are. `leftCount` others have failed. */
export interface RetriedPart {
  last: string | null
  count: number
  leftCount: number
}

/** Returns the newest contact of a team, deleted or not; null if it never had any. */
export async function findNewestContactId(db: Queryable, teamId: string): Promise<string | null> {
  const rows = await db.query<{ id: string }>(
    'select id from contact where team_id = $1 order by id desc limit 1',
    [teamId],
  )
  return rows[0]?.id ?? null
}

/**
 * Adds the contacts of the audience among the next `countMax` contacts of the team. Reads contacts in the order of their ids, so
 * that each is tested once however often the process dies.
 * @param range contacts behind `after`, up to `until`
 * @param hasZones whether the time zones of contacts count
 */
export async function addAudience(
  tx: Tx,
  { teamId, id }: CampaignKey,
  condition: ContactCondition,
  { after, until }: { after: string | null; until: string },
  countMax: number,
  now: Date,
  hasZones = false,
): Promise<AudiencePart> {
  const values: unknown[] = [teamId, id, after, countMax, now, until, hasZones]
  const place = (value: unknown) => `$${values.push(value)}`
  const rows = await tx.query<AudiencePart & { addedCount: number }>(
    `with tested as materialized (
       select *
       from contact c
       where c.team_id = $1 and c.deleted_at is null and ($3::uuid is null or c.id > $3) and c.id <= $6
       order by c.id
       limit $4
     ),
     added as (
       insert into campaign_recipient (team_id, campaign_id, contact_id, state, updated_at, time_zone)
       select c.team_id, $2, c.id, 'waiting', $5, case when $7::boolean then coalesce(c.time_zone, '') end
       from tested c
       where not c.unsubscribed and (${condition.sql(place)})
       on conflict do nothing
       returning 1
     )
     select max(id::text)::uuid as last, count(*)::int4 as tested_count,
       (select count(*)::int4 from added) as added_count
     from tested`,
    values,
    { isOneOff: true },
  )
  const { addedCount, ...part } = rows[0] ?? { last: null, testedCount: 0, addedCount: 0 }
  await tx.query(
    'update campaign_progress set waiting = waiting + $3 where team_id = $1 and campaign_id = $2',
    [teamId, id, addedCount],
  )
  return part
}

const ANALYZE_TIMEOUT_MS = 30_000

/**
 * Updates the statistics of the table if fewer than `countMin` rows are known. PostgreSQL would do so within minutes, but until then
 * would read the whole table for each statement, as is right for the few rows of earlier campaigns.
 */
export async function analyzeRecipients(db: Queryable, countMin: number): Promise<void> {
  const rows = await db.query<{ isSmall: boolean }>(
    `select reltuples < $1::float4 as is_small
     from pg_class
     where oid = 'campaign_recipient'::regclass`,
    [countMin],
  )
  if (rows[0]?.isSmall !== true) return
  await db.query('analyze campaign_recipient', [], { timeoutMs: ANALYZE_TIMEOUT_MS, isOneOff: true })
}

/**
 * Returns the next waiting recipients, in the order of their contacts.
 * @param range contacts behind `after`, up to `until`; null: from the first, to the last
 */
export async function pickWaiting(
  db: Queryable,
  { teamId, id }: CampaignKey,
  countMax: number,
  { after, until }: { after: string | null; until: string | null } = { after: null, until: null },
): Promise<string[]> {
  const rows = await db.query<{ contactId: string }>(
    `select contact_id
     from campaign_recipient
     where team_id = $1 and campaign_id = $2 and state = 'waiting'
       and contact_id > coalesce($4::uuid, '00000000-0000-0000-0000-000000000000')
       and contact_id <= coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
     order by contact_id
     limit $3`,
    [teamId, id, countMax, after, until],
  )
  return rows.map(({ contactId }) => contactId)
}

/**
 * Locks a campaign against changes of its status and rate, and those of its recipients that still wait and may get mail. Returns
 * the contacts; none if the campaign is not being sent, or not with this version.
 */
export async function lockWaiting(
  tx: Tx,
  { teamId, id, version }: CampaignKey & { version: number },
  contactIds: readonly string[],
): Promise<{ contactIds: Set<string>; ratePerHour: number | null }> {
  const rows = await tx.query<{ contactId: string; ratePerHour: number | null }>(
    `with sending as materialized (
       select rate_per_hour
       from campaign
       where team_id = $1 and id = $2 and status = 'sending' and version = $3
       for share
     )
     select r.contact_id, s.rate_per_hour
     from sending s
     cross join (
       select $1::uuid as team_id, $2::uuid as campaign_id, 'waiting' as state, contact_id
       from unnest($4::uuid[]) as u (contact_id)
       offset 0
     ) as k
     join campaign_recipient r on r.team_id = k.team_id and r.campaign_id = k.campaign_id and r.state = k.state
       and r.contact_id = k.contact_id
     join contact c on c.team_id = k.team_id and c.id = k.contact_id
     where c.deleted_at is null and not c.unsubscribed
     order by r.contact_id
     for update of r`,
    [teamId, id, version, arrays.uuid(contactIds)],
  )
  return {
    contactIds: new Set(rows.map(({ contactId }) => contactId)),
    ratePerHour: rows[0]?.ratePerHour ?? null,
  }
}

const EMAILS = batchOf('contact_id uuid, email_id uuid')

/**
 * Records the emails of recipients. Must run in the transaction that accepts them and has locked them (`lockWaiting`): the
 * counts assume that every row changes.
 * @param pacedUntil when the next email may be accepted; null: the campaign has no rate
 */
export async function recordAccepted(
  tx: Tx,
  { teamId, id }: CampaignKey,
  emails: readonly { contactId: string; emailId: string }[],
  { now, pacedUntil }: { now: Date; pacedUntil: Date | null },
): Promise<void> {
  await together([
    tx.query(
      `update campaign_recipient r
       set state = 'accepted', email_id = k.email_id, reason = null, updated_at = $3
       from (
         select $1::uuid as team_id, $2::uuid as campaign_id, contact_id, email_id
         from unnest(${EMAILS.arraysFrom(4)}) as u (${EMAILS.names})
         offset 0
       ) as k
       where r.team_id = k.team_id and r.campaign_id = k.campaign_id and r.contact_id = k.contact_id`,
      [teamId, id, now, ...EMAILS.values(emails)],
    ),
    tx.query(
      `update campaign_progress p
       set waiting = p.waiting - $5, accepted = p.accepted + $5, paced_until = coalesce($4, p.paced_until),
         recent = $5::int4 + case when $3::timestamptz - p.recent_at < '10 minutes'
           then p.recent * exp(-greatest(0, extract(epoch from $3 - p.recent_at)::float8) / 300) else 0 end,
         recent_since = case when $3::timestamptz - p.recent_at < '10 minutes' then p.recent_since else $3 end,
         recent_at = $3
       where p.team_id = $1 and p.campaign_id = $2`,
      [teamId, id, now, pacedUntil, emails.length],
    ),
  ])
}

const REFUSED = batchOf('contact_id uuid, reason text')

/** Ends the wait of recipients that get no email. */
export async function recordRefused(
  tx: Tx,
  { teamId, id }: CampaignKey,
  state: 'skipped' | 'failed',
  refused: readonly { contactId: string; reason: string }[],
  now: Date,
): Promise<void> {
  const changed = await tx.query(
    `update campaign_recipient r
     set state = $3, reason = k.reason, updated_at = $4
     from (
       select $1::uuid as team_id, $2::uuid as campaign_id, 'waiting' as state, contact_id, reason
       from unnest(${REFUSED.arraysFrom(5)}) as u (${REFUSED.names})
       offset 0
     ) as k
     where r.team_id = k.team_id and r.campaign_id = k.campaign_id and r.state = k.state
       and r.contact_id = k.contact_id
     returning 1`,
    [teamId, id, state, now, ...REFUSED.values(refused)],
  )
  await tx.query(
    `update campaign_progress
     set waiting = waiting - $4,
       skipped = skipped + case when $3 = 'skipped' then $4 else 0 end,
       failed = failed + case when $3 = 'failed' then $4 else 0 end
     where team_id = $1 and campaign_id = $2`,
    [teamId, id, state, changed.length],
  )
}

/**
 * Lets the next `countMax` failed recipients behind a contact wait again. Returns the last of them, how many they are, and how many
 * others have failed.
 */
export async function retryFailed(
  tx: Tx,
  { teamId, id }: CampaignKey,
  after: string | null,
  countMax: number,
  now: Date,
): Promise<RetriedPart> {
  const [part = { last: null, count: 0 }] = await tx.query<Pick<RetriedPart, 'last' | 'count'>>(
    `with failed as materialized (
       select team_id, campaign_id, contact_id
       from campaign_recipient
       where team_id = $1 and campaign_id = $2 and state = 'failed'
         and contact_id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
       order by contact_id
       limit $4
     ),
     changed as (
       update campaign_recipient r
       set state = 'waiting', reason = null, updated_at = $5
       from failed f
       where r.team_id = f.team_id and r.campaign_id = f.campaign_id and r.contact_id = f.contact_id
       returning r.contact_id
     )
     select max(contact_id::text)::uuid as last, count(*)::int4 as count
     from changed`,
    [teamId, id, after, countMax, now],
  )
  const [left = { leftCount: 0 }] = await tx.query<Pick<RetriedPart, 'leftCount'>>(
    `update campaign_progress
     set waiting = waiting + $3, failed = failed - $3
     where team_id = $1 and campaign_id = $2
     returning failed as left_count`,
    [teamId, id, part.count],
  )
  return { ...part, ...left }
}

/**
 * Returns whether any email of the campaign waits for its delivery. Both parts name an index of what is in the queue, which is
 * mostly much less than what the campaign has sent.
 */
export async function hasQueued(db: Queryable, { teamId, id }: CampaignKey): Promise<boolean> {
  const rows = await db.query(
    `(select 1
      from delivery d
      join campaign_recipient r on r.team_id = d.team_id and r.email_id = d.email_id
      where d.team_id = $1 and d.ready and r.team_id = $1 and r.campaign_id = $2
      limit 1)
     union all
     (select 1
      from delivery d
      join campaign_recipient r on r.team_id = d.team_id and r.email_id = d.email_id
      where d.team_id = $1 and d.due_at is not null and not d.ready
        and coalesce(d.leased_until, d.due_at) >= '-infinity' and r.team_id = $1 and r.campaign_id = $2
      limit 1)
     limit 1`,
    [teamId, id],
  )
  return rows.length > 0
}

/**
 * Counts the latest emails of a campaign that wait for their first attempt, up to `countMax`. Those that wait for a site that
 * cannot be reached do not count, because that may take days.
 */
export async function countQueued(
  db: Queryable,
  { teamId, id }: CampaignKey,
  countMax: number,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (
       select email_id
       from campaign_recipient
       where team_id = $1 and campaign_id = $2 and email_id is not null
       order by email_id desc
       limit $3
     ) as r
     join delivery d on d.team_id = $1 and d.email_id = r.email_id
     where d.due_at is not null and d.attempts = 0 and d.waits_for is null`,
    [teamId, id, countMax],
  )
  return rows[0]?.count ?? 0
}
