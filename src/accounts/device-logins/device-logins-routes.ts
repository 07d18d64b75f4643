import { type Route, routesOf } from '../../http/route/route.ts'
import { KeyRecord, keyToJson, NewKeyRecord } from '../../keys/api-key-schemas.ts'
import { readKeyChanges } from '../../keys/read-key-changes.ts'
import type { AccountDeps } from '../passwords/account-deps.ts'
import {
  ApprovedLogin,
  DeviceCode,
  DeviceLoginRecord,
  deviceLoginToJson,
  NewDeviceLogin,
  StartedDeviceLogin,
  UserCode,
} from './device-login-schemas.ts'
import {
  approveDeviceLogin,
  DEVICE_LOGIN_SECONDS,
  type DeviceDeps,
  denyDeviceLogin,
  inspectDeviceLogin,
  POLL_SECONDS,
  redeemDeviceCode,
  startDeviceLogin,
} from './device-logins.ts'
import { formatUserCode } from './user-codes.ts'

type Deps = AccountDeps & DeviceDeps

const { route, sessionRoute } = routesOf<Deps>()

const common = { area: 'session', bodyBytesMax: 16_384 } as const
const forPrograms = { ...common, permission: 'public', isOwnSiteOnly: true } as const
const forPeople = { ...common, permission: 'user' } as const

const postLogin = route('POST', '/device-logins', {
  ...forPrograms,
  operationId: 'startDeviceLogin',
  summary: 'Start the login of a program',
  description:
    'For programs without a browser (RFC 8628): show `user_code`, open `verification_uri_complete`, and poll `POST /device-logins/token`.',
  body: NewDeviceLogin,
  responses: { 201: { description: 'The codes of the login.', schema: StartedDeviceLogin } },
  async handle({ body, ipAddress, deps }) {
    const input = { clientName: body.client_name, ipAddress }
    const { deviceCode, userCode } = await startDeviceLogin(deps, input, deps.clock.now())
    const code = formatUserCode(userCode)
    const page = `${deps.config.publicUrl}/app/device`
    const json = {
      object: 'device_login',
      device_code: deviceCode,
      user_code: code,
      verification_uri: page,
      verification_uri_complete: `${page}#code=${code}`,
      expires_in: DEVICE_LOGIN_SECONDS,
      interval: POLL_SECONDS,
    }
    return { status: 201, json }
  },
})

const postToken = route('POST', '/device-logins/token', {
  ...forPrograms,
  operationId: 'redeemDeviceCode',
  summary: 'Get the API key of a confirmed login',
  description:
    'Without a key, returns 400: `authorization_pending`, `slow_down`, `access_denied`, or `expired_token`.',
  body: DeviceCode,
  responses: { 200: { description: 'The key.', schema: NewKeyRecord } },
  async handle({ body: { device_code: token }, deps: { db, clock } }) {
    const now = clock.now()
    const key = await redeemDeviceCode(db, token, now)
    return { status: 200, json: { ...keyToJson(key, now), token } }
  },
})

const inspect = sessionRoute('POST', '/device-logins/inspect', {
  ...forPeople,
  changesNothing: true,
  operationId: 'inspectDeviceLogin',
  summary: 'Look up the login of a program',
  description: 'Returns the program that shows this code.',
  body: UserCode,
  responses: { 200: { description: 'The pending login.', schema: DeviceLoginRecord } },
  async handle({ body, session: { userId }, ipAddress, deps }) {
    const login = await inspectDeviceLogin(
      deps,
      { code: body.user_code, userId, ipAddress },
      deps.clock.now(),
    )
    return { status: 200, json: deviceLoginToJson(login, ipAddress) }
  },
})

const approve = sessionRoute('POST', '/device-logins/approve', {
  ...common,
  area: 'apiKeys',
  permission: 'member',
  action: 'api-keys.create',
  operationId: 'approveDeviceLogin',
  summary: 'Confirm the login of a program',
  description: 'Creates an API key of the team, which the program receives.',
  body: ApprovedLogin,
  bodyExtends: 'UpdateApiKeyRequest',
  responses: { 201: { description: 'The key, without its secret.', schema: KeyRecord } },
  async handle({ body, session: { userId }, caller, ipAddress, audited, deps }) {
    const now = deps.clock.now()
    const input = { permission: 'full', domainId: null, expiresAt: null, ...readKeyChanges(body) } as const
    const grant = { teamId: caller.teamId, creator: caller, input, name: body.name ?? null }
    const code = { code: body.user_code, userId, ipAddress }
    const key = await approveDeviceLogin(deps, audited, code, grant, now)
    return { status: 201, json: keyToJson(key, now) }
  },
})

const deny = sessionRoute('POST', '/device-logins/deny', {
  ...forPeople,
  operationId: 'denyDeviceLogin',
  summary: 'Reject the login of a program',
  description: 'The next poll returns `access_denied`.',
  body: UserCode,
  responses: { 200: { description: 'The rejected login.', schema: DeviceLoginRecord } },
  async handle({ body, session: { userId }, ipAddress, deps }) {
    const login = await denyDeviceLogin(deps, { code: body.user_code, userId, ipAddress }, deps.clock.now())
    return { status: 200, json: deviceLoginToJson(login, ipAddress) }
  },
})

export const deviceLoginRoutes: readonly Route<Deps>[] = [postLogin, postToken, inspect, approve, deny]
