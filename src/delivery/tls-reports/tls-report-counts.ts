import { createHash } from 'node:crypto'
import type { Db } from '../../db/db-types.ts'
import { repeat } from '../../lib/async/repeat.ts'
import type { Log } from '../../lib/log.ts'
import { cutToBytes } from '../../lib/text/foreign-text.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { ReportedPolicy, TlsSession } from '../tls/tls-session.ts'
import {
  addTlsSessions,
  type TlsPolicyRow,
  type TlsReportDue,
  type TlsSessionCount,
} from './tls-sessions-queries.ts'

export interface TlsSessionCounter {
  add(session: TlsSession): void
  /** Writes the remaining counts. */
  stop(): Promise<void>
}

const FLUSH_MS = 10_000
/** Distinct outcomes counted between two writes (ten seconds); further ones are not counted. */
const OUTCOMES_MAX = 20_000
const POLICIES_MAX = 2000
/** Stored policies that a process remembers, so that it writes each once. */
const WRITTEN_MAX = 50_000
/** Distinct failures of one domain between two writes; beyond this, hosts and addresses are omitted. */
const DETAILS_PER_DOMAIN_MAX = 50
const REASON_BYTES_MAX = 200
const DAY_MS = 24 * 3_600_000
/** RFC 8460 section 4.1: senders must not all report at midnight. */
const SPREAD_MS = 4 * 3_600_000
/** Other processes may still be counting the last sessions of the day. */
const SETTLE_MS = 5 * 60_000

/**
 * Counts sessions in memory and adds them to the database every few seconds, so that a message costs no write. Counts
 * that were not written are missing from the report, which is a statistic.
 */
export function countTlsSessions(deps: { db: Db; clock: Clock; log: Log }): TlsSessionCounter {
  let counts = new Counted()
  const written = new Set<string>()
  async function flush(): Promise<void> {
    if (counts.isEmpty) return
    const batch = counts
    counts = new Counted()
    const { policies, ...rest } = batch.rows()
    const fresh = policies.filter((policy) => !written.has(nameOf(policy)))
    await addTlsSessions(deps.db, { ...rest, policies: fresh }, deps.clock.now())
    if (written.size > WRITTEN_MAX) written.clear()
    for (const policy of fresh) written.add(nameOf(policy))
  }
  const task = repeat('count TLS sessions', FLUSH_MS, flush, deps.log)
  return {
    add: (session) => counts.add(session, deps.clock.now()),
    async stop() {
      await task.stop()
      await flush()
    },
  }
}

class Counted {
  readonly #sessions = new Map<string, TlsSessionCount>()
  readonly #policies = new Map<string, TlsPolicyRow>()
  readonly #reports = new Map<string, TlsReportDue>()
  readonly #detailsOfDomain = new Map<string, number>()

  get isEmpty(): boolean {
    return this.#sessions.size === 0
  }

  rows() {
    return {
      policies: [...this.#policies.values()],
      sessions: [...this.#sessions.values()],
      reports: [...this.#reports.values()],
    }
  }

  add({ domain, policy, failure, mxHost, receivingIp, sendingIp }: TlsSession, now: Date): void {
    const day = now.toISOString().slice(0, 10)
    const hash = hashPolicy(policy)
    const isKnown = this.#policies.has(nameOf({ day, hash }))
    if (!isKnown && this.#policies.size >= POLICIES_MAX) return
    const base = { day, domain, policyHash: hash, resultType: failure?.type ?? '' }
    const none = { mxHost: '', receivingIp: '', sendingIp: '', reason: '' }
    const reason = cutToBytes(failure?.reason ?? '', REASON_BYTES_MAX)
    const detail = failure === null ? none : { mxHost, receivingIp, sendingIp: sendingIp ?? '', reason }
    if (!this.#count({ ...base, ...detail, sessions: 0 }, failure !== null)) {
      this.#count({ ...base, ...none, sessions: 0 }, false)
    }
    this.#policies.set(nameOf({ day, hash }), { day, hash, ...policy })
    const name = `${day} ${domain}`
    if (!this.#reports.has(name)) this.#reports.set(name, { day, domain, dueAt: dueAtOf(day, domain) })
  }

  /** Returns false when there is no room for another. */
  #count(count: TlsSessionCount, isDetailed: boolean): boolean {
    const key = Object.values({ ...count, policyHash: count.policyHash.toString('hex') }).join('\0')
    const session = this.#sessions.get(key)
    if (session !== undefined) {
      session.sessions++
      return true
    }
    const details = this.#detailsOfDomain.get(count.domain) ?? 0
    if (this.#sessions.size >= OUTCOMES_MAX || (isDetailed && details >= DETAILS_PER_DOMAIN_MAX)) return false
    this.#detailsOfDomain.set(count.domain, details + 1)
    this.#sessions.set(key, { ...count, sessions: 1 })
    return true
  }
}

function nameOf({ day, hash }: Pick<TlsPolicyRow, 'day' | 'hash'>): string {
  return `${day} ${hash.toString('hex')}`
}

/** Returns the SHA-256 of the whole policy. */
function hashPolicy({ type, domain, lines, mxPatterns }: ReportedPolicy): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([type, domain, lines, mxPatterns]))
    .digest()
}

/** Returns a time within four hours after the end of the day (UTC), the same for every process. */
function dueAtOf(day: string, domain: string): Date {
  const spread = createHash('sha256').update(`${day} ${domain}`).digest().readUInt32BE() / 2 ** 32
  return new Date(Date.parse(day) + DAY_MS + SETTLE_MS + Math.floor(spread * SPREAD_MS))
}
