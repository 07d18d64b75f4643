import Type, { type Static } from 'typebox'
import { browserOf } from '../../http/route/browser-of.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Uuid } from '../../http/route/schemas.ts'
import { invalidField } from '../../lib/api-error.ts'
import type { AccountDeps } from '../passwords/account-deps.ts'
import { answerLogin } from '../sessions/login-reply.ts'
import { SessionRecord } from '../users/account-schemas.ts'
import { type GivenCode, logInWithCode } from './log-in-with-factor.ts'
import { proveOwner, proveWithPassword } from './prove-owner.ts'
import { replaceCodes } from './recovery.ts'
import { Code, NewTotp, Proof, RecoveryCodes, TotpState } from './second-factor-schemas.ts'
import { disableTotp, enableTotp, startTotp } from './totp.ts'

interface Deps extends AccountDeps {
  secret: Buffer
}

const { route, sessionRoute } = routesOf<Deps>()

const account = { area: 'account', permission: 'user', bodyBytesMax: 16_384 } as const

const postTotp = sessionRoute('POST', '/account/totp', {
  ...account,
  operationId: 'setUpTotp',
  summary: 'Set up an authenticator app',
  description: 'Logins require a code only after `POST /account/totp/confirm` has confirmed one.',
  body: Proof,
  responses: { 201: { description: 'The secret for the app.', schema: NewTotp } },
  async handle({ session, body, ipAddress, deps }) {
    const user = await proveOwner(deps, { session, password: body.password, ipAddress })
    return { status: 201, json: { object: 'totp', ...(await startTotp(deps, user)) } }
  },
})

const confirmTotp = sessionRoute('POST', '/account/totp/confirm', {
  ...account,
  operationId: 'confirmTotp',
  summary: 'Enable the authenticator app',
  description: 'Logins require a code from now on. Recovery codes replace a lost app.',
  body: Code,
  responses: { 200: { description: 'The app is enabled.', schema: RecoveryCodes } },
  async handle({ session, body, deps }) {
    return codesToJson(200, await enableTotp(deps, session, body.code))
  },
})

const disableTotpRoute = sessionRoute('POST', '/account/totp/disable', {
  ...account,
  operationId: 'disableTotp',
  summary: 'Disable the authenticator app',
  description: 'Requires the password. Passkeys remain; without any, the recovery codes are deleted.',
  body: Proof,
  responses: { 200: { description: 'The app is disabled.', schema: TotpState } },
  async handle({ session, body, ipAddress, deps }) {
    const user = await proveWithPassword(deps, { session, password: body.password, ipAddress })
    await disableTotp(deps, user.id)
    return { status: 200, json: { object: 'totp', enabled: false } }
  },
})

const postRecoveryCodes = sessionRoute('POST', '/account/recovery-codes', {
  ...account,
  operationId: 'createRecoveryCodes',
  summary: 'Create new recovery codes',
  description: 'Requires the password. Earlier codes stop working.',
  body: Proof,
  responses: { 201: { description: 'The codes.', schema: RecoveryCodes } },
  async handle({ session, body, ipAddress, deps }) {
    const user = await proveWithPassword(deps, { session, password: body.password, ipAddress })
    return codesToJson(201, await replaceCodes(deps, user.id))
  },
})

const SecondHalf = Type.Object(
  {
    challenge_id: Type.String({ ...Uuid, description: 'The `challenge_id` of `POST /session`.' }),
    code: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Code in the authenticator app.' }),
    ),
    recovery_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'A recovery code instead of `code`. It works once.',
      }),
    ),
  },
  { examples: [{ challenge_id: '0198c0de-0000-7000-8000-00000000f1d2', code: '287082' }] },
)

const postSecondFactor = route('POST', '/session/second-factor', {
  area: 'session',
  permission: 'public',
  isOwnSiteOnly: true,
  bodyBytesMax: 16_384,
  operationId: 'verifySecondFactor',
  summary: 'Complete a login with a code',
  description: 'After five wrong codes the login starts again with the password.',
  body: SecondHalf,
  responses: {
    201: { description: 'Logged in. Sets the session cookie.', schema: SessionRecord },
  },
  async handle(request) {
    const { body, deps } = request
    const login = { challengeId: body.challenge_id.toLowerCase(), code: readCode(body) }
    return answerLogin(request, await logInWithCode(deps, login, browserOf(request)))
  },
})

function readCode({ code, recovery_code: recovery }: Static<typeof SecondHalf>): GivenCode {
  if (code !== undefined && recovery === undefined) return { kind: 'totp', code }
  if (recovery !== undefined && code === undefined) return { kind: 'recovery', code: recovery }
  throw invalidField('code', 'Either the code field or the recovery_code field is required.')
}

function codesToJson(status: number, codes: string[]) {
  return { status, json: { object: 'recovery_codes', recovery_codes: codes } }
}

export const secondFactorRoutes: readonly Route<Deps>[] = [
  postTotp,
  confirmTotp,
  disableTotpRoute,
  postRecoveryCodes,
  postSecondFactor,
]
