import { type NewSession, startSession } from '../../access/session-access.ts'
import type { Config } from '../../config/config.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import type { Browser } from '../../http/route/browser-of.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { beginAttempt, endAttempt, type LoginAttempt } from '../sessions/login-attempts.ts'
import {
  countLoginAttempt,
  deleteLoginChallenge,
  findLoginChallenge,
  type LoginChallenge,
} from '../sessions/login-challenges-queries.ts'
import { requirePasswordLogin } from '../sessions/password-login.ts'
import { isLinkedUser } from '../users/sso-identities-queries.ts'
import { lockUser } from '../users/users-queries.ts'
import type { FactorDeps } from './factor-deps.ts'
import { CHALLENGE_MS, type ChallengeSubject, deriveChallengeKey, newChallenge } from './passkey-challenge.ts'
import { describeCredential, type PasskeyDeps, rememberChallenge, userHandleOf } from './passkeys.ts'
import { findPasskeyByCredential, listPasskeys, type Passkey, recordPasskeyUse } from './passkeys-queries.ts'
import { spendCode } from './recovery.ts'
import { relyingPartyOf } from './relying-party.ts'
import { spendChallenge } from './spent-challenges-queries.ts'
import { spendTotpCode } from './totp.ts'
import { type LoginAnswer, verifyLogin } from './verify-passkey.ts'

/** The limit per login. After that, the throttled password step must be repeated. */
const ATTEMPTS_MAX = 5

const SECOND_FACTOR_ONLY =
  'This passkey is only a second factor, because it is older than your first single sign-on. Log in with your password.'

/** A code that a person typed: from the app, or a recovery code. */
export type GivenCode = { kind: 'totp' | 'recovery'; code: string }

/**
 * Completes a login with a code. A code is used up in the transaction that creates the session, so that only one of
 * many simultaneous requests with the same code succeeds. Wrong codes count for the login and, over all logins, for
 * the account, because anyone who guesses codes already knows the password. Throws ApiError: 401, 429.
 */
export async function logInWithCode(
  { db, clock, secret }: FactorDeps,
  { challengeId, code }: { challengeId: string; code: GivenCode },
  browser: Browser,
): Promise<NewSession> {
  const now = clock.now()
  const login = await countLoginAttempt(db, challengeId, now, ATTEMPTS_MAX)
  if (login === null) throw new ApiError('login_expired')
  const { userId } = login
  const attempt: LoginAttempt = { what: 'second_factor', ipAddress: browser.ipAddress, account: userId }
  await beginAttempt(db, attempt, now)
  const newSession = await db.transaction(async (tx) => {
    await requireUser(tx, userId)
    if (!(await spend(tx, secret, userId, code, now))) throw new ApiError('invalid_code')
    return finishLogin(tx, { login, userId, browser }, now)
  })
  await endAttempt(db, attempt, now)
  return newSession
}

function spend(
  tx: Tx,
  secret: Buffer,
  userId: string,
  { kind, code }: GivenCode,
  now: Date,
): Promise<boolean> {
  return kind === 'totp'
    ? spendTotpCode(tx, secret, { userId, code }, now)
    : spendCode(tx, secret, { userId, code })
}

/**
 * Returns the options for `navigator.credentials.get` in JSON form. With a `challengeId`, they allow the user's
 * passkeys as the second step of that login. With null, they allow any passkey; it must then verify the person (PIN,
 * fingerprint, face), because there was no password. Throws ApiError (401).
 */
export async function requestPasskey(
  { db, clock, secret, publicUrl }: PasskeyDeps,
  challengeId: string | null,
) {
  const party = relyingPartyOf(publicUrl)
  const now = clock.now()
  const login = challengeId === null ? null : await findLoginChallenge(db, challengeId, now, ATTEMPTS_MAX)
  if (challengeId !== null && login === null) throw new ApiError('login_expired')
  const id = login?.id ?? newId(now.getTime())
  const challenge = newChallenge(deriveChallengeKey(secret), subjectOf(id, login !== null), now)
  return {
    challengeId: id,
    expiresAt: new Date(now.getTime() + CHALLENGE_MS),
    options: {
      challenge: challenge.toString('base64url'),
      rpId: party.id,
      allowCredentials: login === null ? [] : (await listPasskeys(db, login.userId)).map(describeCredential),
      userVerification: login === null ? 'required' : 'preferred',
      timeout: CHALLENGE_MS,
    },
  }
}

