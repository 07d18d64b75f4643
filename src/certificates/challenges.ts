import { createSecureContext, type SecureContext } from 'node:tls'
import type { AcmeChallenge } from '../config/values.ts'
import type { Queryable } from '../db/db-types.ts'
import { findChallengeCertificate } from './acme-queries.ts'
import type { SealedKeys } from './sealed-keys.ts'

/**
 * Returns the challenge for the next attempt: the one that worked last time, if it is still in use. The kinds alternate
 * after each failure: a firewall may let through only one of the two ports.
 * @param provenBy null before the first certificate
 */
export function challengeFor(
  kinds: readonly AcmeChallenge[],
  failures: number,
  provenBy: string | null,
): AcmeChallenge {
  const first = Math.max(0, kinds.indexOf(provenBy as AcmeChallenge))
  return kinds[(first + failures) % kinds.length] as AcmeChallenge
}

/** Returns the owner to which the key of a challenge's certificate is bound. */
export const challengeOwner = (host: string): string => `challenge ${host}`

/**
 * Returns the context that answers a TLS-ALPN-01 challenge (RFC 8737 section 3) for a host, or null if there is none in
 * progress. Any process may be asked, so the answer is in the database.
 */
export async function findChallengeContext(
  db: Queryable,
  keys: SealedKeys,
  host: string,
): Promise<SecureContext | null> {
  const challenge = await findChallengeCertificate(db, host.toLowerCase())
  if (challenge === null) return null
  const key = keys.unseal(challengeOwner(host.toLowerCase()), challenge.sealedKey)
  return createSecureContext({ cert: challenge.certificate, key, minVersion: 'TLSv1.2' })
}
