import type { SendableEvent } from './team-feeds.ts'
import type { FirstResult } from './webhook-results-queries.ts'

/** An event between its reading and the writing of its result. */
export interface Slot {
  event: SendableEvent
  state: 'waiting' | 'sending' | 'done'
  /** Null: done without a try, because it is not wanted any more. */
  result: FirstResult | null
}

/**
 * The events of the feed that an endpoint is at, in their order. Several are on the wire at a time, but never two of one
 * subject, nor one before an older one of its subject. Results leave in the order of the feed, so that one number says
 * what was tried.
 */
export class FeedWindow {
  /** All up to here was read; what is not in `#slots` was none of the endpoint's business, or is written. */
  #readTo: number
  #slots: Slot[] = []
  #waiting = 0
  #bytes = 0

  constructor(position: number) {
    this.#readTo = position
  }

  get readTo(): number {
    return this.#readTo
  }

  get waitingCount(): number {
    return this.#waiting
  }

  get size(): number {
    return this.#slots.length
  }

  /** Of the bodies that it holds. */
  get bytes(): number {
    return this.#bytes
  }

  /** Everything up to this number is tried and taken out. */
  get position(): number {
    const [first] = this.#slots
    return first === undefined ? this.#readTo : first.event.position - 1
  }

  add(event: SendableEvent): void {
    this.#slots.push({ event, state: 'waiting', result: null })
    this.#waiting++
    this.#bytes += event.body.length
    this.#readTo = event.position
  }

  /** Says that there is nothing more of interest up to `position`. */
  skipTo(position: number): void {
    this.#readTo = Math.max(this.#readTo, position)
  }

  /**
   * The oldest that may be sent now, to be sent by the caller; null: none may.
   * @param isFilling only of those that newer ones have overtaken
   */
  takeNext(isFilling = false): Slot | null {
    if (this.#waiting === 0) return null
    const busy = new Set<string>()
    for (const slot of isFilling ? this.#slots.slice(0, this.#lastTried) : this.#slots) {
      if (slot.state === 'done') continue
      if (slot.state === 'waiting' && !busy.has(slot.event.subjectId)) {
        slot.state = 'sending'
        this.#waiting--
        return slot
      }
      busy.add(slot.event.subjectId)
    }
    return null
  }

  /** Lets go of what waits and is not wanted any more. */
  drop(isWanted: (event: SendableEvent) => boolean): void {
    for (const slot of this.#slots) {
      if (slot.state !== 'waiting' || isWanted(slot.event)) continue
      slot.state = 'done'
      this.#waiting--
    }
  }

  /** Results that may be written: of all that comes before the first that is not done. */
  takeResults(): FirstResult[] {
    const open = this.#slots.findIndex(({ state }) => state !== 'done')
    const done = this.#slots.splice(0, open === -1 ? this.#slots.length : open)
    for (const { event } of done) this.#bytes -= event.body.length
    return done.flatMap(({ result }) => result ?? [])
  }

  get hasResults(): boolean {
    return this.#slots[0]?.state === 'done'
  }

  /** An event was tried before an older one: its result cannot leave. */
  get hasGap(): boolean {
    return this.#waiting > 0 && this.#slots.slice(0, this.#lastTried).some(({ state }) => state === 'waiting')
  }

  /** The place of the newest that is on the wire or has a result; 0: nothing lies before one. */
  get #lastTried(): number {
    return Math.max(
      0,
      this.#slots.findLastIndex(({ state, result }) => state === 'sending' || result !== null),
    )
  }
}
