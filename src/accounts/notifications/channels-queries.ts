import type { Role } from '../../access/memberships-queries.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { AlertKind } from '../../metrics/alerts/alert.ts'

/** Who gets a team's alerts: a member by email, or the team's webhook, whose id is the team's. */
export interface AlertChannel {
  teamId: string
  id: string
  type: 'email' | 'webhook'
  isEnabled: boolean
  kinds: AlertKind[]
  everyMinutes: number
  url: string | null
  /** Sealed by lib/crypto/seal.ts. */
  sealedSecret: Buffer | null
  /** Null until the first summary. */
  startedAt: Date | null
  lastMessageAt: Date | null
  testedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = `c.team_id, c.id, c.type, c.is_enabled, c.kinds, c.every_minutes, c.url, c.sealed_secret, c.started_at,
  c.last_message_at, c.tested_at, c.created_at, c.updated_at`

/** Finds a member's channel by the user's id, and the team's webhook by the team's. */
export async function findChannel(db: Queryable, teamId: string, id: string): Promise<AlertChannel | null> {
  const rows = await db.query<AlertChannel>(
    `select ${COLUMNS}
     from alert_channel c
     where c.team_id = $1 and c.id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Finds a channel and locks it until the transaction ends. */
export async function lockChannel(tx: Tx, teamId: string, id: string): Promise<AlertChannel | null> {
  const rows = await tx.query<AlertChannel>(
    `select ${COLUMNS}
     from alert_channel c
     where c.team_id = $1 and c.id = $2
     for update`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** A channel and the role of its member; null for the webhook, and for a person who left. */
export interface RoledChannel extends AlertChannel {
  role: Role | null
}

export async function listEnabledChannels(db: Queryable, teamId: string): Promise<RoledChannel[]> {
  return db.query<RoledChannel>(
    `select ${COLUMNS}, m.role
     from alert_channel c
     left join membership m on m.team_id = c.team_id and m.user_id = c.id
     where c.team_id = $1 and c.is_enabled
     order by c.id`,
    [teamId],
  )
}

/** Inserts a channel, or saves its settings. */
export async function saveChannel(tx: Tx, channel: AlertChannel): Promise<void> {
  const { teamId, id, type, isEnabled, kinds, everyMinutes, url, sealedSecret } = channel
  await tx.query(
    `insert into alert_channel (team_id, id, type, is_enabled, kinds, every_minutes, url, sealed_secret, started_at,
       last_message_at, tested_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (team_id, id) do update
     set is_enabled = excluded.is_enabled, kinds = excluded.kinds, every_minutes = excluded.every_minutes,
       url = excluded.url, sealed_secret = excluded.sealed_secret, started_at = excluded.started_at,
       last_message_at = excluded.last_message_at, tested_at = excluded.tested_at, updated_at = excluded.updated_at`,
    [
      teamId,
      id,
      type,
      isEnabled,
      kinds,
      everyMinutes,
      url,
      sealedSecret,
      channel.startedAt,
      channel.lastMessageAt,
      channel.testedAt,
      channel.createdAt,
      channel.updatedAt,
    ],
  )
}

/** Deletes a channel with its messages, and what it was told. Returns false if there is none. */
export async function deleteChannel(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query('delete from alert_channel where team_id = $1 and id = $2 returning id', [
    teamId,
    id,
  ])
  await tx.query('delete from alert_told where team_id = $1 and channel_id = $2', [teamId, id])
  await tx.query('delete from alert_message where team_id = $1 and channel_id = $2', [teamId, id])
  return rows.length > 0
}
