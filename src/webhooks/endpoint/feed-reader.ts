import type { Endpoint } from './endpoint-workers-queries.ts'
import type { FeedRange, TeamFeeds } from './team-feeds.ts'
import { FeedWindow } from './window.ts'

/** The limit on events between reading and writing. */
const WINDOW_MAX = 256
/** The limit on the total size of their bodies, whose length senders determine. One more event may exceed it. */
const WINDOW_BYTES_MAX = 256 * 1024

type ReadingEndpoint = Pick<Endpoint, 'teamId' | 'types' | 'position'>

/** Fills the window of one endpoint with the events that it subscribes to. */
export class FeedReader {
  readonly window: FeedWindow
  #endpoint: ReadingEndpoint
  readonly #feeds: TeamFeeds
  #leaveFeed: () => void
  #feedEnd: number
  #isReading = false

  constructor(endpoint: ReadingEndpoint, feeds: TeamFeeds) {
    this.#endpoint = endpoint
    this.#feeds = feeds
    this.window = new FeedWindow(endpoint.position)
    this.#feedEnd = endpoint.position
    this.#leaveFeed = feeds.join(endpoint.teamId, endpoint.types)
  }

  /** Whether the feed continues after the attempted events. */
  get hasMore(): boolean {
    return this.window.position < this.#feedEnd
  }

  /** Records the end of the feed: events up to `feedEnd` are committed. */
  see(feedEnd: number): void {
    this.#feedEnd = Math.max(this.#feedEnd, feedEnd)
  }

  /** Applies a changed subscription to events that are read but not sent yet. */
  change(endpoint: Endpoint): void {
    this.#leaveFeed()
    this.#leaveFeed = this.#feeds.join(endpoint.teamId, endpoint.types)
    this.#endpoint = endpoint
    this.window.skipTo(endpoint.position)
    this.window.drop((event) => this.#wants(event.type) && event.position > endpoint.position)
  }

  leave(): void {
    this.#leaveFeed()
  }

  /** Reads up to `countMax` events if fewer than `waitingMin` wait. Returns false if it made no progress. */
  async readOn(waitingMin: number, countMax: number): Promise<boolean> {
    const { window } = this
    if (this.#isReading || window.readTo >= this.#feedEnd) return false
    if (window.waitingCount >= waitingMin || this.#isFull) return false
    const before = window.readTo
    this.#isReading = true
    try {
      const endpoint = this.#endpoint
      const page = await this.#feeds.read(endpoint.teamId, before)
      if (this.#endpoint === endpoint) this.#take(page, countMax)
    } finally {
      this.#isReading = false
    }
    // Without progress (a restored database has a shorter feed), the next check is soon enough.
    return window.readTo > before
  }

  #take({ events, through }: FeedRange, countMax: number): void {
    const { window } = this
    let count = 0
    for (const event of events) {
      if (event.position <= window.readTo) continue
      if (event.position > this.#feedEnd || count === countMax || this.#isFull) return
      if (!this.#wants(event.type)) continue
      window.add(event)
      count++
    }
    window.skipTo(Math.min(through, this.#feedEnd))
  }

  get #isFull(): boolean {
    return this.window.size >= WINDOW_MAX || this.window.bytes >= WINDOW_BYTES_MAX
  }

  #wants(type: string): boolean {
    const { types } = this.#endpoint
    return types.length === 0 || types.includes(type)
  }
}