/** Logs in with a passkey, as the second step of a login or alone. Throws ApiError: 401, 403. */
export async function logInWithPasskey(
  deps: PasskeyDeps & { config: Pick<Config, 'passwordLogin' | 'oidcIssuer'> },
  { challengeId, answer }: { challengeId: string; answer: LoginAnswer },
  browser: Browser,
): Promise<NewSession> {
  const { db, clock, secret, publicUrl, log } = deps
  const now = clock.now()
  const login = await countLoginAttempt(db, challengeId, now, ATTEMPTS_MAX)
  const passkey = await findOwnPasskey(db, answer, login)
  if (passkey === null) throw new ApiError('invalid_code')
  const challenges = rememberChallenge(secret, subjectOf(challengeId, login !== null), now)
  const use = await verifyLogin(answer, passkey, {
    party: relyingPartyOf(publicUrl),
    log,
    isIssued: challenges.isIssued,
    isUserVerified: login === null,
  })
  const challenge = challenges.validChallenge()
  if (use === null || challenge === null) throw new ApiError('invalid_code')
  const { userId, id: passkeyId } = passkey
  return db.transaction(async (tx) => {
    await requireUser(tx, userId)
    if (login === null) await requireAlone(tx, deps.config, passkey)
    const isFirst = await spendChallenge(tx, challenge.hash, challenge.expiresAt, now)
    if (!isFirst || !(await recordPasskeyUse(tx, passkey, use, now))) {
      log.warn({ user_id: userId, passkey_id: passkeyId }, 'a passkey was used twice or was copied')
      throw new ApiError('invalid_code')
    }
    return finishLogin(tx, { login, userId, browser }, now)
  })
}

/**
 * Throws ApiError (403) if a passkey is only the user's second factor: without password logins, and for an account that
 * single sign-on has linked. When single sign-on is off, passkeys that are younger than the link work alone. The person
 * who created the account may still hold the older ones. The caller has locked the user, so no link is made meanwhile.
 */
async function requireAlone(
  tx: Tx,
  config: Pick<Config, 'passwordLogin' | 'oidcIssuer'>,
  { userId, credentialId }: Passkey,
): Promise<void> {
  requirePasswordLogin(config)
  if (config.oidcIssuer !== null && (await isLinkedUser(tx, userId)))
    throw new ApiError('password_login_off', 'Use single sign-on first: your passkey is its second factor.')
  const passkey = await findPasskeyByCredential(tx, credentialId)
  if (passkey?.isSecondFactorOnly === true) throw new ApiError('password_login_off', SECOND_FACTOR_ONLY)
}

/**
 * Returns the passkey if it belongs to the user of the login, or to the user that the answer names (WebAuthn level 3,
 * section 7.2).
 */
async function findOwnPasskey(
  db: Db,
  { id, response: { userHandle } }: LoginAnswer,
  login: LoginChallenge | null,
): Promise<Passkey | null> {
  const passkey = await findPasskeyByCredential(db, Buffer.from(id, 'base64url'))
  if (passkey === null) return null
  const isNamed = typeof userHandle === 'string' && userHandle !== ''
  const isOwn = isNamed ? userHandle === userHandleOf(passkey.userId) : login !== null
  return isOwn && (login === null || login.userId === passkey.userId) ? passkey : null
}

/** Locks the user first, like every change of a user. Throws if the user no longer exists. */
async function requireUser(tx: Tx, userId: string): Promise<void> {
  if ((await lockUser(tx, userId)) === null) throw new ApiError('login_expired')
}

/** Creates the session and deletes the pending login, which allows only one. */
async function finishLogin(
  tx: Tx,
  { login, userId, browser }: { login: LoginChallenge | null; userId: string; browser: Browser },
  now: Date,
): Promise<NewSession> {
  if (login !== null && !(await deleteLoginChallenge(tx, login.id))) throw new ApiError('login_expired')
  return startSession(tx, { userId, ...browser }, now, login?.sessionMs ?? undefined)
}

function subjectOf(id: string, isSecond: boolean): ChallengeSubject {
  return { purpose: isSecond ? 'second factor' : 'login', id }
}
