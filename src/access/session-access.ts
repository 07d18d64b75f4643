import { SESSION_MS_MAX } from '../config/single-sign-on.ts'
import type { Db, Queryable } from '../db/db-types.ts'
import { ApiError } from '../lib/api-error.ts'
import { newToken } from '../lib/crypto/random-token.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Caller } from './caller.ts'
import { createLastUse } from './last-use.ts'
import { parsePlan } from './plans.ts'
import {
  deleteOldestSessions,
  findSessionsByHash,
  insertSession,
  type Session,
  type SessionUse,
  type TeamOfUser,
  touchSessions,
} from './sessions-queries.ts'
import { createTokenLookup } from './token-lookup.ts'

const DAY_MS = 24 * 3_600_000
/** A session that is unused for this long ends. */
export const SESSION_IDLE_MS = 14 * DAY_MS
/** Maximum age of a session, even when it is used. */
export const SESSION_LIFETIME_MS = SESSION_MS_MAX
/** Maximum number of sessions of a user; a further login ends the oldest. */
const SESSIONS_MAX = 50

/** A logged-in user. */
export interface LoggedIn {
  sessionId: string
  userId: string
  isOperator: boolean
  /** When the user logged in. */
  startedAt: Date
  /** The teams of the user. */
  teams: readonly TeamOfUser[]
}

export interface SessionAccess {
  /** Returns the user of a session cookie. Throws ApiError (`not_logged_in`), DatabaseUnavailable. */
  authenticate(token: string): Promise<LoggedIn>
  forget(): void
  stop(): Promise<void>
}

/**
 * Creates session authentication with a cache of less than a second (token-lookup.ts). The key authenticator listens for
 * changes and calls `forget`.
 */
export function createSessionAccess({ db, clock, log }: { db: Db; clock: Clock; log: Log }): SessionAccess {
  const write = (uses: readonly SessionUse[]) => touchSessions(db, uses)
  const uses = createLastUse<SessionUse>({ clock, log, kind: 'sessions', write })
  const sessions = createTokenLookup((hashes) => findSessionsByHash(db, hashes))

  return {
    async authenticate(token) {
      const session = await sessions.find(token)
      const now = clock.now()
      if (session === null || isOver(session, now)) throw new ApiError('not_logged_in')
      uses.record(session.id, { id: session.id, at: now })
      const { id, userId, isOperator, createdAt, teams } = session
      return { sessionId: id, userId, isOperator, startedAt: createdAt, teams }
    },
    forget: () => sessions.forget(),
    stop: () => uses.stop(),
  }
}

/** Returns whether a session has ended. Last uses are written to the minute, so it may end up to a minute early. */
function isOver({ lastSeenAt, expiresAt }: Session, now: Date): boolean {
  return expiresAt <= now || lastSeenAt.getTime() + SESSION_IDLE_MS <= now.getTime()
}

/** Returns the caller for a team; null when the user is not a member. */
export function callerOf({ userId, teams }: LoggedIn, teamId: string): Caller | null {
  const team = teams.find(({ id }) => id === teamId)
  if (team === undefined) return null
  const plan = parsePlan(team.plan)
  if (plan === null) throw new Error(`team ${teamId} has the unknown plan ${team.plan}`)
  const user = { id: userId, role: team.role }
  const unlimited = { permission: 'full', domainId: null, expiresAt: null } as const
  return { teamId, keyId: null, user, ...unlimited, plan, isSendingPaused: team.sendingPausedAt !== null }
}

export interface NewSession {
  session: Session
  /** The cookie's value. Only this result contains it; it is never stored. */
  token: string
}

/** The user of a session, and the browser that it runs in. */
export type SessionOwner = Pick<Session, 'userId' | 'ipAddress' | 'userAgent'>

/**
 * Starts a new session for a user, regardless of any existing one in the browser.
 * @param lifetimeMs at most SESSION_LIFETIME_MS
 */
export async function startSession(
  tx: Queryable,
  { userId, ipAddress, userAgent }: SessionOwner,
  now: Date,
  lifetimeMs = SESSION_LIFETIME_MS,
): Promise<NewSession> {
  const { token, hash } = newToken()
  const session: Session = {
    id: newId(now.getTime()),
    userId,
    ipAddress,
    userAgent,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + Math.min(lifetimeMs, SESSION_LIFETIME_MS)),
  }
  await insertSession(tx, session, hash)
  await deleteOldestSessions(tx, userId, SESSIONS_MAX)
  return { session, token }
}
