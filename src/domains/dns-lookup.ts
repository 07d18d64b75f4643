import { Resolver } from 'node:dns/promises'

/** `none`: DNS reports that there is no such record. `unknown`: no answer (timeout, SERVFAIL, REFUSED ...). */
export type LookupAnswer = { kind: 'records'; values: string[] } | { kind: 'none' } | { kind: 'unknown' }

export interface DnsLookup {
  /** The records, each with its strings joined (RFC 7208 section 3.3, RFC 6376 section 3.6.2.2). Follows CNAMEs. */
  txt: (name: string) => Promise<LookupAnswer>
  /** The target of the name's CNAME, in lower case, without a trailing dot. */
  cname: (name: string) => Promise<LookupAnswer>
  /** The IPv4 addresses or, if there are none, the IPv6 addresses. Follows CNAMEs. */
  addresses: (name: string) => Promise<LookupAnswer>
}

const QUERY_TIMEOUT_MS = 2000
/** The limit on followed CNAMEs. Resolvers follow them; an authoritative server may not. */
const CNAME_HOPS_MAX = 5
/** Codes of node:dns for a missing record. All others say nothing about the record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

async function answerOf(query: Promise<string[]>): Promise<LookupAnswer> {
  try {
    const values = await query
    return values.length === 0 ? { kind: 'none' } : { kind: 'records', values }
  } catch (error) {
    return NONE.has((error as NodeJS.ErrnoException).code ?? '') ? { kind: 'none' } : { kind: 'unknown' }
  }
}

/**
 * Runs `work` with a new resolver, whose cache is empty because the owner has just changed the records. After
 * `timeoutMs`, all lookups return `unknown`.
 * @param servers `address[:port]`; empty for those of the system
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

  const lookUp = async (query: () => Promise<string[]>): Promise<LookupAnswer> =>
    over ? { kind: 'unknown' } : answerOf(query())
  const cname = (name: string) =>
    lookUp(async () =>
      (await resolver.resolveCname(name)).map((target) => target.replace(/\.$/, '').toLowerCase()),
    )
  const txt = async (name: string, hopsLeft = CNAME_HOPS_MAX): Promise<LookupAnswer> => {
    const answer = await lookUp(async () =>
      (await resolver.resolveTxt(name)).map((strings) => strings.join('')),
    )
    if (answer.kind !== 'none' || hopsLeft === 0) return answer
    const alias = await cname(name)
    if (alias.kind !== 'records') return alias
    return txt(alias.values[0] as string, hopsLeft - 1)
  }

  const addresses = async (name: string) => {
    const ipv4 = await lookUp(() => resolver.resolve4(name))
    return ipv4.kind === 'none' ? lookUp(() => resolver.resolve6(name)) : ipv4
  }

  try {
    return await work({ txt: (name) => txt(name), cname, addresses })
  } finally {
    clearTimeout(timer)
  }
}
