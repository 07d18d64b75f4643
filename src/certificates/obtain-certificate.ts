import { X509Certificate } from 'node:crypto'
import type { Authorization, Client } from 'acme-client'
import type { AcmeChallenge } from '../config/values.ts'
import type { Db } from '../db/db-types.ts'
import type { Clock } from '../lib/time/clock.ts'
import {
  type ChallengeCertificate,
  deleteChallenge,
  findAccountKey,
  insertAccountKey,
  saveChallenge,
} from './acme-queries.ts'
import { challengeOwner } from './challenges.ts'
import { loadLibrary } from './load-library.ts'
import type { SealedKeys } from './sealed-keys.ts'

export interface AcmeDeps {
  db: Db
  clock: Clock
  keys: SealedKeys
  /** The URL of the certificate authority's directory (RFC 8555 section 7.1.1). */
  directoryUrl: string
  /** Contact of the account, or null. */
  email: string | null
}

/** A certificate as it was issued, with its private key. Both are PEM. */
interface IssuedCertificate {
  chain: string
  key: string
  validFrom: Date
  validUntil: Date
  /** Null if the certificate authority reused an earlier authorization (RFC 8555). */
  provenBy: AcmeChallenge | null
}

/** The waits between two looks at a challenge or an order. Together they take at most two minutes. */
const POLL = { backoffAttempts: 15, backoffMin: 1_000, backoffMax: 10_000 }
const CHALLENGE_KEPT_MS = 3_600_000

/**
 * Obtains a certificate for one host, whose control it proves by HTTP-01 (RFC 8555 section 8.3) or TLS-ALPN-01 (RFC 8737).
 * Throws an Error whose message is the reason of the certificate authority, and AcmeBusy if that asks to wait.
 */
export async function obtainCertificate(
  deps: AcmeDeps,
  host: string,
  kind: AcmeChallenge,
): Promise<IssuedCertificate> {
  const { crypto } = await loadLibrary()
  const client = await openAccount(deps)
  const order = await client.createOrder({ identifiers: [{ type: 'dns', value: host }] })
  let provenBy: AcmeChallenge | null = null
  for (const authorization of await client.getAuthorizations(order)) {
    if (authorization.status === 'valid') continue
    await proveControl(deps, client, authorization, kind)
    provenBy = kind
  }
  const [key, csr] = await crypto.createCsr({ altNames: [host] }, await crypto.createPrivateEcdsaKey())
  const chain = await client.getCertificate(await client.finalizeOrder(order, csr))
  const leaf = new X509Certificate(chain)
  if (leaf.checkHost(host) === undefined) throw new Error(`The issued certificate is not for ${host}.`)
  const { validFromDate, validToDate } = leaf
  return { chain, key: key.toString(), validFrom: validFromDate, validUntil: validToDate, provenBy }
}

/** Opens the account of the stored key. The first call creates both; a known key gets its account again. */
async function openAccount({ db, clock, keys, directoryUrl, email }: AcmeDeps): Promise<Client> {
  const { Client, crypto } = await loadLibrary()
  const owner = `account ${directoryUrl}`
  if ((await findAccountKey(db, directoryUrl)) === null) {
    const accountKey = await crypto.createPrivateEcdsaKey()
    await insertAccountKey(db, directoryUrl, keys.seal(owner, accountKey.toString()), clock.now())
  }
  const sealedKey = (await findAccountKey(db, directoryUrl)) as Buffer
  const client = new Client({ directoryUrl, accountKey: keys.unseal(owner, sealedKey), ...POLL })
  const contact = email === null ? {} : { contact: [`mailto:${email}`] }
  await client.createAccount({ termsOfServiceAgreed: true, ...contact })
  return client
}

async function proveControl(
  deps: AcmeDeps,
  client: Client,
  authorization: Authorization,
  kind: AcmeChallenge,
): Promise<void> {
  const { db, clock } = deps
  const challenge = authorization.challenges.find(({ type }) => type === kind)
  if (challenge === undefined) throw new Error(`The certificate authority offers no challenge ${kind}.`)
  const { token } = challenge
  const keyAuthorization = await client.getChallengeKeyAuthorization(challenge)
  const tls = kind === 'http-01' ? null : await createCertificate(deps, authorization, keyAuthorization)
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_KEPT_MS)
  await saveChallenge(db, { token, host: authorization.identifier.value, keyAuthorization, tls, expiresAt })
  try {
    await client.completeChallenge(challenge)
    await client.waitForValidStatus(challenge)
  } finally {
    await deleteChallenge(db, token)
  }
}

/** Creates the certificate that answers TLS-ALPN-01 (RFC 8737 section 3). */
async function createCertificate(
  { keys }: AcmeDeps,
  authorization: Authorization,
  keyAuthorization: string,
): Promise<ChallengeCertificate> {
  const { crypto } = await loadLibrary()
  const keyPem = await crypto.createPrivateEcdsaKey()
  const [key, certificate] = await crypto.createAlpnCertificate(authorization, keyAuthorization, keyPem)
  const sealedKey = keys.seal(challengeOwner(authorization.identifier.value), key.toString())
  return { certificate: certificate.toString(), sealedKey }
}
