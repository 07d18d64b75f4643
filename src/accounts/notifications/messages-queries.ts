import type { Queryable, Tx } from '../../db/db-types.ts'
import type { AlertMessageContent } from './compare-alerts.ts'

/** A message to one channel of a team. */
export interface AlertMessage {
  teamId: string
  id: string
  channelId: string
  reason: 'summary' | 'change' | 'test'
  content: AlertMessageContent
  status: 'waiting' | 'sent' | 'failed'
  attempts: number
  dueAt: Date | null
  error: string | null
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = `m.team_id, m.id, m.channel_id, m.reason, m.content, m.status, m.attempts, m.due_at, m.error, m.created_at,
  m.updated_at`

/** Inserts a message that is due at once. */
export async function insertMessage(
  tx: Tx,
  message: Pick<AlertMessage, 'teamId' | 'id' | 'channelId' | 'reason' | 'content' | 'createdAt'>,
): Promise<AlertMessage> {
  const { teamId, id, channelId, reason, content, createdAt } = message
  const rows = await tx.query<AlertMessage>(
    `insert into alert_message as m (team_id, id, channel_id, reason, content, status, attempts, due_at, created_at,
       updated_at)
     values ($1, $2, $3, $4, $5, 'waiting', 0, $6, $6, $6)
     returning ${COLUMNS}`,
    [teamId, id, channelId, reason, JSON.stringify(content), createdAt],
  )
  return rows[0] as AlertMessage
}

/** Takes up to `countMax` due messages by moving them to `leasedUntil`. Each is counted as an attempt. */
export async function claimMessages(
  db: Queryable,
  nodeId: string,
  now: Date,
  leasedUntil: Date,
  countMax: number,
): Promise<AlertMessage[]> {
  return db.query<AlertMessage>(
    `update alert_message m
     set due_at = $3, leased_by = $1, attempts = m.attempts + 1
     from (
       select team_id, id
       from alert_message
       where due_at <= $2
       order by due_at
       limit $4
       for update skip locked
     ) due
     where m.team_id = due.team_id and m.id = due.id
     returning ${COLUMNS}`,
    [nodeId, now, leasedUntil, countMax],
  )
}

/** Writes the result of an attempt, unless another process has taken the message since. */
export async function settleMessage(
  db: Queryable,
  message: Pick<AlertMessage, 'teamId' | 'id' | 'attempts' | 'status' | 'dueAt' | 'error'>,
  nodeId: string,
  now: Date,
): Promise<void> {
  const { teamId, id, attempts, status, dueAt, error } = message
  await db.query(
    `update alert_message
     set status = $5, due_at = $6, error = $7, leased_by = null, updated_at = $8
     where team_id = $1 and id = $2 and leased_by = $3 and attempts = $4`,
    [teamId, id, nodeId, attempts, status, dueAt, error, now],
  )
}

/** Lists the newest messages of some channels. */
export async function listMessages(
  db: Queryable,
  teamId: string,
  channelIds: readonly string[],
  countMax: number,
): Promise<AlertMessage[]> {
  return db.query<AlertMessage>(
    `select ${COLUMNS}
     from alert_message m
     where m.team_id = $1 and m.channel_id = any($2::uuid[])
     order by m.id desc
     limit $3`,
    [teamId, channelIds, countMax],
  )
}

/** Deletes up to `countMax` messages of all teams that are no longer waiting. Returns the number deleted. */
export async function forgetMessages(db: Queryable, before: Date, countMax: number): Promise<number> {
  const rows = await db.query(
    `delete from alert_message m
     using (
       select team_id, id
       from alert_message
       where created_at < $1 and due_at is null
       order by created_at
       limit $2
       for update skip locked
     ) old
     where m.team_id = old.team_id and m.id = old.id
     returning m.id`,
    [before, countMax],
  )
  return rows.length
}
