import { hash } from 'node:crypto'

/**
 * Returns the sources in order of preference for a recipient, by rendezvous hashing. Each recipient keeps receiving
 * from the same address while it has room (greylisting knows senders by address), all addresses get an even share of
 * each site, and an added or removed address moves no more than its own share.
 */
export function rankSources<T extends { name: string }>(sources: readonly T[], recipient: string): T[] {
  if (sources.length < 2) return [...sources]
  return sources
    .map((source) => ({ source, lot: hash('sha1', `${source.name}\n${recipient}`, 'hex') }))
    .sort((one, other) => (one.lot < other.lot ? -1 : 1))
    .map(({ source }) => source)
}
