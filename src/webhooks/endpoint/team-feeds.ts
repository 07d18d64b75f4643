import type { Queryable } from '../../db/db-types.ts'
import { readFeedPage } from '../../events/feed-page-queries.ts'
import { createSemaphore } from '../../lib/async/semaphore.ts'
import { writeWebhookBody } from '../request/body.ts'

/** An event, ready to be sent to any endpoint of its team. */
export interface SendableEvent {
  id: string
  subjectId: string
  position: number
  type: string
  body: string
}

/** A range of a team's feed: the events up to `through` that endpoints of this process subscribe to. */
export interface FeedRange {
  after: number
  through: number
  events: readonly SendableEvent[]
}

interface TeamFeed {
  endpointsCount: number
  /** The number of endpoints that subscribe to each type. `ALL` counts those that subscribe to all. */
  wanted: Map<string, number>
  /** Oldest first. */
  pages: (FeedRange & { bytes: number; readMs: number })[]
  reading: Map<number, Promise<FeedRange>>
}

const ALL = '*'
const PAGE_COUNT_MAX = 100
/** The number of cached pages. Endpoints of a team are almost always at the same position. */
const PAGES_KEPT_MAX = 8
/** Cached bodies expire soon, because the email of an event may be erased. */
const KEPT_MS = 5_000
/** The limit on concurrent reads: deliveries need database connections too. */
const READS_MAX = 3
/** The limit for all teams together. Beyond it, pages are not cached. */
const BYTES_MAX = 32 * 1024 * 1024

/** Reads each page of a team's feed once for all its endpoints, and writes each event's body once. */
export class TeamFeeds {
  readonly #db: Queryable
  readonly #feeds = new Map<string, TeamFeed>()
  readonly #takeTurn = createSemaphore(READS_MAX)
  #bytes = 0

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Registers an endpoint that subscribes to `types` (empty for all). Returns a function that unregisters it. */
  join(teamId: string, types: readonly string[]): () => void {
    const names = types.length === 0 ? [ALL] : [...new Set(types)]
    const feed = this.#feedOf(teamId)
    if (names.some((name) => !feed.wanted.has(name))) this.#forgetPages(feed)
    feed.endpointsCount++
    for (const name of names) feed.wanted.set(name, (feed.wanted.get(name) ?? 0) + 1)
    return () => {
      for (const name of names) {
        const count = (feed.wanted.get(name) ?? 1) - 1
        if (count === 0) feed.wanted.delete(name)
        else feed.wanted.set(name, count)
      }
      if (--feed.endpointsCount > 0) return
      this.#forgetPages(feed)
      this.#feeds.delete(teamId)
    }
  }

  /** Returns the page that contains the events after `position`. It may begin earlier. */
  read(teamId: string, position: number): Promise<FeedRange> {
    const feed = this.#feedOf(teamId)
    this.#forgetOld(feed)
    const page = feed.pages.find(({ after, through }) => after <= position && position < through)
    if (page !== undefined) return Promise.resolve(page)
    const pending = feed.reading.get(position)
    if (pending !== undefined) return pending
    const reading = this.#readPage(teamId, feed, position)
    const { reading: others } = feed
    others.set(position, reading)
    const forget = () => others.delete(position)
    reading.then(forget, forget)
    return reading
  }

  async #readPage(teamId: string, feed: TeamFeed, after: number): Promise<FeedRange> {
    const types = feed.wanted.has(ALL) ? [] : [...feed.wanted.keys()]
    const { reading } = feed
    const query = { after, types, subjectId: null, domainId: null, countMax: PAGE_COUNT_MAX }
    const feedPage = await this.#takeTurn(() => readFeedPage(this.#db, teamId, query))
    if (feedPage === null) return { after, through: after, events: [] }
    const events = feedPage.events.map(
      (event): SendableEvent => ({
        id: event.id,
        subjectId: event.subjectId,
        position: event.position,
        type: event.type,
        body: writeWebhookBody(event),
      }),
    )
    const bytes = events.reduce((sum, { body }) => sum + body.length, 0)
    const page = { after, through: feedPage.position, events, bytes, readMs: performance.now() }
    // Cache only if no new type was subscribed meanwhile: otherwise the page lacks events of that type.
    if (feed.reading === reading && feed.endpointsCount > 1) this.#keep(feed, page)
    return page
  }

  #keep(feed: TeamFeed, page: TeamFeed['pages'][number]): void {
    if (page.through === page.after || this.#bytes + page.bytes > BYTES_MAX) return
    feed.pages.push(page)
    this.#bytes += page.bytes
    if (feed.pages.length > PAGES_KEPT_MAX) this.#forgetFirst(feed)
  }

  #forgetOld(feed: TeamFeed): void {
    const before = performance.now() - KEPT_MS
    while ((feed.pages[0]?.readMs ?? Number.POSITIVE_INFINITY) < before) this.#forgetFirst(feed)
  }

  #forgetPages(feed: TeamFeed): void {
    feed.reading = new Map()
    while (feed.pages.length > 0) this.#forgetFirst(feed)
  }

  #forgetFirst(feed: TeamFeed): void {
    this.#bytes -= feed.pages.shift()?.bytes ?? 0
  }

  #feedOf(teamId: string): TeamFeed {
    let feed = this.#feeds.get(teamId)
    if (feed === undefined) {
      feed = { endpointsCount: 0, wanted: new Map(), pages: [], reading: new Map() }
      this.#feeds.set(teamId, feed)
    }
    return feed
  }
}
