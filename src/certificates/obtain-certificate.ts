import { X509Certificate } from 'node:crypto'
import type { Client } from 'acme-client'
import type { Db } from '../db/db-types.ts'
import type { Clock } from '../lib/time/clock.ts'
import { deleteChallenge, findAccountKey, insertAccountKey, saveChallenge } from './acme-queries.ts'
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
}

const REQUEST_TIMEOUT_MS = 30_000
/** The waits between two looks at a challenge or an order. Together they take at most two minutes. */
const POLL = { backoffAttempts: 15, backoffMin: 1_000, backoffMax: 10_000 }
const CHALLENGE_KEPT_MS = 3_600_000

/** The library takes a moment to load, and few processes ever need it. */
async function loadLibrary() {
  const library = await import('acme-client')
  const { axios } = library
  axios.defaults.timeout = REQUEST_TIMEOUT_MS
  // A rate limit may last for hours. The scheduler retries, so that a stop does not wait for the library.
  Object.assign(axios.defaults, { acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 1 } })
  return library
}

/**
 * Obtains a certificate for one host, which it proves by HTTP-01 (RFC 8555 section 8.3). Throws an Error whose message is
 * the reason of the certificate authority.
 */
export async function obtainCertificate(deps: AcmeDeps, host: string): Promise<IssuedCertificate> {
  const { crypto } = await loadLibrary()
  const client = await openAccount(deps)
  const order = await client.createOrder({ identifiers: [{ type: 'dns', value: host }] })
  await proveControl(deps, client, order)
  const [key, csr] = await crypto.createCsr({ altNames: [host] }, await crypto.createPrivateEcdsaKey())
  const chain = await client.getCertificate(await client.finalizeOrder(order, csr))
  const leaf = new X509Certificate(chain)
  if (leaf.checkHost(host) === undefined) throw new Error(`The issued certificate is not for ${host}.`)
  const { validFromDate, validToDate } = leaf
  return { chain, key: key.toString(), validFrom: validFromDate, validUntil: validToDate }
}

/** Opens the account of the stored key. The first call creates both; a known key gets its account again. */
async function openAccount({ db, clock, keys, directoryUrl, email }: AcmeDeps): Promise<Client> {
  const { Client, crypto } = await loadLibrary()
  const owner = `account ${directoryUrl}`
  if ((await findAccountKey(db, directoryUrl)) === null) {
    const made = await crypto.createPrivateEcdsaKey()
    await insertAccountKey(db, directoryUrl, keys.seal(owner, made.toString()), clock.now())
  }
  const sealed = (await findAccountKey(db, directoryUrl)) as Buffer
  const client = new Client({ directoryUrl, accountKey: keys.unseal(owner, sealed), ...POLL })
  const contact = email === null ? {} : { contact: [`mailto:${email}`] }
  await client.createAccount({ termsOfServiceAgreed: true, ...contact })
  return client
}

type Order = Awaited<ReturnType<Client['createOrder']>>

async function proveControl({ db, clock }: AcmeDeps, client: Client, order: Order): Promise<void> {
  for (const authorization of await client.getAuthorizations(order)) {
    if (authorization.status === 'valid') continue
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (challenge === undefined) throw new Error('The certificate authority offers no HTTP-01 challenge.')
    const answer = await client.getChallengeKeyAuthorization(challenge)
    const expiresAt = new Date(clock.now().getTime() + CHALLENGE_KEPT_MS)
    await saveChallenge(db, challenge.token, answer, expiresAt)
    try {
      await client.completeChallenge(challenge)
      await client.waitForValidStatus(challenge)
    } finally {
      await deleteChallenge(db, challenge.token)
    }
  }
}
