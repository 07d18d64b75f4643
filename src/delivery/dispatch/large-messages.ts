import type { DueDelivery, LoadedMessage } from '../../queue/types.ts'

/**
 * Places in memory for messages that are too large to load with their claim. A message takes a place in the first pool
 * that accepts its size, so that the largest messages (37.5 MB) do not take all places of smaller ones.
 */
const POOLS = [
  { bytesMax: 4 * 1024 * 1024, placesMax: 4 },
  { bytesMax: Number.POSITIVE_INFINITY, placesMax: 4 },
] as const

interface Pool {
  bytesMax: number
  placesMax: number
  /** The contents that have its places. */
  holders: Set<Content>
}

/** The most places of a pool for one team and for one site, so that slow servers cannot delay everyone's mail. */
const SHARE_MAX = 2
/** Bulk mail takes at most this part of the places and shares. The rest is for transactional mail. */
const BULK_PART = 0.5

interface Content {
  delivery: DueDelivery
  message: Promise<LoadedMessage>
  /** By site, the number of deliveries that wait for the content or are sending it. */
  users: Map<string, number>
  /** Null while it waits for a place. */
  pool: Pool | null
  admit(): void
}

/**
 * Loads contents that are too large for a claimed batch, a few at a time: when a connection is about to send one, until
 * it has sent it. Simultaneous deliveries of one email share one load and one place: the first one takes the place, and
 * the last one frees it.
 */
export function createLargeMessages(load: (delivery: DueDelivery) => Promise<LoadedMessage>) {
  const places = new Places(load)

  /**
   * Calls `work` with the content of a delivery to `site`; `work` must not keep the content afterwards. Rejects when
   * `load` or `work` rejects.
   */
  return function withMessage<T>(
    site: string,
    delivery: DueDelivery,
    work: (message: LoadedMessage) => Promise<T>,
  ): Promise<T> {
    return delivery.message !== null ? work(delivery.message) : places.withLoaded(site, delivery, work)
  }
}

class Places {
  readonly #load: (delivery: DueDelivery) => Promise<LoadedMessage>
  readonly #pools: readonly Pool[] = POOLS.map((pool) => ({ ...pool, holders: new Set<Content>() }))
  /** By email. */
  readonly #contents = new Map<string, Content>()
  /** The contents that wait for a place, longest wait first. No pool is open to any of them. */
  readonly #waiting = new Set<Content>()

  constructor(load: (delivery: DueDelivery) => Promise<LoadedMessage>) {
    this.#load = load
  }

  /** Calls `work` with a delivery's content, once the content has a place and is loaded. */
  async withLoaded<T>(
    site: string,
    delivery: DueDelivery,
    work: (message: LoadedMessage) => Promise<T>,
  ): Promise<T> {
    const content = this.#share(delivery)
    this.#join(site, content)
    try {
      return await work(await content.message)
    } finally {
      this.#leave(site, content)
    }
  }

  #share(delivery: DueDelivery): Content {
    const content = this.#contents.get(delivery.emailId)
    if (content !== undefined) return content
    const place = Promise.withResolvers<void>()
    const message = place.promise.then(() => this.#load(delivery))
    const newContent: Content = { delivery, message, users: new Map(), pool: null, admit: place.resolve }
    this.#contents.set(delivery.emailId, newContent)
    this.#waiting.add(newContent)
    return newContent
  }

  /** A new site may let this content have a place. It never lets another one: it can only use up more of a share. */
  #join(site: string, content: Content): void {
    const { users } = content
    users.set(site, (users.get(site) ?? 0) + 1)
    if (content.pool === null) this.#admitIfOpen(content)
  }

  #leave(site: string, content: Content): void {
    const { users, delivery, pool } = content
    const userCount = (users.get(site) ?? 1) - 1
    if (userCount > 0) {
      users.set(site, userCount)
      return
    }
    users.delete(site)
    if (users.size === 0) {
      this.#contents.delete(delivery.emailId)
      pool?.holders.delete(content)
    }
    this.#admitWaiting()
  }

  /** Gives places to the longest waits first. Skips teams and sites that already have their share. */
  #admitWaiting(): void {
    for (const content of this.#waiting) {
      if (this.#pools.every(isFull)) return
      this.#admitIfOpen(content)
    }
  }

  #admitIfOpen(content: Content): void {
    const pool = this.#pools.find((candidate) => isOpen(candidate, content))
    if (pool === undefined) return
    content.pool = pool
    pool.holders.add(content)
    this.#waiting.delete(content)
    content.admit()
  }
}

function isFull({ holders, placesMax }: Pool): boolean {
  return holders.size >= placesMax
}

/** Returns whether the pool has a place for a content within the shares of its team and its sites. */
function isOpen(pool: Pool, { delivery, users }: Content): boolean {
  if (delivery.sizeBytes > pool.bytesMax || isFull(pool)) return false
  const holders = [...pool.holders]
  const isOpenTo = (others: readonly Content[], part: number) => {
    if (others.length >= pool.placesMax * part) return false
    const ofTeam = others.filter((other) => other.delivery.teamId === delivery.teamId)
    if (ofTeam.length >= SHARE_MAX * part) return false
    // One fast site among the recipients is enough: they share the place.
    return [...users.keys()].some((site) => usedShare(site, others) < SHARE_MAX * part)
  }
  if (!isOpenTo(holders, 1)) return false
  const bulkHolders = holders.filter((holder) => holder.delivery.isBulk)
  return !delivery.isBulk || isOpenTo(bulkHolders, BULK_PART)
}

/**
 * Returns how much of a site's share these contents use. Bulk mail uses at most its part, although more of it can be on
 * its way there: an email has a place if any of its sites is open.
 */
function usedShare(site: string, contents: readonly Content[]): number {
  const ofSite = contents.filter(({ users }) => users.has(site))
  const bulkCount = ofSite.filter(({ delivery }) => delivery.isBulk).length
  return ofSite.length - bulkCount + Math.min(bulkCount, SHARE_MAX * BULK_PART)
}
