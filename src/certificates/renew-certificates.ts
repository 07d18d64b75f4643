import type { Config } from '../config/config.ts'
import type { AcmeChallenge } from '../config/values.ts'
import type { Log } from '../lib/log.ts'
import { deleteChallengesBefore } from './acme-queries.ts'
import {
  addHosts,
  claimDueHost,
  type DueHost,
  dropOtherHosts,
  saveCertificate,
  saveFailure,
} from './certificates-queries.ts'
import { challengeFor } from './challenges.ts'
import { AcmeBusy } from './load-library.ts'
import { type AcmeDeps, obtainCertificate } from './obtain-certificate.ts'
import { renewalAt, retryAt } from './renewal-times.ts'
import { listServedHosts } from './served-hosts.ts'

interface RenewalDeps extends AcmeDeps {
  config: Pick<Config, 'publicUrl' | 'hostname'>
  /** The challenges in use, the first one first. */
  challenges: readonly AcmeChallenge[]
  log: Log
  random(): number
}

/** A process that died with a claim delays the host for this time. */
const LEASE_MS = 10 * 60_000
/** Less than the lease, so that two processes never obtain one certificate. */
const OBTAIN_TIMEOUT_MS = 5 * 60_000
const REASON_LENGTH_MAX = 500
const PORTS: Readonly<Record<AcmeChallenge, string>> = {
  'http-01': 'its port 80 leads to PORT',
  'tls-alpn-01': 'its port 443 leads to SENDWRIGHT_HTTPS_PORT',
}

/** Obtains missing certificates and renews old ones, one host at a time. Several processes may run it. */
export class CertificateRenewal {
  readonly #deps: RenewalDeps
  readonly #stopping = new AbortController()

  constructor(deps: RenewalDeps) {
    this.#deps = deps
  }

  /** Works on one due host. Resolves to true when more may be due. */
  async run(): Promise<boolean> {
    const { db, clock, config, directoryUrl } = this.#deps
    const now = clock.now()
    const hosts = await listServedHosts(db, config)
    await addHosts(db, hosts, directoryUrl, now)
    await dropOtherHosts(db, hosts, now)
    await deleteChallengesBefore(db, now)
    const due = await claimDueHost(db, now, new Date(now.getTime() + LEASE_MS))
    if (due === null || this.#stopping.signal.aborted) return false
    await this.#renew(due)
    return !this.#stopping.signal.aborted
  }

  /** Gives up the attempt in progress. */
  stop(): void {
    this.#stopping.abort(new Error('The server stopped during the attempt.'))
  }

  async #renew({ host, failures, provenBy }: DueHost): Promise<void> {
    const { db, clock, keys, log, challenges } = this.#deps
    const kind = challengeFor(challenges, failures, provenBy)
    try {
      const newCertificate = await this.#obtain(host, kind)
      const { chain, key, validFrom, validUntil } = newCertificate
      const sealedKey = keys.seal(`host ${host}`, key)
      const dueAt = renewalAt(validFrom, validUntil)
      const certificate = { host, chain, sealedKey, validUntil, issuedAt: clock.now() }
      await saveCertificate(db, certificate, dueAt, newCertificate.provenBy)
      log.info({ host, valid_until: validUntil, renewal_at: dueAt }, 'obtained a certificate')
    } catch (error) {
      await this.#recordFailure(host, kind, failures, error as Error)
    }
  }

  /** Ends with the attempt, at its time limit, or when this process stops. */
  async #obtain(host: string, kind: AcmeChallenge): ReturnType<typeof obtainCertificate> {
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    const { signal } = this.#stopping
    const stop = () => reject(signal.reason)
    const timer = setTimeout(() => reject(new Error('The attempt took too long.')), OBTAIN_TIMEOUT_MS)
    signal.addEventListener('abort', stop)
    try {
      return await Promise.race([obtainCertificate(this.#deps, host, kind), stopped])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  async #recordFailure(host: string, kind: AcmeChallenge, before: number, error: Error): Promise<void> {
    const { db, clock, log, random } = this.#deps
    const now = clock.now()
    // A stop is not a failure: the next start attempts again at once.
    const isStop = this.#stopping.signal.aborted
    const failures = isStop ? before : before + 1
    const reason = `${kind}: ${error.message}`.slice(0, REASON_LENGTH_MAX)
    const waitMs = error instanceof AcmeBusy ? error.waitMs : 0
    const dueAt = isStop ? now : retryAt(failures, now, random(), waitMs)
    await saveFailure(db, host, failures, reason, dueAt)
    if (isStop) return
    log.error(
      { host, reason, failures, next_attempt_at: dueAt },
      `could not obtain a certificate: check that ${host} resolves to this server, and that ${PORTS[kind]}`,
    )
  }
}
