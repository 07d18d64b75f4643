import { Resolver } from 'node:dns/promises'
import type { Clock } from './clock.ts'

/** One question's answer. Only `temporary` is worth asking again soon; the other three are facts. */
export type DnsAnswer<T> =
  | { kind: 'records'; records: readonly T[] }
  | { kind: 'no_data' }
  | { kind: 'no_domain' }
  | { kind: 'temporary'; reason: string }

export interface MxRecord {
  name: string
  preference: number
}

export interface DnsOptions {
  /** `address` or `address:port`; empty: the system's. */
  servers: readonly string[]
  /** One query's wait; c-ares doubles it on the second round. */
  timeoutMs?: number
  triesMax?: number
  /** Names kept per record type; the least recently used leave first. */
  namesMax?: number
  clock: Clock
}

// node:dns gives no TTL for MX; five minutes is what careful senders use, and a negative answer lives shorter,
// because it is what somebody is about to mend.
const MX_TTL_MS = 5 * 60_000
const NEGATIVE_TTL_MS = 60_000
const ADDRESS_TTL_MIN_MS = 5_000
const ADDRESS_TTL_MAX_MS = 60 * 60_000

interface Kept<T> {
  answer: DnsAnswer<T>
  untilMs: number
}

/** Answers by name: bounded, least recently used leave first, one query under way per name. */
class AnswerCache<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #asking = new Map<string, Promise<DnsAnswer<T>>>()
  readonly #namesMax: number
  readonly #clock: Clock

  constructor(namesMax: number, clock: Clock) {
    this.#namesMax = namesMax
    this.#clock = clock
  }

  async get(
    name: string,
    ask: () => Promise<{ answer: DnsAnswer<T>; ttlMs: number }>,
  ): Promise<DnsAnswer<T>> {
    const kept = this.#kept.get(name)
    if (kept !== undefined && kept.untilMs > this.#clock.now().getTime()) {
      this.#kept.delete(name)
      this.#kept.set(name, kept)
      return kept.answer
    }
    const asking = this.#asking.get(name) ?? this.#ask(name, ask)
    this.#asking.set(name, asking)
    return asking
  }

  async #ask(
    name: string,
    ask: () => Promise<{ answer: DnsAnswer<T>; ttlMs: number }>,
  ): Promise<DnsAnswer<T>> {
    try {
      const { answer, ttlMs } = await ask()
      if (answer.kind !== 'temporary')
        this.#keep(name, { answer, untilMs: this.#clock.now().getTime() + ttlMs })
      return answer
    } finally {
      this.#asking.delete(name)
    }
  }

  #keep(name: string, kept: Kept<T>): void {
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    const oldest = this.#kept.keys().next()
    if (this.#kept.size > this.#namesMax && !oldest.done) this.#kept.delete(oldest.value)
  }
}

const WORDS: Record<string, string> = {
  ESERVFAIL: 'the DNS server could not answer (SERVFAIL)',
  ETIMEOUT: 'the DNS servers did not answer in time',
  EREFUSED: 'the DNS server refused the question',
  ECONNREFUSED: 'no DNS server could be reached',
}

function answerOfError(error: unknown): DnsAnswer<never> {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  if (code === 'ENODATA') return { kind: 'no_data' }
  // A name that cannot be encoded in DNS (a label over 63 octets) cannot exist either.
  if (code === 'ENOTFOUND' || code === 'EBADNAME') return { kind: 'no_domain' }
  return { kind: 'temporary', reason: WORDS[code] ?? `DNS failed (${code})` }
}

/** Questions to DNS about where mail goes: MX, A and AAAA, cached. Never throws for what DNS says or fails to say. */
export class DnsClient {
  readonly #resolver: Resolver
  readonly #mx: AnswerCache<MxRecord>
  readonly #v4: AnswerCache<string>
  readonly #v6: AnswerCache<string>

  constructor({ servers, timeoutMs = 3000, triesMax = 2, namesMax = 10_000, clock }: DnsOptions) {
    this.#resolver = new Resolver({ timeout: timeoutMs, tries: triesMax })
    if (servers.length > 0) this.#resolver.setServers(servers)
    this.#mx = new AnswerCache(namesMax, clock)
    this.#v4 = new AnswerCache(namesMax, clock)
    this.#v6 = new AnswerCache(namesMax, clock)
  }

  mx(name: string): Promise<DnsAnswer<MxRecord>> {
    return this.#mx.get(name, () =>
      ask(async () => {
        const found = await this.#resolver.resolveMx(name)
        return {
          records: found.map(({ exchange, priority }) => ({ name: exchange, preference: priority })),
          ttlMs: MX_TTL_MS,
        }
      }),
    )
  }

  v4(name: string): Promise<DnsAnswer<string>> {
    return this.#v4.get(name, () =>
      ask(async () => withTtl(await this.#resolver.resolve4(name, { ttl: true }))),
    )
  }

  v6(name: string): Promise<DnsAnswer<string>> {
    return this.#v6.get(name, () =>
      ask(async () => withTtl(await this.#resolver.resolve6(name, { ttl: true }))),
    )
  }
}

function withTtl(found: readonly { address: string; ttl: number }[]) {
  const ttlMs = Math.min(...found.map(({ ttl }) => ttl * 1000), ADDRESS_TTL_MAX_MS)
  return { records: found.map(({ address }) => address), ttlMs: Math.max(ttlMs, ADDRESS_TTL_MIN_MS) }
}

async function ask<T>(query: () => Promise<{ records: T[]; ttlMs: number }>) {
  try {
    const { records, ttlMs } = await query()
    const answer: DnsAnswer<T> = records.length === 0 ? { kind: 'no_data' } : { kind: 'records', records }
    return { answer, ttlMs: records.length === 0 ? NEGATIVE_TTL_MS : ttlMs }
  } catch (error) {
    return { answer: answerOfError(error), ttlMs: NEGATIVE_TTL_MS }
  }
}
