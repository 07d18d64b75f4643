import { DatabaseUnavailable, type Db, type Queryable } from '../db/db-types.ts'
import { ApiError } from '../lib/api-error.ts'
import { createBatcher } from '../lib/async/batcher.ts'
import { hashToken, newToken } from '../lib/crypto/random-token.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Caller } from './authenticate.ts'
import { createLastUse } from './last-use.ts'
import { parsePlan } from './plans.ts'
import {
  deleteOldestSessions,
  findSessionsByHash,
  insertSession,
  type Session,
  type SessionOfUser,
  type SessionUse,
  type TeamOfUser,
  touchSessions,
} from './sessions-queries.ts'

const DAY_MS = 24 * 3_600_000
/** Unused for so long, a session is over. */
export const SESSION_IDLE_MS = 14 * DAY_MS
/** However much it is used. */
export const SESSION_LIFETIME_MS = 90 * DAY_MS
/** Of one user; a login beyond that ends the oldest. */
const SESSIONS_MAX = 50
/** As of keys (authenticate.ts): what has changed holds everywhere within a second, hint or no hint. */
const CACHED_MS = 900
const CACHED_COUNT_MAX = 10_000
const LOOKUPS_A_STATEMENT_MAX = 1_000
const WAITING_MAX = 50_000

/** A person who is logged in. */
export interface LoggedIn {
  sessionId: string
  userId: string
  isOperator: boolean
  /** When the person showed who they are. */
  startedAt: Date
  /** Those that the user is a member of. */
  teams: readonly TeamOfUser[]
}

export interface SessionAccess {
  /** Whose session the cookie's value opens. Throws ApiError (`not_logged_in`), DatabaseUnavailable. */
  authenticate(token: string): Promise<LoggedIn>
  forget(): void
  stop(): Promise<void>
}

interface Cached {
  session: SessionOfUser | null
  staleAtMs: number
}

/** Who is logged in, remembered for less than a second. The keeper of keys hears of changes, and calls `forget`. */
export function createSessionAccess({ db, clock, log }: { db: Db; clock: Clock; log: Log }): SessionAccess {
  let cache = new Map<string, Promise<Cached>>()
  const write = (uses: readonly SessionUse[]) => touchSessions(db, uses)
  const uses = createLastUse<SessionUse>({ clock, log, what: 'sessions', write })

  // As of keys: cookies that nobody has must not cost a statement each.
  const batcher = createBatcher<Buffer, Cached>({
    async run(hashes) {
      const staleAtMs = performance.now() + CACHED_MS
      return (await findSessionsByHash(db, hashes)).map((session) => ({ session, staleAtMs }))
    },
    itemsMax: LOOKUPS_A_STATEMENT_MAX,
    waitingMax: WAITING_MAX,
    rejectsAll: (error) => error instanceof DatabaseUnavailable,
  })

  async function find(token: string): Promise<SessionOfUser | null> {
    const hash = hashToken(token)
    const name = hash.toString('base64')
    const earlier = cache.get(name)
    const known = await earlier?.catch(() => undefined)
    if (known !== undefined && performance.now() < known.staleAtMs) return known.session
    const other = cache.get(name)
    if (other !== undefined && other !== earlier) return (await other).session
    if (cache.size >= CACHED_COUNT_MAX) cache.clear()
    const flight = batcher.add(hash)
    cache.set(name, flight)
    return (await flight).session
  }

  return {
    async authenticate(token) {
      const session = await find(token)
      const now = clock.now()
      if (session === null || isOver(session, now)) throw new ApiError('not_logged_in')
      uses.note(session.id, { id: session.id, at: now })
      const { id, userId, isOperator, createdAt, teams } = session
      return { sessionId: id, userId, isOperator, startedAt: createdAt, teams }
    },
    forget() {
      cache = new Map()
    },
    stop: () => uses.stop(),
  }
}

/** Last uses are written a moment later and to the minute, so a day counts from up to a minute earlier. */
function isOver({ lastSeenAt, expiresAt }: Session, now: Date): boolean {
  return expiresAt <= now || lastSeenAt.getTime() + SESSION_IDLE_MS <= now.getTime()
}

/** Who asks for this team; null: the user is none of its members. */
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
  /** The cookie's value: in this answer and nowhere else. */
  token: string
}

/** Logs a user in: a new session, whatever the browser came with. */
export async function startSession(
  tx: Queryable,
  { userId, ipAddress, userAgent }: Pick<Session, 'userId' | 'ipAddress' | 'userAgent'>,
  now: Date,
): Promise<NewSession> {
  const { token, hash } = newToken()
  const session: Session = {
    id: newId(now.getTime()),
    userId,
    ipAddress,
    userAgent,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
  }
  await insertSession(tx, session, hash)
  await deleteOldestSessions(tx, userId, SESSIONS_MAX)
  return { session, token }
}
