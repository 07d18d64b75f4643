import { Resolver } from 'node:dns/promises'

/** `none`: DNS says that there is no such record. `unknown`: DNS said nothing (timeout, SERVFAIL, refused ...). */
export type DnsAnswer = { kind: 'records'; values: string[] } | { kind: 'none' } | { kind: 'unknown' }

export interface DnsLookup {
  /** Each record's strings joined (RFC 7208 section 3.3, RFC 6376 section 3.6.2.2); CNAMEs are followed. */
  txt: (name: string) => Promise<DnsAnswer>
  /** The name's CNAME target, lower case, without a dot at the end. */
  cname: (name: string) => Promise<DnsAnswer>
}

const QUERY_TIMEOUT_MS = 2000
/** A resolver follows CNAMEs by itself; an authoritative server that is asked directly may leave that to us. */
const CNAME_HOPS_MAX = 5
/** Codes of node:dns by which a server has said "there is none"; all others say nothing about the record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

async function answerOf(query: Promise<string[]>): Promise<DnsAnswer> {
  try {
    const values = await query
    return values.length === 0 ? { kind: 'none' } : { kind: 'records', values }
  } catch (error) {
    return NONE.has((error as NodeJS.ErrnoException).code ?? '') ? { kind: 'none' } : { kind: 'unknown' }
  }
}

/**
 * Runs `work` with a resolver of its own (nothing cached: the owner has just changed the records). After
 * `timeoutMs` all its questions are answered `unknown`. Servers: `address[:port]`; none: the system's.
 */
export async function withDnsLookup<T>(
  servers: readonly string[],
  timeoutMs: number,
  work: (lookup: DnsLookup) => Promise<T>,
): Promise<T> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  let over = false
  const timer = setTimeout(() => {
    over = true
    resolver.cancel()
  }, timeoutMs)

  const ask = async (query: () => Promise<string[]>): Promise<DnsAnswer> =>
    over ? { kind: 'unknown' } : answerOf(query())
  const cname = (name: string) =>
    ask(async () =>
      (await resolver.resolveCname(name)).map((target) => target.replace(/\.$/, '').toLowerCase()),
    )
  const txt = async (name: string, hopsLeft = CNAME_HOPS_MAX): Promise<DnsAnswer> => {
    const answer = await ask(async () => (await resolver.resolveTxt(name)).map((strings) => strings.join('')))
    if (answer.kind !== 'none' || hopsLeft === 0) return answer
    const alias = await cname(name)
    if (alias.kind !== 'records') return alias
    return txt(alias.values[0] as string, hopsLeft - 1)
  }

  try {
    return await work({ txt: (name) => txt(name), cname })
  } finally {
    clearTimeout(timer)
  }
}
