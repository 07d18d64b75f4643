import { hintAccessChanged } from '../access/access-changes-queries.ts'
import type { Tx } from '../db/db-types.ts'
import { ApiError, invalidField, orNotFound } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { digestKey } from './key-token.ts'
import {
  type ApiKey,
  insertKey,
  lockKey,
  type Permission,
  teamHasDomain,
  updateKey,
  updateKeyRevoked,
} from './keys-queries.ts'

/** The powers of an API key, which limit the keys that it may create or change. */
export interface Powers {
  permission: Permission
  /** Restricts the key to one domain, or null for all domains. */
  domainId: string | null
  /** Null: the key does not expire. */
  expiresAt: Date | null
}

export interface KeyInput extends Powers {
  name: string
}

/**
 * Creates an API key. Only the result contains the token; it is never stored.
 * Throws ApiError: `restricted_api_key` when the key would exceed the powers of `creator`, `validation_error` for a
 * domain that the team does not have or an expiry in the past, `conflict` when the token is already in use.
 * @param creator the powers of the calling key; null for the operator
 * @param token of `newKeyToken`, or chosen by the operator (SENDWRIGHT_BOOTSTRAP_KEY)
 */
export async function createKey(
  tx: Tx,
  teamId: string,
  input: KeyInput,
  creator: Powers | null,
  now: Date,
  token: string,
): Promise<{ key: ApiKey; token: string }> {
  return { key: await createKeyOf(tx, teamId, input, creator, now, digestKey(token)), token }
}

/** Creates the API key of a token of which only the digest is known. Throws as createKey does. */
export async function createKeyOf(
  tx: Tx,
  teamId: string,
  input: KeyInput,
  creator: Powers | null,
  now: Date,
  { hash, prefix }: ReturnType<typeof digestKey>,
): Promise<ApiKey> {
  if (creator !== null) checkPowers(input, creator)
  await validateKeyInput(tx, teamId, input, now)
  const key: ApiKey = {
    teamId,
    id: newId(now.getTime()),
    name: input.name,
    permission: input.permission,
    domainId: input.domainId,
    prefix,
    expiresAt: input.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  if (!(await insertKey(tx, key, hash))) throw new ApiError('conflict', 'This API key already exists.')
  await hintAccessChanged(tx)
  return key
}

/**
 * Changes the given fields of a key. Throws ApiError as createKey does, and `not_found`. Neither the old nor the new
 * state may exceed the powers of `creator`.
 */
export async function changeKey(
  tx: Tx,
  teamId: string,
  id: string,
  changes: Partial<KeyInput>,
  creator: Powers,
  now: Date,
): Promise<ApiKey> {
  const before = orNotFound(await lockKey(tx, teamId, id))
  const key: ApiKey = { ...before, ...changes, updatedAt: now }
  checkPowers(before, creator)
  checkPowers(key, creator)
  await validateKeyInput(tx, teamId, changes, now)
  await updateKey(tx, key)
  await hintAccessChanged(tx)
  return key
}

/**
 * Revokes a key, which every process rejects within a second. Revoking it again changes nothing. Returns null when
 * the team has no such key. Throws ApiError when the key exceeds the powers of `revoker`; null is the operator.
 */
export async function revokeKey(
  tx: Tx,
  teamId: string,
  id: string,
  revoker: Powers | null,
  now: Date,
): Promise<ApiKey | null> {
  const before = await lockKey(tx, teamId, id)
  if (before === null) return null
  if (revoker !== null) checkPowers(before, revoker)
  const key = await updateKeyRevoked(tx, teamId, id, now)
  await hintAccessChanged(tx)
  return key
}

/**
 * Throws when a key exceeds the powers of its creator, so that a restricted key cannot get around its restrictions.
 */
function checkPowers(key: Powers, creator: Powers): void {
  const exceedsCreator =
    (key.permission === 'full' && creator.permission !== 'full') ||
    (creator.domainId !== null && key.domainId !== creator.domainId) ||
    (creator.expiresAt !== null && (key.expiresAt === null || key.expiresAt > creator.expiresAt))
  if (exceedsCreator) {
    throw new ApiError(
      'restricted_api_key',
      'An API key cannot create, change or revoke one that may do more than itself.',
    )
  }
}

/**
 * Throws when the domain or the expiry is invalid. The error for another team's domain equals the one for an unknown
 * domain.
 */
async function validateKeyInput(tx: Tx, teamId: string, input: Partial<Powers>, now: Date): Promise<void> {
  const { domainId, expiresAt } = input
  if (domainId && !(await teamHasDomain(tx, teamId, domainId))) {
    throw invalidField('domain_id', 'The domain_id field must be the id of a domain of this account.')
  }
  if (expiresAt && expiresAt.getTime() <= now.getTime()) {
    throw invalidField('expires_at', 'The expires_at field must be a date in the future.')
  }
}
