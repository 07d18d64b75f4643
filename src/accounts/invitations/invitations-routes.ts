import Type from 'typebox'
import { findSessionByHash } from '../../access/sessions-queries.ts'
import { readSessionCookie } from '../../http/auth/session-cookie.ts'
import { browserOf } from '../../http/route/browser-of.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { hashToken } from '../../lib/crypto/random-token.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { AccountDeps } from '../passwords/account-deps.ts'
import { followLink } from '../sessions/login-attempts.ts'
import { answerLogin, sessionToJson } from '../sessions/login-reply.ts'
import {
  InvitationDetails,
  LinkToken,
  NewPassword,
  PersonName,
  SessionRecord,
} from '../users/account-schemas.ts'
import { findUserByEmail } from '../users/users-queries.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { findInvitation } from './invitations.ts'

const { route } = routesOf<AccountDeps>()

const common = {
  area: 'installation',
  permission: 'public',
  isOwnSiteOnly: true,
  bodyBytesMax: 16_384,
} as const

const inspect = route('POST', '/invitations/inspect', {
  ...common,
  changesNothing: true,
  operationId: 'inspectInvitation',
  summary: 'Look up an invitation',
  description: 'The team, role, and address behind an invitation link.',
  body: Type.Object({ token: LinkToken }, { examples: [{ token: '...' }] }),
  responses: { 200: { description: 'The invitation.', schema: InvitationDetails } },
  async handle({ body, ipAddress, deps: { db, clock } }) {
    const now = clock.now()
    const find = () => findInvitation(db, body.token, now)
    const { teamName, email, role, inviterName, expiresAt } = await followLink(db, ipAddress, now, find)
    const json = {
      object: 'invitation',
      team: { name: teamName },
      email,
      role,
      invited_by: inviterName,
      has_account: (await findUserByEmail(db, email)) !== null,
      expires_at: formatTime(expiresAt),
    }
    return { status: 200, json }
  },
})

const accept = route('POST', '/invitations/accept', {
  ...common,
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation',
  description:
    'A new person chooses `name` and `password` and is logged in. A person with an account must be logged in to it (otherwise 409); then only `token` is used.',
  body: Type.Object(
    {
      token: LinkToken,
      name: Type.Optional(PersonName),
      password: Type.Optional(NewPassword),
    },
    { examples: [{ token: '...', name: 'Bob', password: 'correct horse battery staple' }] },
  ),
  responses: {
    200: { description: 'Joined. The existing session has one more team.', schema: SessionRecord },
    201: { description: 'Joined and logged in.', schema: SessionRecord },
  },
  async handle(request) {
    const { session, deps, body, headers, id } = request
    const { token, name = null, password = null } = body
    const acceptance = { token, name, password, requestId: id }
    const newSession = await acceptInvitation(deps, acceptance, session, browserOf(request))
    deps.forgetAccess()
    if (newSession !== null) return answerLogin(request, newSession)
    const cookie = readSessionCookie(headers.cookie as string | undefined, deps.config.publicUrl) ?? ''
    const current = await findSessionByHash(deps.db, hashToken(cookie))
    const teams = current?.teams ?? []
    return {
      status: 200,
      json: await sessionToJson(deps, { ...(session as NonNullable<typeof session>), teams }),
    }
  },
})

export const invitationRoutes: readonly Route<AccountDeps>[] = [inspect, accept]
