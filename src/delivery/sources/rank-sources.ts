import { hash } from 'node:crypto'

/**
 * The sources in the order to be tried for a recipient: by weighted lot (rendezvous hashing), so that each recipient
 * always hears from the same address while there is room (greylisting knows senders by address), all addresses get an
 * even share of each site, and one that comes or goes moves no more than its own share.
 */
export function rankSources<T extends { name: string }>(sources: readonly T[], recipient: string): T[] {
  if (sources.length < 2) return [...sources]
  return sources
    .map((source) => ({ source, lot: hash('sha1', `${source.name}\n${recipient}`, 'hex') }))
    .sort((one, other) => (one.lot < other.lot ? -1 : 1))
    .map(({ source }) => source)
}
