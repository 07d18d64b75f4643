import type { Config } from '../../config/config.ts'
import type { Db, Queryable, Transactions } from '../../db/db-types.ts'
import { digestKey, newKeyToken } from '../../keys/key-token.ts'
import { createKeyOf, type KeyInput, type Powers } from '../../keys/keys.ts'
import { type ApiKey, findKey } from '../../keys/keys-queries.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'
import { beginAttempt, endAttempt } from '../sessions/login-attempts.ts'
import {
  countOpenLogins,
  type DeviceLogin,
  findPendingLogin,
  insertDeviceLogin,
  isDeviceLoginOpen,
  pollDeviceLogin,
  updateDeviceLoginAnswered,
} from './device-logins-queries.ts'
import { deriveUserCodeKey, hashUserCode, newUserCode, parseUserCode } from './user-codes.ts'

// The device authorization grant of RFC 8628, with one difference: the device code becomes the API key when a person
// confirms the login. The key is therefore never stored, and a lost response can be repeated.

/** Long enough to log in with a second factor first. */
export const DEVICE_LOGIN_SECONDS = 600
/** How long a program waits between two polls. */
export const POLL_SECONDS = 2
/** Earlier polls are rejected. This is half of the interval, because network delays bring some polls closer together. */
const POLL_MIN_MS = 1_000
const CODE_ATTEMPTS_MAX = 5
/** Logins of all networks at once. It bounds the table, and the chance that a guessed code is one of them. */
const OPEN_LOGINS_MAX = 10_000
const RETRY_AFTER_SECONDS = 60
const CLIENT_NAME_BYTES_MAX = 100

export interface DeviceDeps {
  db: Db
  /** Device codes name the cell that issued them. */
  config: Pick<Config, 'cell'>
  /** The installation's master key. */
  secret: Buffer
}

/** Starts a login. Only the result contains its codes. Throws ApiError (429). */
export async function startDeviceLogin(
  { db, config, secret }: DeviceDeps,
  { clientName, ipAddress }: Pick<DeviceLogin, 'clientName' | 'ipAddress'>,
  now: Date,
): Promise<{ deviceCode: string; userCode: string }> {
  await beginAttempt(db, { what: 'device', ipAddress, account: '' }, now)
  if ((await countOpenLogins(db, now, OPEN_LOGINS_MAX)) === OPEN_LOGINS_MAX) {
    throw new ApiError('rate_limit_exceeded', 'Too many logins are pending. Please retry later.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  const deviceCode = newKeyToken(config.cell)
  const { hash, prefix } = digestKey(deviceCode)
  for (let attempts = 0; attempts < CODE_ATTEMPTS_MAX; attempts++) {
    const userCode = newUserCode()
    const login: DeviceLogin = {
      deviceHash: hash,
      prefix,
      userCodeHash: hashUserCode(deriveUserCodeKey(secret), userCode),
      clientName: cutToBytes(escapeControls(clientName), CLIENT_NAME_BYTES_MAX),
      ipAddress,
      createdAt: now,
      expiresAt: new Date(now.getTime() + DEVICE_LOGIN_SECONDS * 1000),
      status: 'pending',
      teamId: null,
      keyId: null,
    }
    if (await insertDeviceLogin(db, login)) return { deviceCode, userCode }
  }
  throw new Error('Could not find a free code for the login.')
}

/** A user code, and the user who typed it. */
interface GivenCode {
  code: string
  userId: string
  ipAddress: string
}

/** A pending login with its user code, which only the person and the program know. */
export type KnownLogin = DeviceLogin & { userCode: string }

/** Counts the attempt, so that users cannot guess the codes of others. Throws ApiError (404, 429). */
async function readCode({ db, secret }: DeviceDeps, { code, userId, ipAddress }: GivenCode, now: Date) {
  await beginAttempt(db, { what: 'device_code', ipAddress, account: userId }, now)
  const userCode = orNotFound(parseUserCode(code))
  return { userCode, hash: hashUserCode(deriveUserCodeKey(secret), userCode) }
}

/** Returns the pending login with a user code. Throws ApiError (404, 429). */
export async function inspectDeviceLogin(deps: DeviceDeps, code: GivenCode, now: Date): Promise<KnownLogin> {
  const { userCode, hash } = await readCode(deps, code, now)
  return { ...orNotFound(await findPendingLogin(deps.db, hash, now)), userCode }
}

/**
 * Confirms a login: its device code becomes an API key of the team. Throws ApiError: 404, 429, and those of createKey.
 * @param name the name of the key; null names it after the program
 * @param creator the powers of the person
 */
export async function approveDeviceLogin(
  deps: DeviceDeps,
  transactions: Transactions,
  code: GivenCode,
  { teamId, creator, input, name }: NewKeyOfLogin,
  now: Date,
): Promise<ApiKey> {
  const { hash } = await readCode(deps, code, now)
  return transactions.transaction(async (tx) => {
    const login = orNotFound(await findPendingLogin(tx, hash, now, 'for update'))
    const { deviceHash, prefix, clientName, ipAddress } = login
    const keyInput = { ...input, name: name ?? clientName }
    const key = await createKeyOf(tx, teamId, keyInput, creator, now, { hash: deviceHash, prefix })
    await updateDeviceLoginAnswered(tx, { deviceHash, status: 'approved', teamId, keyId: key.id })
    // Many people of one network may log in with programs.
    await endAttempt(tx, { what: 'device', ipAddress, account: '' }, now)
    return key
  })
}

export interface NewKeyOfLogin {
  teamId: string
  creator: Powers
  input: Omit<KeyInput, 'name'>
  name: string | null
}

/** Rejects a login. The next poll of its program fails. Throws ApiError (404, 429). */
export async function denyDeviceLogin(deps: DeviceDeps, code: GivenCode, now: Date): Promise<KnownLogin> {
  const { userCode, hash } = await readCode(deps, code, now)
  return deps.db.transaction(async (tx) => {
    const login: DeviceLogin = {
      ...orNotFound(await findPendingLogin(tx, hash, now, 'for update')),
      status: 'denied',
    }
    await updateDeviceLoginAnswered(tx, login)
    return { ...login, userCode }
  })
}

/**
 * Returns the key that the device code became. Throws ApiError by RFC 8628 section 3.5: `authorization_pending`,
 * `slow_down`, `access_denied`, `expired_token`.
 */
export async function redeemDeviceCode(db: Queryable, deviceCode: string, now: Date): Promise<ApiKey> {
  const { hash } = digestKey(deviceCode)
  const login = await pollDeviceLogin(db, hash, now, new Date(now.getTime() - POLL_MIN_MS))
  if (login === null)
    throw new ApiError((await isDeviceLoginOpen(db, hash, now)) ? 'slow_down' : 'expired_token')
  if (login.status === 'pending') throw new ApiError('authorization_pending')
  const { teamId, keyId } = login
  const key = teamId === null || keyId === null ? null : await findKey(db, teamId, keyId)
  if (key === null || key.revokedAt !== null) throw new ApiError('access_denied')
  return key
}
