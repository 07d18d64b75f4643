import { DatabaseUnavailable } from '../db/db-types.ts'
import { createBatcher } from '../lib/async/batcher.ts'
import { hashToken } from '../lib/crypto/random-token.ts'

/**
 * Measured from the start of a look-up: every process rejects a revoked token within a second, with or without the
 * notification that calls `forget`.
 */
const CACHED_MS = 900
const CACHED_COUNT_MAX = 10_000
const LOOKUPS_PER_STATEMENT_MAX = 1_000
const WAITING_MAX = 50_000

/** Finds the owners of tokens by the SHA-256 of the token. Throws DatabaseUnavailable, or OverloadedError if too many wait. */
export interface TokenLookup<Owner> {
  /** Returns null for an unknown token. */
  find(token: string): Promise<Owner | null>
  /** Returns the owner of the last look-up, however old; null if it is not cached. Proves nothing. */
  peek(token: string): Owner | null
  /** Drops the cache: the next request reads the database. */
  forget(): void
}

interface Entry<Owner> {
  owner: Owner | null
  staleAtMs: number
}

/**
 * Caches owners for less than a second. Look-ups during a running statement share the next one, so that a
 * token costs at most about one row a second. Unknown tokens are cached too, and do not cost a statement each.
 * @param findByHash returns an owner or null for each hash, in order
 */
export function createTokenLookup<Owner>(
  findByHash: (hashes: readonly Buffer[]) => Promise<(Owner | null)[]>,
): TokenLookup<Owner> {
  let cache = new Map<string, Entry<Owner>>()
  const inFlight = new Map<string, Promise<Entry<Owner>>>()
  const batcher = createBatcher<Buffer, Entry<Owner>>({
    async run(hashes) {
      const staleAtMs = performance.now() + CACHED_MS
      const target = cache
      const owners = await findByHash(hashes)
      if (target.size > CACHED_COUNT_MAX) target.clear()
      return hashes.map((hash, place) => {
        const entry = { owner: owners[place] ?? null, staleAtMs }
        target.set(nameOf(hash), entry)
        return entry
      })
    },
    itemsMax: LOOKUPS_PER_STATEMENT_MAX,
    waitingMax: WAITING_MAX,
    rejectsAll: (error) => error instanceof DatabaseUnavailable,
  })

  /** Many requests with one token, at the moment its entry becomes stale, are one look-up. */
  function findEntry(hash: Buffer): Entry<Owner> | Promise<Entry<Owner>> {
    const name = nameOf(hash)
    const cached = cache.get(name)
    if (cached !== undefined && performance.now() < cached.staleAtMs) return cached
    const lookup = inFlight.get(name)
    if (lookup !== undefined) return lookup
    const flight: Promise<Entry<Owner>> = batcher.add(hash).finally(() => {
      if (inFlight.get(name) === flight) inFlight.delete(name)
    })
    inFlight.set(name, flight)
    return flight
  }

  return {
    find: async (token) => (await findEntry(hashToken(token))).owner,
    peek: (token) => cache.get(nameOf(hashToken(token)))?.owner ?? null,
    forget() {
      // A new map: a look-up that began before the change must not store its old answer in it.
      cache = new Map()
      inFlight.clear()
    },
  }
}

function nameOf(hash: Buffer): string {
  return hash.toString('base64')
}
