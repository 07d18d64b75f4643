import Type from 'typebox'
import { clearSessionCookie } from '../../http/auth/session-cookie.ts'
import { browserOf } from '../../http/route/browser-of.ts'
import { deletedToJson } from '../../http/route/present.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Deleted } from '../../http/route/schemas.ts'
import type { AccountDeps } from '../passwords/account-deps.ts'
import { EmailAddress, LoginChallengeRecord, Password, SessionRecord } from '../users/account-schemas.ts'
import { endSession as endSessionOf } from './end-sessions.ts'
import { logInWithPassword } from './log-in-with-password.ts'
import { answerFirstStep, sessionToJson } from './login-reply.ts'
import { requirePasswordLogin } from './password-login.ts'

const { route, sessionRoute } = routesOf<AccountDeps>()

const area = 'session'

const postSession = route('POST', '/session', {
  area,
  permission: 'public',
  isOwnSiteOnly: true,
  bodyBytesMax: 16_384,
  operationId: 'logIn',
  summary: 'Log in',
  description:
    'An unknown address and a wrong password give the same response after the same time. Attempts are counted per account and network; too many return 429 with `Retry-After`.',
  body: Type.Object(
    { email: EmailAddress, password: Password },
    { examples: [{ email: 'ann@example.com', password: 'correct horse battery staple' }] },
  ),
  responses: {
    201: { description: 'Logged in. Sets the session cookie.', schema: SessionRecord },
    202: {
      description: 'The password is correct; a second factor is required.',
      schema: LoginChallengeRecord,
    },
  },
  async handle(request) {
    requirePasswordLogin(request.deps.config)
    return answerFirstStep(request, await logInWithPassword(request.deps, request.body, browserOf(request)))
  },
})

const getSession = sessionRoute('GET', '/session', {
  area,
  permission: 'user',
  operationId: 'getSession',
  summary: 'Get the current session',
  description: 'The logged-in user, with their teams.',
  responses: { 200: { description: 'The session, with its teams.', schema: SessionRecord } },
  async handle({ session, deps }) {
    return { status: 200, json: await sessionToJson(deps, session) }
  },
})

const endSession = sessionRoute('DELETE', '/session', {
  area,
  permission: 'user',
  operationId: 'logOut',
  summary: 'Log out',
  description: 'Ends the session and clears its cookie.',
  responses: { 200: { description: 'The session was ended.', schema: Deleted } },
  async handle({ session, deps: { db, config, forgetAccess } }) {
    await endSessionOf(db, session.userId, session.sessionId)
    forgetAccess()
    return {
      status: 200,
      json: deletedToJson('session', session.sessionId),
      headers: { 'set-cookie': clearSessionCookie(config.publicUrl), 'clear-site-data': '"cache"' },
    }
  },
})

export const sessionRoutes: readonly Route<AccountDeps>[] = [postSession, getSession, endSession]
