import Type from 'typebox'
import { browserOf } from '../../http/route/browser-of.ts'
import { deletedToJson } from '../../http/route/present.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Deleted, IdParams } from '../../http/route/schemas.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { AccountDeps } from '../passwords/account-deps.ts'
import { answerLogin } from '../sessions/login-reply.ts'
import { requirePasswordLogin } from '../sessions/password-login.ts'
import { SessionRecord } from '../users/account-schemas.ts'
import { logInWithPasskey, requestPasskey } from './log-in-with-factor.ts'
import { CHALLENGE_MS } from './passkey-challenge.ts'
import { addPasskey, type PasskeyDeps, removePasskey, requestRegistration } from './passkeys.ts'
import { listPasskeys, type Passkey, renamePasskey } from './passkeys-queries.ts'
import { proveOwner } from './prove-owner.ts'
import {
  EXAMPLE_CREDENTIAL,
  LoginAnswerShape,
  NewPasskeyRecord,
  PasskeyList,
  PasskeyName,
  PasskeyOptions,
  PasskeyRecord,
  Proof,
  RegistrationAnswerShape,
} from './second-factor-schemas.ts'

interface Deps extends AccountDeps {
  secret: Buffer
}

const { route, sessionRoute } = routesOf<Deps>()

const account = { area: 'account', permission: 'user', bodyBytesMax: 32_768 } as const

function depsOf({ db, clock, log, secret, config }: Deps): PasskeyDeps {
  return { db, clock, log, secret, publicUrl: config.publicUrl }
}

function passkeyToJson(passkey: Passkey) {
  return {
    object: 'passkey',
    id: passkey.id,
    name: passkey.name,
    transports: passkey.transports,
    is_backed_up: passkey.isBackedUp,
    last_used_at: formatTime(passkey.lastUsedAt),
    created_at: formatTime(passkey.createdAt),
  }
}

const postOptions = sessionRoute('POST', '/account/passkeys/options', {
  ...account,
  operationId: 'startPasskeyRegistration',
  summary: 'Start adding a passkey',
  description: 'Requires the password, or a login within the last 15 minutes.',
  body: Proof,
  responses: { 200: { description: 'For `navigator.credentials.create`.', schema: PasskeyOptions } },
  async handle({ session, body, ipAddress, deps }) {
    const user = await proveOwner(deps, { session, password: body.password, ipAddress })
    const options = await requestRegistration(depsOf(deps), user)
    const expiresAt = new Date(deps.clock.now().getTime() + CHALLENGE_MS)
    return { status: 200, json: optionsToJson({ challengeId: null, expiresAt, options }) }
  },
})

function optionsToJson(request: { challengeId: string | null; expiresAt: Date; options: object }) {
  return {
    object: 'passkey_options',
    challenge_id: request.challengeId,
    expires_at: formatTime(request.expiresAt),
    options: request.options,
  }
}

