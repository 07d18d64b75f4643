import { areasOf } from '../../access/permissions.ts'
import { type LoggedIn, type NewSession, SESSION_LIFETIME_MS } from '../../access/session-access.ts'
import { findSessionByHash, type TeamOfUser } from '../../access/sessions-queries.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { writeCursor } from '../../events/cursor.ts'
import { writeSessionCookie } from '../../http/auth/session-cookie.ts'
import type { Reply, Request } from '../../http/route/route.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashToken } from '../../lib/crypto/random-token.ts'
import type { Log } from '../../lib/log.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { VERSION } from '../../lib/version.ts'
import { findUser, type User } from '../users/users-queries.ts'
import { endSession } from './end-sessions.ts'
import type { Login } from './log-in-with-password.ts'
import { countSecondFactors } from './second-factors-queries.ts'

interface Deps {
  config: Config
  db: Db
  log: Log
  forgetAccess(): void
}

type LoginRequest = Pick<Request<unknown, unknown, unknown, Deps>, 'session' | 'deps'>

/**
 * Completes a login: returns the session with its cookie, and ends the session that the browser had before, of any
 * user.
 * @param started a committed session
 */
export async function answerLogin({ session, deps }: LoginRequest, newSession: NewSession): Promise<Reply> {
  const { db, log, forgetAccess, config } = deps
  if (session !== null) await endSession(db, session.userId, session.sessionId)
  forgetAccess()
  const current = await findSessionByHash(db, hashToken(newSession.token))
  if (current === null) throw new ApiError('not_logged_in')
  log.info(
    { user_id: current.userId, session_id: current.id, ip_address: current.ipAddress },
    'a user logged in',
  )
  const loggedIn = { ...current, sessionId: current.id, startedAt: current.createdAt }
  return {
    status: 201,
    json: await sessionToJson(deps, loggedIn),
    headers: { 'set-cookie': writeSessionCookie(newSession.token, SESSION_LIFETIME_MS, config.publicUrl) },
  }
}

/** Returns the response to the first step of a login: the session, or the challenge of the second step. */
export async function answerFirstStep(request: LoginRequest, login: Login): Promise<Reply> {
  if ('started' in login) return answerLogin(request, login.started)
  const { challenge, methods } = login
  const json = {
    object: 'login_challenge',
    challenge_id: challenge.id,
    methods,
    expires_at: formatTime(challenge.expiresAt),
  }
  return { status: 202, json }
}

/** Returns the data that the dashboard starts with. Throws ApiError if the user no longer exists. */
export async function sessionToJson(deps: Deps, session: LoggedIn) {
  const user = await findUser(deps.db, session.userId)
  if (user === null) throw new ApiError('not_logged_in')
  return {
    object: 'session',
    id: session.sessionId,
    created_at: formatTime(session.startedAt),
    user: await userToJson(deps, user),
    teams: session.teams.map(teamOfUserToJson),
    installation: installationToJson(deps),
  }
}

async function userToJson({ db }: Deps, user: User) {
  const { totpEnabled, passkeyCount, recoveryCodesLeft } = await countSecondFactors(db, user.id)
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    is_operator: user.isOperator,
    has_password: user.passwordHash !== null,
    totp_enabled: totpEnabled,
    passkey_count: passkeyCount,
    recovery_codes_left: recoveryCodesLeft,
    created_at: formatTime(user.createdAt),
  }
}

function teamOfUserToJson(team: TeamOfUser) {
  const { mayRead, mayChange } = areasOf(team.role)
  return {
    id: team.id,
    name: team.name,
    role: team.role,
    plan: team.plan,
    sending_paused_at: formatTime(team.sendingPausedAt),
    sending_paused_reason: team.sendingPausedReason,
    sending_paused_by: team.sendingPausedBy,
    events_cursor: writeCursor(team.feedEnd),
    may_read: mayRead,
    may_change: mayChange,
  }
}

function installationToJson({ config }: Deps) {
  const { delivery, publicUrl, hostname, submissionPort, submissionsPort } = config
  return {
    delivery: delivery.kind,
    public_url: publicUrl,
    smtp: {
      host: hostname,
      port: submissionPort?.port ?? null,
      tls_port: submissionsPort?.port ?? null,
    },
    version: VERSION,
  }
}
