import Type from 'typebox'
import { browserOf } from '../../http/route/browser-of.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Text } from '../../http/route/schemas.ts'
import type { AccountDeps } from '../passwords/account-deps.ts'
import { beginAttempt } from '../sessions/login-attempts.ts'
import { answerLogin } from '../sessions/login-reply.ts'
import { requirePasswordLogin } from '../sessions/password-login.ts'
import type { SendAccountMail } from '../users/account-mail.ts'
import {
  EmailAddress,
  LinkToken,
  NewPassword,
  PersonName,
  SessionRecord,
  TeamName,
} from '../users/account-schemas.ts'
import { hasUsers } from '../users/users-queries.ts'
import { createFirstOwner } from './first-owner.ts'
import { InstallationRecord, installationToJson } from './installation-schemas.ts'
import { redeemReset, requestReset } from './resets.ts'

interface Deps extends AccountDeps {
  sendAccountMail: SendAccountMail
}

const { route } = routesOf<Deps>()

const common = {
  area: 'installation',
  permission: 'public',
  bodyBytesMax: 16_384,
} as const
const fromOurPages = { ...common, isOwnSiteOnly: true } as const

const getInstallation = route('GET', '/installation', {
  ...common,
  operationId: 'getInstallation',
  summary: 'Get the installation',
  description: 'Data that the login pages need.',
  responses: {
    200: {
      description: 'The installation.',
      schema: InstallationRecord,
    },
  },
  async handle({ deps: { db, config } }) {
    const needsOwner = !(await hasUsers(db))
    return { status: 200, json: installationToJson(config, needsOwner) }
  },
})

const postFirstOwner = route('POST', '/first-owner', {
  ...fromOurPages,
  operationId: 'createFirstOwner',
  summary: 'Create the first account',
  description:
    'Uses the link that the server prints at each start while no account exists. The link works once, for an hour.',
  body: Type.Object(
    {
      token: LinkToken,
      email: EmailAddress,
      name: PersonName,
      password: NewPassword,
      team_name: Type.Optional(TeamName),
    },
    {
      examples: [
        { token: '...', email: 'ann@example.com', name: 'Ann', password: 'correct horse battery staple' },
      ],
    },
  ),
  responses: {
    201: { description: 'Logged in: owner of the first team, and operator.', schema: SessionRecord },
  },
  async handle(request) {
    const { deps, body, ipAddress } = request
    await beginAttempt(deps.db, { what: 'link', ipAddress, account: '' }, deps.clock.now())
    const owner = { ...body, teamName: body.team_name ?? null }
    const newSession = await createFirstOwner(deps, owner, browserOf(request))
    deps.log.info({ user_id: newSession.session.userId }, 'the first owner was created')
    return answerLogin(request, newSession)
  },
})

const postReset = route('POST', '/password-resets', {
  ...fromOurPages,
  operationId: 'requestPasswordReset',
  summary: 'Request a password reset',
  description:
    'Emails a link if an account has the address; the response is the same either way. In capture mode, the server prints the link to its terminal and log instead.',
  body: Type.Object({ email: EmailAddress }, { examples: [{ email: 'ann@example.com' }] }),
  responses: {
    202: {
      description: 'The request was accepted.',
      schema: Type.Object(
        {
          object: Type.Literal('password_reset'),
          accepted: Type.Literal(true, { description: 'Always true, whether or not an account exists.' }),
        },
        { examples: [{ object: 'password_reset', accepted: true }] },
      ),
    },
  },
  async handle({ deps, body, ipAddress }) {
    requirePasswordLogin(deps.config)
    await requestReset({ ...deps, publicUrl: deps.config.publicUrl }, body.email, ipAddress)
    return { status: 202, json: { object: 'password_reset', accepted: true } }
  },
})

const postRedeem = route('POST', '/password-resets/redeem', {
  ...fromOurPages,
  operationId: 'resetPassword',
  summary: 'Set a new password',
  description: 'Uses the link from the email. Ends all sessions of the person and does not log them in.',
  body: Type.Object(
    { token: LinkToken, password: NewPassword },
    { examples: [{ token: '...', password: 'correct horse battery staple' }] },
  ),
  responses: {
    200: {
      description: 'The password was set.',
      schema: Type.Object(
        { object: Type.Literal('password_reset'), email: Text('Address of the account.') },
        { examples: [{ object: 'password_reset', email: 'ann@example.com' }] },
      ),
    },
  },
  async handle({ deps, body, ipAddress }) {
    requirePasswordLogin(deps.config)
    const user = await redeemReset(deps, { ...body, ipAddress })
    deps.forgetAccess()
    deps.log.info({ user_id: user.id }, 'a user set a new password with a reset link')
    return { status: 200, json: { object: 'password_reset', email: user.email } }
  },
})

export const gettingInRoutes: readonly Route<Deps>[] = [
  getInstallation,
  postFirstOwner,
  postReset,
  postRedeem,
]
