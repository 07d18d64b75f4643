import Type from 'typebox'
import { type LoggedIn, SESSION_IDLE_MS } from '../../access/session-access.ts'
import { listSessions, type Session } from '../../access/sessions-queries.ts'
import { wholeListOf } from '../../http/route/page.ts'
import { deletedToJson } from '../../http/route/present.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Deleted, IdParams } from '../../http/route/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { AccountDeps, PasswordDeps } from '../passwords/account-deps.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { endOtherSessions, endSession } from '../sessions/end-sessions.ts'
import { confirmPassword, wrongPassword } from '../sessions/log-in-with-password.ts'
import { sessionToJson } from '../sessions/login-reply.ts'
import { NewPassword, OwnSession, Password, PersonName, SessionRecord } from '../users/account-schemas.ts'
import { lockUser, updateUser } from '../users/users-queries.ts'
import { setPassword } from './set-password.ts'

const { sessionRoute } = routesOf<AccountDeps>()

const common = { area: 'account', permission: 'user', bodyBytesMax: 16_384 } as const
const SESSIONS_MAX = 100

const patchAccount = sessionRoute('PATCH', '/account', {
  ...common,
  operationId: 'updateAccount',
  summary: 'Change your name',
  description: 'The name that other members see.',
  body: Type.Object({ name: PersonName }, { examples: [{ name: 'Ann Lee' }] }),
  responses: { 200: { description: 'The session, with the changed user.', schema: SessionRecord } },
  async handle({ session, body, deps }) {
    await deps.db.transaction(async (tx) => {
      const user = await lockUser(tx, session.userId)
      if (user === null) throw new ApiError('not_logged_in')
      await updateUser(tx, { ...user, name: body.name, updatedAt: deps.clock.now() })
    })
    return { status: 200, json: await sessionToJson(deps, session) }
  },
})

const postPassword = sessionRoute('POST', '/account/password', {
  ...common,
  operationId: 'changePassword',
  summary: 'Change your password',
  description: 'Ends all your other sessions.',
  body: Type.Object(
    { current_password: Password, new_password: NewPassword },
    { examples: [{ current_password: 'correct horse', new_password: 'correct horse battery staple' }] },
  ),
  responses: { 200: { description: 'The session, which continues.', schema: SessionRecord } },
  async handle({ session, body, ipAddress, deps }) {
    const { current_password: from, new_password: to } = body
    await changePassword(deps, session, { from, to, ipAddress })
    deps.forgetAccess()
    deps.log.info({ user_id: session.userId }, 'a user changed the password')
    return { status: 200, json: await sessionToJson(deps, session) }
  },
})

const getSessions = sessionRoute('GET', '/account/sessions', {
  ...common,
  operationId: 'listSessions',
  summary: 'List your sessions',
  description: 'Your active sessions, including this one.',
  responses: {
    200: {
      description: 'Newest first.',
      schema: wholeListOf(OwnSession),
    },
  },
  async handle({ session: { userId, sessionId }, deps: { db, clock } }) {
    const now = clock.now()
    const seenAfter = new Date(now.getTime() - SESSION_IDLE_MS)
    const sessions = await listSessions(db, userId, now, seenAfter, SESSIONS_MAX)
    return {
      status: 200,
      json: { object: 'list', data: sessions.map((one) => listedSessionToJson(one, sessionId)) },
    }
  },
})

function listedSessionToJson(session: Session, currentId: string) {
  return {
    object: 'user_session',
    id: session.id,
    is_current: session.id === currentId,
    ip_address: session.ipAddress,
    user_agent: session.userAgent,
    created_at: formatTime(session.createdAt),
    last_seen_at: formatTime(session.lastSeenAt),
    expires_at: formatTime(session.expiresAt),
  }
}

const deleteSession = sessionRoute('DELETE', '/account/sessions/:id', {
  ...common,
  operationId: 'endSession',
  summary: 'End one of your sessions',
  description: 'Use `DELETE /session` to end the current one.',
  params: IdParams,
  responses: { 200: { description: 'The session was ended.', schema: Deleted } },
  async handle({ session, params, deps: { db, forgetAccess } }) {
    const id = params.id.toLowerCase()
    if (!(await endSession(db, session.userId, id))) throw new ApiError('not_found')
    forgetAccess()
    return { status: 200, json: deletedToJson('user_session', id) }
  },
})

const deleteOthers = sessionRoute('DELETE', '/account/sessions', {
  ...common,
  operationId: 'endOtherSessions',
  summary: 'End all your other sessions',
  description: 'This session continues.',
  responses: {
    200: {
      description: 'The sessions were ended.',
      schema: Type.Object(
        {
          object: Type.Literal('user_sessions'),
          deleted: Type.Integer({ description: 'Number of ended sessions.' }),
        },
        { examples: [{ object: 'user_sessions', deleted: 2 }] },
      ),
    },
  },
  async handle({ session, deps: { db, forgetAccess } }) {
    const count = await endOtherSessions(db, session.userId, session.sessionId)
    forgetAccess()
    return { status: 200, json: { object: 'user_sessions', deleted: count } }
  },
})

/** Changes a user's password and ends all other sessions. Throws ApiError: 422, 429. */
async function changePassword(
  deps: PasswordDeps,
  { userId, sessionId }: Pick<LoggedIn, 'userId' | 'sessionId'>,
  { from, to, ipAddress }: { from: string; to: string; ipAddress: string },
): Promise<void> {
  const confirmation = { userId, password: from, field: 'current_password', ipAddress }
  const user = await confirmPassword(deps, confirmation)
  requireGoodPassword(to, user.email, 'new_password')
  const passwordHash = await deps.passwords.hash(to)
  const change = { userId, passwordHash, keptSessionId: sessionId }
  await deps.db.transaction(async (tx) => {
    const current = await lockUser(tx, userId)
    if (current === null) throw new ApiError('not_logged_in')
    // The old password must not overwrite a password that was set in the meantime, by a link or in another session.
    if (current.passwordChangedAt?.getTime() !== user.passwordChangedAt?.getTime())
      throw wrongPassword('current_password')
    await setPassword(tx, change, deps.clock.now())
  })
}

export const accountRoutes: readonly Route<AccountDeps>[] = [
  patchAccount,
  postPassword,
  getSessions,
  deleteSession,
  deleteOthers,
]
