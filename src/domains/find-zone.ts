import { Resolver } from 'node:dns/promises'
import { AnswerCache } from '../lib/async/answer-cache.ts'

/** The zone that contains a domain, and its name servers. */
export interface Zone {
  name: string
  servers: readonly string[]
}

/** Returns the zone of a domain; null if DNS does not answer or has none. Answers are cached for a minute. */
export type FindZone = (domain: string) => Promise<Zone | null>

const QUERY_TIMEOUT_MS = 1500
/** All look-ups of one domain: the page waits for them. */
const TIMEOUT_MS = 4000
/** A domain below more labels is not searched further up. */
const LABELS_MAX = 6
const CACHE = { keptMs: 60_000, countMax: 1000 }
const SERVERS_MAX = 8

/** @param servers `address[:port]` of resolvers; empty for those of the system */
export function createFindZone(servers: readonly string[]): FindZone {
  const cache = new AnswerCache<Zone | null>(CACHE)
  return (domain) => cache.get(domain, () => findZone(servers, domain))
}

/** Asks for the NS records of the domain, then of its parents, because only a zone has any (RFC 1034 section 4.2). */
async function findZone(servers: readonly string[], domain: string): Promise<Zone | null> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 1 })
  if (servers.length > 0) resolver.setServers(servers)
  const deadlineMs = performance.now() + TIMEOUT_MS
  const labels = domain.split('.').slice(-LABELS_MAX)
  // A name of one label is a top-level domain, whose servers say nothing about the owner.
  for (; labels.length > 1 && performance.now() < deadlineMs; labels.shift()) {
    const name = labels.join('.')
    const servers = await resolver.resolveNs(name).catch(() => [])
    if (servers.length > 0) {
      const bare = servers.map((server) => server.replace(/\.$/, '').toLowerCase())
      return { name, servers: bare.sort().slice(0, SERVERS_MAX) }
    }
  }
  return null
}
