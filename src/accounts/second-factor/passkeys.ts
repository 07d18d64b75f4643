import type { LoggedIn } from '../../access/session-access.ts'
import { hasSession } from '../../access/sessions-queries.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { encodeUuid, newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { countSecondFactors } from '../sessions/second-factors-queries.ts'
import { lockUser, type User } from '../users/users-queries.ts'
import type { FactorDeps } from './factor-deps.ts'
import {
  CHALLENGE_MS,
  type Challenge,
  type ChallengeSubject,
  deriveChallengeKey,
  newChallenge,
  readChallenge,
} from './passkey-challenge.ts'
import { deletePasskey, insertPasskey, listPasskeys, type Passkey } from './passkeys-queries.ts'
import { forgetUselessCodes, renewRecoveryCodes } from './recovery.ts'
import { relyingPartyOf } from './relying-party.ts'
import { spendChallenge } from './spent-challenges-queries.ts'
import { ALGORITHMS, type RegistrationAnswer, verifyRegistration } from './verify-passkey.ts'

export interface PasskeyDeps extends FactorDeps {
  publicUrl: string
  log: Log
}

export const PASSKEYS_MAX = 20
const NAME = 'Sendwright'

/**
 * Returns the options for `navigator.credentials.create` in JSON form. A discoverable passkey is preferred, because
 * it can log in without a password. Any other is accepted as a second factor.
 */
export async function requestRegistration(
  { db, clock, secret, publicUrl }: PasskeyDeps,
  user: Pick<User, 'id' | 'email' | 'name'>,
) {
  const party = relyingPartyOf(publicUrl)
  const passkeys = await listPasskeys(db, user.id)
  if (passkeys.length >= PASSKEYS_MAX) throw tooManyPasskeys()
  const challenge = newChallenge(deriveChallengeKey(secret), subjectOf(user.id), clock.now())
  return {
    challenge: challenge.toString('base64url'),
    rp: { id: party.id, name: NAME },
    user: { id: userHandleOf(user.id), name: user.email, displayName: user.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: passkeys.map(describeCredential),
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    extensions: { credProps: true },
  }
}

export interface AddedPasskey {
  passkey: Passkey
  /** Recovery codes, issued with the user's first second factor; null if the user already has some. */
  recoveryCodes: string[] | null
}

/** Adds a passkey. Throws ApiError: 401 if the session has ended, 422 for an answer to another challenge, 409 for a known passkey or one too many. */
export async function addPasskey(
  deps: PasskeyDeps,
  { userId, sessionId }: Pick<LoggedIn, 'userId' | 'sessionId'>,
  { answer, name }: { answer: RegistrationAnswer; name: string },
): Promise<AddedPasskey> {
  const { db, clock, secret, publicUrl, log } = deps
  const now = clock.now()
  const challenges = rememberChallenge(secret, subjectOf(userId), now)
  const party = relyingPartyOf(publicUrl)
  const credential = await verifyRegistration(answer, { party, log, isIssued: challenges.isIssued })
  const challenge = challenges.validChallenge()
  if (credential === null || challenge === null) throw wrongAnswer()
  const passkey: Passkey = {
    ...credential,
    userId,
    id: newId(now.getTime()),
    name,
    isSecondFactorOnly: false,
    lastUsedAt: null,
    createdAt: now,
  }
  return db.transaction(async (tx) => {
    if ((await lockUser(tx, userId)) === null) throw new ApiError('not_found')
    // A new password or single sign-on may have ended the session meanwhile: its passkey would outlive it.
    if (!(await hasSession(tx, userId, sessionId))) throw new ApiError('not_logged_in')
    const { passkeyCount, recoveryCodesLeft } = await countSecondFactors(tx, userId)
    if (passkeyCount >= PASSKEYS_MAX) throw tooManyPasskeys()
    if (!(await spendChallenge(tx, challenge.hash, challenge.expiresAt, now))) throw wrongAnswer()
    if (!(await insertPasskey(tx, passkey))) throw new ApiError('conflict', 'This passkey is already in use.')
    const isCovered = recoveryCodesLeft > 0
    return { passkey, recoveryCodes: isCovered ? null : await renewRecoveryCodes(tx, secret, userId, now) }
  })
}

/** Returns false if the user has no such passkey. */
export async function removePasskey(
  { db }: Pick<PasskeyDeps, 'db'>,
  userId: string,
  id: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const isRemoved = await deletePasskey(tx, userId, id)
    if (isRemoved) await forgetUselessCodes(tx, userId)
    return isRemoved
  })
}

/** Verifies challenges and remembers the valid one, which is spent together with its answer. */
export function rememberChallenge(secret: Buffer, subject: ChallengeSubject, now: Date) {
  let challenge: Challenge | null = null
  return {
    isIssued(text: string): boolean {
      challenge = readChallenge(deriveChallengeKey(secret), subject, text, now)
      return challenge !== null
    },
    validChallenge: (): Challenge | null => challenge,
  }
}

/** Describes a passkey to a browser. */
export function describeCredential({ credentialId, transports }: Passkey) {
  return { type: 'public-key', id: credentialId.toString('base64url'), transports }
}

/** Returns the user handle that the authenticator stores. It contains nothing about the person. */
export function userHandleOf(userId: string): string {
  return encodeUuid(userId).toString('base64url')
}

const subjectOf = (userId: string): ChallengeSubject => ({ purpose: 'registration', id: userId })

function tooManyPasskeys(): ApiError {
  return new ApiError('conflict', `A user can have at most ${PASSKEYS_MAX} passkeys.`)
}

function wrongAnswer(): ApiError {
  return invalidField('response', "The passkey's answer is not valid for this request. Try again.")
}
