import { type NewSession, startSession } from '../../access/session-access.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import type { Browser } from '../../http/browser-of.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { type Attempt, beginAttempt, endAttempt } from '../sessions/login-attempts.ts'
import { lockUser } from '../users-queries.ts'
import type { FactorDeps } from './factor-deps.ts'
import {
  deleteLoginChallenge,
  findLoginChallenge,
  type LoginChallenge,
  tryLoginChallenge,
} from './login-challenges-queries.ts'
import { CHALLENGE_MS, type ChallengeSubject, deriveChallengeKey, newChallenge } from './passkey-challenge.ts'
import { describeCredential, type PasskeyDeps, rememberChallenge, userHandleOf } from './passkeys.ts'
import { findPasskeyByCredential, listPasskeys, type Passkey, recordPasskeyUse } from './passkeys-queries.ts'
import { spendCode } from './recovery.ts'
import { relyingPartyOf } from './relying-party.ts'
import { spendChallenge } from './second-factors-queries.ts'
import { spendTotpCode } from './totp.ts'
import { type LoginAnswer, verifyLogin } from './verify-passkey.ts'

/** Of one login; then the password is asked for again, which is throttled. */
const ATTEMPTS_MAX = 5

/** What a person typed: of the app, or one of those kept for when it is lost. */
export type GivenCode = { kind: 'totp' | 'recovery'; code: string }

/**
 * The second half of a login by a code. A code is used up with the session that it makes, in one transaction: of many who
 * bring the same one, in whatever processes, one is let in. Wrong codes are counted for the login, and for the account
 * over all its logins: who guesses knows the password already. Throws ApiError: 401, 429.
 */
export async function logInWithCode(
  { db, clock, secret }: FactorDeps,
  { challengeId, given }: { challengeId: string; given: GivenCode },
  browser: Browser,
): Promise<NewSession> {
  const now = clock.now()
  const login = await tryLoginChallenge(db, challengeId, now, ATTEMPTS_MAX)
  if (login === null) throw new ApiError('login_expired')
  const { userId } = login
  const attempt: Attempt = { what: 'second_factor', ipAddress: browser.ipAddress, account: userId }
  await beginAttempt(db, attempt, now)
  const started = await db.transaction(async (tx) => {
    await requireUser(tx, userId)
    if (!(await spend(tx, secret, userId, given, now))) throw new ApiError('invalid_code')
    return finishLogin(tx, { challengeId, userId, browser }, now)
  })
  await endAttempt(db, attempt, now)
  return started
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
 * What a browser hands to `navigator.credentials.get` (its JSON form): for the second half of the login `challengeId`, the
 * user's passkeys; with null, whatever passkey the person picks, and then it must know the person by itself (a PIN, a
 * finger, a face), since there was no password. Throws ApiError (401).
 */
export async function askForPasskey(
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

/** A login by a passkey: the second half of one, or a whole one. Throws ApiError (401). */
export async function logInWithPasskey(
  deps: PasskeyDeps,
  { challengeId, answer }: { challengeId: string; answer: LoginAnswer },
  browser: Browser,
): Promise<NewSession> {
  const { db, clock, secret, publicUrl, log } = deps
  const now = clock.now()
  const login = await tryLoginChallenge(db, challengeId, now, ATTEMPTS_MAX)
  const passkey = await findOwnPasskey(db, answer, login)
  if (passkey === null) throw new ApiError('invalid_code')
  const asked = rememberChallenge(secret, subjectOf(challengeId, login !== null), now)
  const used = await verifyLogin(answer, passkey, {
    party: relyingPartyOf(publicUrl),
    log,
    isAsked: asked.isAsked,
    isUserVerified: login === null,
  })
  const challenge = asked.found()
  if (used === null || challenge === null) throw new ApiError('invalid_code')
  const { userId, id: passkeyId } = passkey
  return db.transaction(async (tx) => {
    await requireUser(tx, userId)
    const isFirst = await spendChallenge(tx, challenge.hash, challenge.expiresAt, now)
    if (!isFirst || !(await recordPasskeyUse(tx, passkey, used, now))) {
      log.warn({ user_id: userId, passkey_id: passkeyId }, 'a passkey was used twice, or was copied')
      throw new ApiError('invalid_code')
    }
    return finishLogin(tx, { challengeId: login?.id ?? null, userId, browser }, now)
  })
}

/** Whose it is: of the login that it is part of, or of the user that it names itself (WebAuthn level 3, section 7.2). */
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

/** Locked first, as by everything that changes a user; who is gone logs in no more. */
async function requireUser(tx: Tx, userId: string): Promise<void> {
  if ((await lockUser(tx, userId)) === null) throw new ApiError('login_expired')
}

/** The session, and the end of the login that led to it: it is good for one. */
async function finishLogin(
  tx: Tx,
  { challengeId, userId, browser }: { challengeId: string | null; userId: string; browser: Browser },
  now: Date,
): Promise<NewSession> {
  if (challengeId !== null && !(await deleteLoginChallenge(tx, challengeId)))
    throw new ApiError('login_expired')
  return startSession(tx, { userId, ...browser }, now)
}

function subjectOf(id: string, isSecond: boolean): ChallengeSubject {
  return { purpose: isSecond ? 'second factor' : 'login', id }
}
