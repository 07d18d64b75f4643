import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { AnnouncedAlert } from './compare-alerts.ts'

/** A team whose alerts somebody wants. */
export interface AlertWatch {
  teamId: string
  /** When its alerts are next compared. Only the process that moved it compares them. */
  nextAt: Date
}

/** Starts to watch a team, now. The watch stays locked until the transaction ends. */
export async function upsertWatch(tx: Tx, { teamId, nextAt }: AlertWatch): Promise<void> {
  await tx.query(
    `insert into alert_watch (team_id, next_at)
     values ($1, $2)
     on conflict (team_id) do update set next_at = excluded.next_at`,
    [teamId, nextAt],
  )
}

/** Takes up to `countMax` due teams, the longest due first, by moving them to `nextAt`. */
export async function claimWatches(
  db: Queryable,
  now: Date,
  nextAt: Date,
  countMax: number,
): Promise<AlertWatch[]> {
  return db.query<AlertWatch>(
    `update alert_watch w
     set next_at = $2
     from (
       select team_id
       from alert_watch
       where next_at <= $1
       order by next_at
       limit $3
       for update skip locked
     ) due
     where w.team_id = due.team_id
     returning w.team_id, w.next_at`,
    [now, nextAt, countMax],
  )
}

/** Locks a watch until the transaction ends. Returns false if another process has taken it since. */
export async function lockWatch(tx: Tx, { teamId, nextAt }: AlertWatch): Promise<boolean> {
  const rows = await tx.query(
    'select team_id from alert_watch where team_id = $1 and next_at = $2 for update',
    [teamId, nextAt],
  )
  return rows.length > 0
}

/** Locks the watch of a team, if there is one, so that no message is written meanwhile. */
export async function holdWatch(tx: Tx, teamId: string): Promise<void> {
  await tx.query('select team_id from alert_watch where team_id = $1 for update', [teamId])
}

export async function deleteWatch(tx: Tx, teamId: string): Promise<void> {
  await tx.query('delete from alert_watch where team_id = $1', [teamId])
}

export interface AnnouncedRow extends AnnouncedAlert {
  channelId: string
}

/** Lists what all channels of a team were told. */
export async function listAnnounced(db: Queryable, teamId: string): Promise<AnnouncedRow[]> {
  return db.query<AnnouncedRow>(
    `select channel_id, kind, subject, name, severity, told_at, missing_since, ended_at
     from alert_told
     where team_id = $1`,
    [teamId],
  )
}

const TOLD = batchOf(
  `kind text, subject text, name text, severity text, told_at timestamptz, missing_since timestamptz,
   ended_at timestamptz`,
)

export async function upsertAnnounced(
  tx: Tx,
  teamId: string,
  channelId: string,
  announced: readonly AnnouncedAlert[],
): Promise<void> {
  if (announced.length === 0) return
  const rows = announced.toSorted(byKey)
  await tx.query(
    `insert into alert_told (team_id, channel_id, ${TOLD.names})
     select $1::uuid, $2::uuid, k.*
     from unnest(${TOLD.arraysFrom(3)}) as k (${TOLD.names})
     on conflict (team_id, channel_id, kind, subject) do update
     set name = excluded.name, severity = excluded.severity, told_at = excluded.told_at,
       missing_since = excluded.missing_since, ended_at = excluded.ended_at`,
    [teamId, channelId, ...TOLD.values(rows)],
  )
}

const KEYS = batchOf('kind text, subject text')

export async function deleteAnnounced(
  tx: Tx,
  teamId: string,
  channelId: string,
  announced: readonly Pick<AnnouncedAlert, 'kind' | 'subject'>[],
): Promise<void> {
  if (announced.length === 0) return
  await tx.query(
    `delete from alert_told t
     using unnest(${KEYS.arraysFrom(3)}) as k (${KEYS.names})
     where t.team_id = $1 and t.channel_id = $2 and t.kind = k.kind and t.subject = k.subject`,
    [teamId, channelId, ...KEYS.values(announced)],
  )
}

/** Forgets what a channel was told, so that its next message is a summary. */
export async function forgetAnnounced(tx: Tx, teamId: string, channelId: string): Promise<void> {
  await tx.query('delete from alert_told where team_id = $1 and channel_id = $2', [teamId, channelId])
}

function byKey(a: AnnouncedAlert, b: AnnouncedAlert): number {
  return compare(a.kind, b.kind) || compare(a.subject, b.subject)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
