import { getServers } from 'node:dns'
import { OverloadedError } from '../async/batcher.ts'
import { createFairSemaphore } from '../async/fair-semaphore.ts'
import type { Clock } from '../time/clock.ts'
import { type DnsAnswer, DnsCache } from './dns-cache.ts'
import type { DnsRecord } from './dns-message.ts'
import { query } from './dns-wire.ts'

export type { DnsAnswer } from './dns-cache.ts'

export type MxRecord = DnsRecord['MX']

export interface DnsOptions {
  /** Each is `address` or `address:port`. If empty, the client uses the system's servers. */
  servers: readonly string[]
  /** The timeout of one query to one server. Doubles with each round. */
  timeoutMs?: number
  /** The maximum number of rounds over the servers. */
  attemptsMax?: number
  /** Names cached per record type; the least recently used are evicted first. */
  namesMax?: number
  clock: Clock
}

/** Bounds of the time that an answer is cached, in milliseconds, whatever its TTL. */
interface Bounds {
  minMs: number
  maxMs: number
}

/** The minimum saves a query per message for a busy domain whose records have a TTL of 0. */
const MX_BOUNDS: Bounds = { minMs: 30_000, maxMs: 60 * 60_000 }
const ADDRESS_BOUNDS: Bounds = { minMs: 5_000, maxMs: 60 * 60_000 }
/** Short, because missing records are often about to be added. RFC 2308 allows hours. */
const NEGATIVE_BOUNDS: Bounds = { minMs: 10_000, maxMs: 5 * 60_000 }
/** The TTL of a negative answer without an SOA record. */
const NEGATIVE_DEFAULT_SECONDS = 60
/** Far more than delivery ever attempts (mx.ts), and few enough to cache ten thousand names. */
const RECORDS_KEPT_MAX = 60
/** The limit on concurrent queries. Further ones wait, and fail after TURN_MS. */
const QUERIES_MAX = 256
const TURN_MS = 3000
/** After a timeout, a server is queried last for this long. */
const SILENT_MEMORY_MS = 30_000
/** The team id of queries on behalf of no team: prefetches and reports. */
const NO_TEAM = ''
const TOO_MANY = 'too many DNS queries are pending'

/** Cached DNS queries for mail routing: MX, A and AAAA. Never throws for a DNS result or failure. */
export class DnsClient {
  readonly #options: { servers: readonly string[]; timeoutMs: number; roundsMax: number }
  readonly #clock: Clock
  readonly #mx: DnsCache<MxRecord>
  readonly #v4: DnsCache<string>
  readonly #v6: DnsCache<string>
  readonly #silentUntil = new Map<string, number>()
  readonly #gate = createFairSemaphore({ places: QUERIES_MAX, waitMs: TURN_MS })

  constructor({ servers, timeoutMs = 3000, attemptsMax = 2, namesMax = 10_000, clock }: DnsOptions) {
    this.#options = { servers, timeoutMs, roundsMax: attemptsMax }
    this.#clock = clock
    this.#mx = new DnsCache(namesMax, clock)
    this.#v4 = new DnsCache(namesMax, clock)
    this.#v6 = new DnsCache(namesMax, clock)
  }

  /** @param teamId the team whose mail is waiting: unanswered queries of one team must not delay the others */
  mx(name: string, teamId = NO_TEAM): Promise<DnsAnswer<MxRecord>> {
    return this.#mx.get(name, () => this.#resolveInTurn(teamId, name, 'MX', MX_BOUNDS, bestMx))
  }

  /** Returns whether the cache has the answer to `mx`. */
  hasMx(name: string): boolean {
    return this.#mx.has(name)
  }

  v4(name: string, teamId = NO_TEAM): Promise<DnsAnswer<string>> {
    return this.#v4.get(name, () => this.#resolveInTurn(teamId, name, 'A', ADDRESS_BOUNDS, firstRecords))
  }

  v6(name: string, teamId = NO_TEAM): Promise<DnsAnswer<string>> {
    return this.#v6.get(name, () => this.#resolveInTurn(teamId, name, 'AAAA', ADDRESS_BOUNDS, firstRecords))
  }

  async #resolveInTurn<T extends 'MX' | 'A' | 'AAAA'>(
    teamId: string,
    ...question: [name: string, type: T, bounds: Bounds, choose: (records: DnsRecord[T][]) => DnsRecord[T][]]
  ): Promise<{ answer: DnsAnswer<DnsRecord[T]>; ttlMs: number }> {
    try {
      return await this.#gate.run(teamId, () => this.#resolve(...question))
    } catch (error) {
      if (!(error instanceof OverloadedError)) throw error
      return { answer: { kind: 'temporary', reason: TOO_MANY }, ttlMs: 0 }
    }
  }

  async #resolve<T extends 'MX' | 'A' | 'AAAA'>(
    name: string,
    type: T,
    bounds: Bounds,
    choose: (records: DnsRecord[T][]) => DnsRecord[T][],
  ): Promise<{ answer: DnsAnswer<DnsRecord[T]>; ttlMs: number }> {
    const answer = await query(name, type, {
      ...this.#options,
      servers: this.#serversInOrder(),
      onSilent: (server) => this.#noteSilent(server),
    })
    if (answer.kind === 'temporary') return { answer: { kind: 'temporary', reason: answer.reason }, ttlMs: 0 }
    if (answer.kind === 'records') {
      const ttlMs = within(bounds, answer.ttlSeconds)
      return { answer: { kind: 'records', records: choose(answer.records) }, ttlMs }
    }
    const ttlMs = within(NEGATIVE_BOUNDS, answer.ttlSeconds ?? NEGATIVE_DEFAULT_SECONDS)
    return { answer: { kind: answer.kind }, ttlMs }
  }

  #serversInOrder(): readonly string[] {
    const servers = this.#options.servers.length > 0 ? this.#options.servers : getServers()
    if (this.#silentUntil.size === 0) return servers
    const nowMs = this.#clock.now().getTime()
    const isSilent = (server: string) => (this.#silentUntil.get(server) ?? 0) > nowMs
    return servers.toSorted((one, other) => Number(isSilent(one)) - Number(isSilent(other)))
  }

  #noteSilent(server: string): void {
    this.#silentUntil.set(server, this.#clock.now().getTime() + SILENT_MEMORY_MS)
  }
}

function within({ minMs, maxMs }: Bounds, seconds: number): number {
  return Math.max(minMs, Math.min(maxMs, seconds * 1000))
}

function firstRecords<T>(records: T[]): T[] {
  return records.slice(0, RECORDS_KEPT_MAX)
}

/** Returns the most preferred records, in an order that does not vary: they identify the domain's site. */
function bestMx(records: MxRecord[]): MxRecord[] {
  const sorted = records.toSorted(
    (one, other) => one.preference - other.preference || (one.name < other.name ? -1 : 1),
  )
  return firstRecords(sorted)
}
