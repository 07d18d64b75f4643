import { createSecureContext, type SecureContext } from 'node:tls'
import type { Db } from '../db/db-types.ts'
import { type Repeating, repeat } from '../lib/async/repeat.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { findCertificatesSince, type StoredCertificate } from './certificates-queries.ts'
import type { SealedKeys } from './sealed-keys.ts'

interface HostContextsDeps {
  db: Db
  clock: Clock
  keys: SealedKeys
  log: Log
  /** How often to look for new certificates. */
  checkIntervalMs?: number
}

/** A certificate that another process obtained is in use within this time. */
const CHECK_INTERVAL_MS = 10_000
/** Processes store certificates by their own clocks, and a commit may follow a later one. */
const OVERLAP_MS = 10 * 60_000
/** A context takes about 100 KB once it is used. */
const CONTEXTS_MAX = 1_000

/** The certificates of this installation, as the database has them, for TLS handshakes. */
export class HostContexts {
  readonly #deps: HostContextsDeps
  readonly #certificates = new Map<string, StoredCertificate>()
  /** Contexts in use, the last used last. */
  readonly #contexts = new Map<string, SecureContext>()
  #newest = new Date(0)
  #looking: Repeating | null = null

  constructor(deps: HostContextsDeps) {
    this.#deps = deps
  }

  /** Loads the certificates, and from then on those that are new. */
  async start(): Promise<void> {
    await this.refresh()
    const { log, checkIntervalMs = CHECK_INTERVAL_MS } = this.#deps
    this.#looking = repeat('look for new certificates', checkIntervalMs, () => this.refresh(), log)
  }

  async stop(): Promise<void> {
    await this.#looking?.stop()
  }

  /** Loads new certificates. Connections that are open keep theirs. */
  async refresh(): Promise<void> {
    const { db, clock } = this.#deps
    // The newest may come from a process whose clock is ahead. Those that others obtain until then are new too.
    const newestMs = Math.min(this.#newest.getTime(), clock.now().getTime())
    const since = new Date(Math.max(0, newestMs - OVERLAP_MS))
    for (const certificate of await findCertificatesSince(db, since)) {
      const { host, issuedAt, chain } = certificate
      if (issuedAt > this.#newest) this.#newest = issuedAt
      if (this.#certificates.get(host)?.chain === chain) continue
      this.#certificates.set(host, certificate)
      this.#contexts.delete(host)
    }
  }

  /** Returns the context of a host; null if it has no certificate, or one that cannot be used. */
  contextOf(name: string): SecureContext | null {
    const host = name.toLowerCase()
    const certificate = this.#certificates.get(host)
    if (certificate === undefined) return null
    const context = this.#contexts.get(host) ?? this.#open(certificate)
    if (context === null) return null
    this.#contexts.delete(host)
    this.#contexts.set(host, context)
    const [oldest] = this.#contexts.keys()
    if (this.#contexts.size > CONTEXTS_MAX && oldest !== undefined) this.#contexts.delete(oldest)
    return context
  }

  #open({ host, chain, sealedKey }: StoredCertificate): SecureContext | null {
    try {
      const key = this.#deps.keys.unseal(`host ${host}`, sealedKey)
      return createSecureContext({ cert: chain, key, minVersion: 'TLSv1.2' })
    } catch (error) {
      this.#certificates.delete(host)
      this.#deps.log.error({ err: error, host }, 'cannot use the stored certificate of a host')
      return null
    }
  }
}
