import { Resolver } from 'node:dns/promises'

/** The records of a name. Empty: none exist. Null: the look-up failed. */
export type Records = readonly string[] | null

/** Uncached DNS look-ups, because an operator often checks what was just corrected. */
export interface AskDns {
  addresses(name: string): Promise<Records>
  /** Names of an address (PTR), without the trailing dot. */
  names(address: string): Promise<Records>
  /** MX hosts of a domain, most preferred first. */
  mx(domain: string): Promise<Records>
  txt(name: string): Promise<Records>
}

const TIMEOUT_MS = 3000
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

async function recordsOf(query: Promise<string[]>): Promise<Records> {
  try {
    return await query
  } catch (error) {
    return NONE.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null
  }
}

/**
 * Creates a resolver without a cache.
 * @param servers `address[:port]` each; when empty, those of the system
 */
export function createAskDns(servers: readonly string[]): AskDns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const bare = (name: string) => name.replace(/\.$/, '').toLowerCase()
  return {
    async addresses(name) {
      const [v4, v6] = await Promise.all([
        recordsOf(resolver.resolve4(name)),
        recordsOf(resolver.resolve6(name)),
      ])
      const found = [...(v4 ?? []), ...(v6 ?? [])]
      // The look-up that failed may have had the only address.
      return found.length === 0 && (v4 === null || v6 === null) ? null : found
    },
    names: (address) => recordsOf(resolver.reverse(address).then((names) => names.map(bare))),
    mx: (domain) =>
      recordsOf(
        resolver
          .resolveMx(domain)
          .then((exchanges) =>
            exchanges.sort((a, b) => a.priority - b.priority).map(({ exchange }) => bare(exchange)),
          ),
      ),
    txt: (name) =>
      recordsOf(resolver.resolveTxt(name).then((records) => records.map((parts) => parts.join('')))),
  }
}