const NewPasskey = Type.Object(
  { response: RegistrationAnswerShape, name: PasskeyName },
  {
    examples: [
      {
        name: 'Ann’s laptop',
        response: {
          ...EXAMPLE_CREDENTIAL,
          response: { clientDataJSON: 'e30', attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
        },
      },
    ],
  },
)

const postPasskey = sessionRoute('POST', '/account/passkeys', {
  ...account,
  operationId: 'addPasskey',
  summary: 'Add a passkey',
  description:
    'Send the result of `navigator.credentials.create` for the options. Logins require a second factor from now on.',
  body: NewPasskey,
  responses: { 201: { description: 'The passkey.', schema: NewPasskeyRecord } },
  async handle({ session, body, deps }) {
    const input = { answer: body.response, name: body.name }
    const { passkey, recoveryCodes } = await addPasskey(depsOf(deps), session, input)
    return { status: 201, json: { ...passkeyToJson(passkey), recovery_codes: recoveryCodes } }
  },
})

const getPasskeys = sessionRoute('GET', '/account/passkeys', {
  ...account,
  operationId: 'listPasskeys',
  summary: 'List your passkeys',
  description: 'At most 20.',
  responses: { 200: { description: 'Your passkeys, at most 20.', schema: PasskeyList } },
  async handle({ session, deps }) {
    const passkeys = await listPasskeys(deps.db, session.userId)
    return { status: 200, json: { object: 'list', data: passkeys.map(passkeyToJson) } }
  },
})

const patchPasskey = sessionRoute('PATCH', '/account/passkeys/:id', {
  ...account,
  operationId: 'updatePasskey',
  summary: 'Rename a passkey',
  description: 'The name helps you tell your passkeys apart.',
  params: IdParams,
  body: Type.Object({ name: PasskeyName }, { examples: [{ name: 'Key in the safe' }] }),
  responses: { 200: { description: 'The passkey.', schema: PasskeyRecord } },
  async handle({ session, params, body, deps }) {
    const passkey = orNotFound(await renamePasskey(deps.db, session.userId, params.id, body.name))
    return { status: 200, json: passkeyToJson(passkey) }
  },
})

const deletePasskey = sessionRoute('DELETE', '/account/passkeys/:id', {
  ...account,
  operationId: 'deletePasskey',
  summary: 'Delete a passkey',
  description:
    'Requires the password, or a login within the last 15 minutes. You may delete your last second factor.',
  params: IdParams,
  body: Proof,
  responses: { 200: { description: 'The passkey was deleted.', schema: Deleted } },
  async handle({ session, params, body, ipAddress, deps }) {
    const user = await proveOwner(deps, { session, password: body.password, ipAddress })
    if (!(await removePasskey(deps, user.id, params.id))) throw new ApiError('not_found')
    return { status: 200, json: deletedToJson('passkey', params.id.toLowerCase()) }
  },
})

const login = {
  area: 'session',
  permission: 'public',
  isOwnSiteOnly: true,
  bodyBytesMax: 32_768,
} as const
const ChallengeId = (description: string) => Type.String({ format: 'uuid', description })

const postLoginOptions = route('POST', '/session/passkey/options', {
  ...login,
  operationId: 'startPasskeyLogin',
  summary: 'Start a login with a passkey',
  description:
    'With `challenge_id`: the second step of a login, with the passkeys of that person. Without it: a complete login with any passkey the person chooses.',
  body: Type.Object(
    { challenge_id: Type.Optional(ChallengeId('The `challenge_id` of `POST /session`.')) },
    { examples: [{ challenge_id: '0198c0de-0000-7000-8000-00000000f1d1' }] },
  ),
  responses: { 200: { description: 'For `navigator.credentials.get`.', schema: PasskeyOptions } },
  async handle({ body, deps }) {
    if (body.challenge_id === undefined) requirePasswordLogin(deps.config)
    return {
      status: 200,
      json: optionsToJson(await requestPasskey(depsOf(deps), body.challenge_id ?? null)),
    }
  },
})

const LoginAnswerBody = Type.Object(
  {
    challenge_id: ChallengeId('The `challenge_id` of the options.'),
    response: LoginAnswerShape,
  },
  {
    examples: [
      {
        challenge_id: '0198c0de-0000-7000-8000-00000000f1d1',
        response: {
          ...EXAMPLE_CREDENTIAL,
          response: {
            clientDataJSON: 'e30',
            authenticatorData: 'SZYN5YgO',
            signature: 'MEUCIQ',
            userHandle: 'AZjA3g',
          },
        },
      },
    ],
  },
)

const postLogin = route('POST', '/session/passkey', {
  ...login,
  operationId: 'logInWithPasskey',
  summary: 'Log in with a passkey',
  description: 'Send the result of `navigator.credentials.get` for the options. Sets the session cookie.',
  body: LoginAnswerBody,
  responses: {
    201: { description: 'Logged in. Sets the session cookie.', schema: SessionRecord },
  },
  async handle(request) {
    const { body, deps } = request
    const assertion = { challengeId: body.challenge_id.toLowerCase(), answer: body.response }
    const passkeyDeps = { ...depsOf(deps), config: deps.config }
    return answerLogin(request, await logInWithPasskey(passkeyDeps, assertion, browserOf(request)))
  },
})

export const passkeyRoutes: readonly Route<Deps>[] = [
  postOptions,
  postPasskey,
  getPasskeys,
  patchPasskey,
  deletePasskey,
  postLoginOptions,
  postLogin,
]
