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
/** Longest schedule (365 days) and longest lifetime (5 days) of an email, and a day. */
const RETIRED_KEPT_MS = 371 * 24 * 3_600_000

let waiting = 0
let lastPair: Promise<unknown> = Promise.resolve()

/**
 * An RSA pair costs a tenth of a second and more on one of libuv's few threads, which signatures and DNS need too:
 * one is made at a time, and a queue that grows beyond reason is refused instead.
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

/** RSA: SubjectPublicKeyInfo (RFC 6376 section 3.6.1). Ed25519: the 32 bytes alone (RFC 8463 section 4). */
function publicKeyTag(algorithm: Algorithm, key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' })
  return (algorithm === 'rsa-sha256' ? der : der.subarray(-32)).toString('base64')
}

/** Binds a sealed key to its row: moved to another one, it does not open. */
function sealContext(teamId: string, domainId: string, algorithm: Algorithm): string {
  return `${teamId}/${domainId}/${algorithm}`
}

/** A fresh RSA-2048 and a fresh Ed25519 key of a domain, private halves sealed with `secret` (the master key). */
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

/**
 * The keys that a domain's emails are signed with, RSA first; parsing them is dear, so the caller keeps them. Also of
 * a deleted domain, for emails accepted before; empty once those can no longer exist. Throws when `secret` is not
 * the one that sealed them.
 */
export async function loadDkimKeys(
  db: Queryable,
  secret: Buffer,
  teamId: string,
  domainId: string,
): Promise<DkimKey[]> {
  const sealingKey = deriveKey(secret, PURPOSE)
  const stored = await findSigningKeys(db, teamId, domainId)
  return stored.map(({ algorithm, domainName, selector, sealedPrivateKey }) => ({
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

/** Deletes keys of domains deleted so long ago that no accepted email can be waiting for them. Returns how many. */
export async function purgeRetiredDkimKeys(db: Db, now: Date): Promise<number> {
  return deleteKeysRetiredBefore(db, new Date(now.getTime() - RETIRED_KEPT_MS))
}

/** Whether `secret` is the one that the keys of this database are sealed with; true where there is none to try. */
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
