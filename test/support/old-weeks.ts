import { randomBytes } from 'node:crypto'
import type { Db } from '../../src/db/db-types.ts'
import { makePartition, partitionsAt } from '../../src/db/partitions/partitions.ts'
import { firstIdAt } from '../../src/lib/ids.ts'
import { createTeam } from '../../src/teams/teams.ts'

export const DAY_MS = 24 * 3_600_000
export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** Returns a unique id with the given time. */
export const idAt = (at: Date): string => firstIdAt(at).slice(0, 24) + randomBytes(6).toString('hex')

/** Creates the partitions of the week of `at`. */
export async function makeWeekOf(db: Db, at: Date): Promise<void> {
  const client = await db.connect()
  try {
    for (const partition of partitionsAt(at)) await makePartition(client, partition)
  } finally {
    await client.end()
  }
}

export async function givenTeamRow(db: Db): Promise<string> {
  const { id } = await db.transaction((tx) => createTeam(tx, { name: 'Acme', plan: 'unlimited' }, new Date()))
  return id
}

interface OldEmail {
  at: Date
  /** The status of the only recipient. */
  status?: 'delivered' | 'scheduled'
  scheduledAt?: Date
  bytes?: number
}

/**
 * Inserts emails as acceptance and delivery leave them, each with a tag, an attempt and an event. Returns their ids.
 */
export async function insertOldEmails(
  db: Db,
  teamId: string,
  count: number,
  { at, status = 'delivered', scheduledAt, bytes = 100 }: OldEmail,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => idAt(at)).sort()
  const dueAt = status === 'scheduled' ? scheduledAt : null
  await db.query(
    `with e as (
       insert into email (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, tags,
         recipient_count, status, last_event, size, scheduled_at, created_at)
       select $1, id, $1, id || '@x.test', 'a@x.test', 'a@x.test', '{"to":["b@y.test"],"cc":[],"bcc":[],"reply_to":[]}',
         'Old', '[{"name":"kind","value":"receipt"}]', 1, $3, $3, 100, $4, $5
       from unnest($2::uuid[]) as k (id)
     ),
     t as (
       insert into email_tag (team_id, name, value, email_id)
       select $1, 'kind', 'receipt', id from unnest($2::uuid[]) as k (id)
     ),
     c as (
       insert into email_content (team_id, email_id, encoding, message, smtp_utf8)
       select $1, id, 'identity', $7, false from unnest($2::uuid[]) as k (id)
     ),
     d as (
       insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, due_at, attempts,
         expires_at, updated_at)
       select $1, id, 0, 'to', 'b@y.test', 'b@y.test', 'y.test', $3, false, $6, 1, $5, $5 from unnest($2::uuid[]) as k (id)
     ),
     a as (
       insert into attempt (team_id, email_id, no, attempt, started_at, duration_ms, outcome, category, conversation)
       select $1, id, 0, 1, $5, 1, 'delivered', 'accepted', '' from unnest($2::uuid[]) as k (id)
     ),
     f as (
       insert into event_feed as f (team_id, position) values ($1, $8)
       on conflict (team_id) do update set position = f.position + $8
       returning position
     ),
     u as (
       insert into usage as u (team_id, month, month_recipients, day, day_recipients, emails)
       values ($1, date_trunc('month', $5::timestamptz)::date, 0, '2026-01-01', 0, $8)
       on conflict (team_id, month) do update set emails = u.emails + $8
     )
     insert into event (team_id, subject_id, id, type, data, created_at, position)
     select $1, id, id, 'email.delivered', '{}', $5, f.position - $8 + row_number() over (order by id)
     from unnest($2::uuid[]) as k (id), f`,
    [teamId, ids, status, scheduledAt ?? null, at, dueAt, randomBytes(bytes), count],
  )
  return ids
}

/** Marks all events as counted, so that no reader of the feed is behind. */
export async function countAllEvents(db: Db): Promise<void> {
  await db.query(
    `insert into metric_feed (team_id, position)
     select team_id, position from event_feed
     on conflict (team_id) do update set position = excluded.position`,
  )
}

const TABLES = ['email', 'email_content', 'email_tag', 'delivery', 'attempt', 'event', 'webhook_delivery']
/** One statement, because each connection that plans for the weeks of a table reads all of them first. */
const COUNTS = TABLES.map(
  (table) => `select '${table}' as table, count(*)::int4 as count from ${table} where team_id = $1`,
).join(' union all ')

/** Counts the rows of a team in each table. */
export async function countRows(db: Db, teamId: string): Promise<Record<string, number>> {
  const rows = await db.query<{ table: string; count: number }>(COUNTS, [teamId])
  return Object.fromEntries(rows.map(({ table, count }) => [table, count]))
}
