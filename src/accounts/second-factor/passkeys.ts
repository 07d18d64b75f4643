import { ApiError, invalidField } from '../../lib/api-error.ts'
import { encodeUuid, newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { lockUser, type User } from '../users-queries.ts'
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
import { countSecondFactors, spendChallenge } from './second-factors-queries.ts'
import { ALGORITHMS, type RegistrationAnswer, verifyRegistration } from './verify-passkey.ts'

export interface PasskeyDeps extends FactorDeps {
  publicUrl: string
  log: Log
}

export const PASSKEYS_MAX = 20
const NAME = 'Sendwright'

/**
 * What a browser hands to `navigator.credentials.create` (its JSON form). A passkey that can be found without a name is
 * preferred, since it logs in by itself; one that cannot is taken as a second factor.
 */
export async function askForRegistration(
  { db, clock, secret, publicUrl }: PasskeyDeps,
  user: Pick<User, 'id' | 'email' | 'name'>,
) {
  const party = relyingPartyOf(publicUrl)
  const known = await listPasskeys(db, user.id)
  if (known.length >= PASSKEYS_MAX) throw tooMany()
  const challenge = newChallenge(deriveChallengeKey(secret), subjectOf(user.id), clock.now())
  return {
    challenge: challenge.toString('base64url'),
    rp: { id: party.id, name: NAME },
    user: { id: userHandleOf(user.id), name: user.email, displayName: user.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: known.map(describeCredential),
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
  /** With a user's first second factor come codes for who loses it; null: there are some. */
  recoveryCodes: string[] | null
}

/** Throws ApiError: 422 for an answer to something else, 409 for a passkey that is known, or one too many. */
export async function addPasskey(
  deps: PasskeyDeps,
  userId: string,
  { answer, name }: { answer: RegistrationAnswer; name: string },
): Promise<AddedPasskey> {
  const { db, clock, secret, publicUrl, log } = deps
  const now = clock.now()
  const asked = rememberChallenge(secret, subjectOf(userId), now)
  const party = relyingPartyOf(publicUrl)
  const credential = await verifyRegistration(answer, { party, log, isAsked: asked.isAsked })
  const challenge = asked.found()
  if (credential === null || challenge === null) throw notWhatWasAsked()
  const passkey: Passkey = {
    ...credential,
    userId,
    id: newId(now.getTime()),
    name,
    lastUsedAt: null,
    createdAt: now,
  }
  return db.transaction(async (tx) => {
    if ((await lockUser(tx, userId)) === null) throw new ApiError('not_found')
    const { passkeyCount, recoveryCodesLeft } = await countSecondFactors(tx, userId)
    if (passkeyCount >= PASSKEYS_MAX) throw tooMany()
    if (!(await spendChallenge(tx, challenge.hash, challenge.expiresAt, now))) throw notWhatWasAsked()
    if (!(await insertPasskey(tx, passkey))) throw new ApiError('conflict', 'This passkey is in use already.')
    const isCovered = recoveryCodesLeft > 0
    return { passkey, recoveryCodes: isCovered ? null : await renewRecoveryCodes(tx, secret, userId, now) }
  })
}

/** False: the user has no such passkey. */
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

/** Judges challenges, and keeps the one that was right, to be spent with what it brings. */
export function rememberChallenge(secret: Buffer, subject: ChallengeSubject, now: Date) {
  let challenge: Challenge | null = null
  return {
    isAsked(text: string): boolean {
      challenge = readChallenge(deriveChallengeKey(secret), subject, text, now)
      return challenge !== null
    },
    found: (): Challenge | null => challenge,
  }
}

/** How a passkey is named to a browser. */
export function describeCredential({ credentialId, transports }: Passkey) {
  return { type: 'public-key', id: credentialId.toString('base64url'), transports }
}

/** What the authenticator keeps to say whose a passkey is: nothing that says anything of the person. */
export function userHandleOf(userId: string): string {
  return encodeUuid(userId).toString('base64url')
}

const subjectOf = (userId: string): ChallengeSubject => ({ purpose: 'registration', id: userId })

function tooMany(): ApiError {
  return new ApiError('conflict', `A user has at most ${PASSKEYS_MAX} passkeys.`)
}

function notWhatWasAsked(): ApiError {
  return invalidField('response', 'The passkey did not answer what it was asked. Try again.')
}
