import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Db, Queryable } from '../db/db-types.ts'
import { ApiError } from '../lib/api-error.ts'
import { deriveKey, seal, unseal } from '../lib/crypto/seal.ts'
import type { DkimKey } from '../mime/dkim.ts'
import {
  deleteKeysRetiredBefore,
  findAnyDkimKey,
  findSigningKeys,
  type StoredDkimKey,
} from './dkim-keys-queries.ts'
import { dkimSelector } from './domain-records.ts'

type Algorithm = StoredDkimKey['algorithm']
interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}

const generate = promisify(generateKeyPair)
const PURPOSE = 'dkim private keys'
const RSA_BITS = 2048
const WAITING_MAX = 50
/** The longest schedule (365 days) and lifetime (5 days) of an email, plus one day. */
const RETIRED_KEPT_MS = 371 * 24 * 3_600_000

let waiting = 0
let lastPair: Promise<unknown> = Promise.resolve()

/**
 * Generates an RSA pair, which occupies one of libuv's few threads for a tenth of a second or more. Signatures and
 * DNS need these threads too, so only one pair is generated at a time, and a long queue is rejected.
 */
async function makeRsaPair(): Promise<KeyPair> {
  if (waiting >= WAITING_MAX) {
    throw new ApiError('service_unavailable', 'Too many domains are being added at once.', {
      retryAfterSeconds: 10,
    })
  }
  waiting++
  const pair = lastPair.then(() => generate('rsa', { modulusLength: RSA_BITS }))
  lastPair = pair.catch(() => {})
  try {
    return await pair
  } finally {
    waiting--
  }
}

/**
 * Encodes a public key. RSA: SubjectPublicKeyInfo (RFC 6376 section 3.6.1). Ed25519: only the 32 bytes (RFC 8463
 * section 4).
 */
function publicKeyTag(algorithm: Algorithm, key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' })
  return (algorithm === 'rsa-sha256' ? der : der.subarray(-32)).toString('base64')
}

/** Returns the context that binds a sealed key to its row: in another row, the key cannot be unsealed. */
function sealContext(teamId: string, domainId: string, algorithm: Algorithm): string {
  return `${teamId}/${domainId}/${algorithm}`
}

/** Generates an RSA-2048 and an Ed25519 key for a domain. Private keys are sealed with `secret` (the master key). */
export async function makeDkimKeys(
  secret: Buffer,
  teamId: string,
  domain: { id: string; name: string },
): Promise<StoredDkimKey[]> {
  const sealingKey = deriveKey(secret, PURPOSE)
  const pairs: [Algorithm, KeyPair][] = [
    ['rsa-sha256', await makeRsaPair()],
    ['ed25519-sha256', await generate('ed25519')],
  ]
  return pairs.map(([algorithm, { publicKey, privateKey }]) => ({
    algorithm,
    domainName: domain.name,
    selector: dkimSelector(domain.id, algorithm),
    publicKey: publicKeyTag(algorithm, publicKey),
    sealedPrivateKey: seal(
      sealingKey,
      privateKey.export({ type: 'pkcs8', format: 'der' }),
      sealContext(teamId, domain.id, algorithm),
    ),
  }))
}

export interface SigningKey extends DkimKey {
  /** Whether new emails are signed with it. Emails that were signed with it before keep their signature. */
  isUsed: boolean
}

/**
 * Returns the keys of a domain, RSA first. Parsing is slow, so callers cache the keys. Also works for
 * a deleted domain, for emails accepted before; empty once no such emails can exist. Throws if the keys were sealed
 * with another secret.
 */
export async function loadDkimKeys(
  db: Queryable,
  secret: Buffer,
  teamId: string,
  domainId: string,
): Promise<SigningKey[]> {
  const sealingKey = deriveKey(secret, PURPOSE)
  const rows = await findSigningKeys(db, teamId, domainId)
  return rows.map(({ algorithm, domainName, selector, sealedPrivateKey, isUsed }) => ({
    isUsed,
    domain: domainName,
    selector,
    algorithm,
    privateKey: createPrivateKey({
      key: unseal(sealingKey, sealedPrivateKey, sealContext(teamId, domainId, algorithm)),
      format: 'der',
      type: 'pkcs8',
    }),
  }))
}

/**
 * Deletes keys of domains that were deleted so long ago that no accepted email can need them. Returns the number of
 * deleted keys.
 */
export async function purgeRetiredDkimKeys(db: Db, now: Date): Promise<number> {
  return deleteKeysRetiredBefore(db, new Date(now.getTime() - RETIRED_KEPT_MS))
}

/** Returns whether `secret` is the one that sealed this database's keys, or true if there is no key. */
export async function opensDkimKeys(db: Queryable, secret: Buffer): Promise<boolean> {
  const key = await findAnyDkimKey(db)
  if (key === null) return true
  try {
    unseal(
      deriveKey(secret, PURPOSE),
      key.sealedPrivateKey,
      sealContext(key.teamId, key.domainId, key.algorithm),
    )
    return true
  } catch {
    return false
  }
}
