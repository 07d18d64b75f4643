import { arrays } from '../db/arrays.ts'
import { batchOf } from '../db/batch.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import type { Role } from './memberships-queries.ts'

export interface Session {
  id: string
  userId: string
  ipAddress: string
  userAgent: string | null
  createdAt: Date
  /** To the minute. */
  lastSeenAt: Date
  /** The end of the session, even when it is used. */
  expiresAt: Date
}

/** A session with its user's operator flag and teams, as authentication needs it. */
export interface SessionOfUser extends Session {
  isOperator: boolean
  teams: readonly TeamOfUser[]
}

export interface TeamOfUser {
  id: string
  name: string
  role: Role
  plan: string
  sendingPausedAt: Date | null
  sendingPausedReason: string | null
  sendingPausedBy: string | null
  /** The number of the newest event of the team; 0 for none. Read with the team, so that no change lies between them. */
  feedEnd: number
}

/** Maximum number of teams read for a user: the oldest ones. */
export const TEAMS_OF_USER_MAX = 200

const COLUMNS = `s.id, s.user_id, s.ip_address, s.user_agent,
  s.created_at, s.last_seen_at, s.expires_at`

export async function insertSession(tx: Queryable, session: Session, tokenHash: Buffer): Promise<void> {
  await tx.query(
    `insert into session (id, token_hash, user_id, ip_address, user_agent, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      session.id,
      tokenHash,
      session.userId,
      session.ipAddress,
      session.userAgent,
      session.createdAt,
      session.lastSeenAt,
      session.expiresAt,
    ],
  )
}

interface OfUser extends Session, Omit<TeamOfUser, 'id'> {
  isOperator: boolean
  teamId: string | null
}

/** Returns whether a user's session still exists. The caller has locked the user, so it stays until the transaction ends. */
export async function hasSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await tx.query('select 1 from session where user_id = $1 and id = $2', [userId, id])
  return rows.length > 0
}

/** Finds a session by its token hash; null when none exists. The caller checks whether it has ended. */
export async function findSessionByHash(db: Queryable, tokenHash: Buffer): Promise<SessionOfUser | null> {
  const [session = null] = await findSessionsByHash(db, [tokenHash])
  return session
}

/** Finds the sessions of several tokens, in their order. */
export async function findSessionsByHash(
  db: Queryable,
  tokenHashes: readonly Buffer[],
): Promise<(SessionOfUser | null)[]> {
  const rows = await db.query<OfUser & { tokenHash: Buffer }>(
    `select ${COLUMNS}, s.token_hash, u.is_operator, t.id as team_id, t.name, m.role,
       t.plan, t.sending_paused_at, t.sending_paused_reason,
       t.sending_paused_by, coalesce(f.position, 0) as feed_end
     from session s
     join user_account u on u.id = s.user_id
     left join lateral (
       select team_id, role
       from membership
       where user_id = s.user_id
       order by team_id
       limit ${TEAMS_OF_USER_MAX}
     ) m on true
     left join team t on t.id = m.team_id
     left join event_feed f on f.team_id = m.team_id
     where s.token_hash = any($1::bytea[])
     order by s.id, m.team_id`,
    [arrays.bytea(tokenHashes)],
  )
  const rowsOf = Map.groupBy(rows, (row) => row.tokenHash.toString('base64'))
  return tokenHashes.map((hash) => toSession(rowsOf.get(hash.toString('base64')) ?? []))
}

function toSession(rows: readonly OfUser[]): SessionOfUser | null {
  const [first] = rows
  if (first === undefined) return null
  const { id, userId, ipAddress, userAgent, createdAt, lastSeenAt, expiresAt, isOperator } = first
  const session = { id, userId, ipAddress, userAgent, createdAt, lastSeenAt, expiresAt, isOperator }
  const teams = rows.flatMap((row) => (row.teamId === null ? [] : [{ ...teamOf(row), id: row.teamId }]))
  return { ...session, teams }
}

function teamOf({
  name,
  role,
  plan,
  sendingPausedAt,
  sendingPausedReason,
  sendingPausedBy,
  feedEnd,
}: OfUser) {
  return { name, role, plan, sendingPausedAt, sendingPausedReason, sendingPausedBy, feedEnd }
}

/** Lists the sessions that have not ended, newest first. */
export async function listSessions(
  db: Queryable,
  userId: string,
  now: Date,
  seenAfter: Date,
  countMax: number,
): Promise<Session[]> {
  return db.query<Session>(
    `select ${COLUMNS}
     from session s
     where s.user_id = $1 and s.expires_at > $2 and s.last_seen_at > $3
     order by s.id desc
     limit $4`,
    [userId, now, seenAfter, countMax],
  )
}

/** Deletes a session. Returns false when the user has no such session. */
export async function deleteSession(db: Queryable, userId: string, id: string): Promise<boolean> {
  const rows = await db.query('delete from session where user_id = $1 and id = $2 returning id', [userId, id])
  return rows.length > 0
}

/** Deletes the sessions of a user except `but`; null deletes all. Returns the number deleted. */
export async function deleteSessionsOf(tx: Queryable, userId: string, but: string | null): Promise<number> {
  const rows = await tx.query(
    'delete from session where user_id = $1 and ($2::uuid is null or id <> $2) returning id',
    [userId, but],
  )
  return rows.length
}

/** Deletes all but a user's newest `keptMax` sessions. */
export async function deleteOldestSessions(tx: Queryable, userId: string, keptMax: number): Promise<void> {
  await tx.query(
    `delete from session
     where user_id = $1 and id in (select id from session where user_id = $1 order by id desc offset $2)`,
    [userId, keptMax],
  )
}

export interface SessionUse {
  id: string
  at: Date
}

const USES = batchOf('id uuid, at timestamptz')

/** Records when sessions were last used, in one statement. An older time never replaces a newer one. */
export async function touchSessions(db: Queryable, uses: readonly SessionUse[]): Promise<void> {
  const sorted = [...uses].sort((a, b) => (a.id < b.id ? -1 : 1))
  await db.query(
    `update session s
     set last_seen_at = greatest(s.last_seen_at, u.at)
     from unnest(${USES.arrays}) as u (${USES.names})
     where s.id = u.id`,
    USES.values(sorted),
  )
}
