import type { SendableEvent } from './team-feeds.ts'
import type { FirstResult } from './webhook-results-queries.ts'

/** An event between its reading and the writing of its result. */
export interface Slot {
  event: SendableEvent
  state: 'waiting' | 'sending' | 'done'
  /** Null if the event was done without an attempt, because the endpoint no longer subscribes to it. */
  result: FirstResult | null
}

/**
 * The feed events that an endpoint is processing, in order. Several are on the wire at a time, but never two of one
 * subject, nor one before an older one of its subject. Results leave in feed order, so that one number records what
 * was attempted.
 */
export class FeedWindow {
  /**
   * The position up to which everything is read. Events that are not in `#slots` are not subscribed or already
   * written.
   */
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

  /** The total size of the bodies in the window. */
  get bytes(): number {
    return this.#bytes
  }

  /** The position up to which everything is attempted and removed. */
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

  /** Records that no event up to `position` is subscribed. */
  skipTo(position: number): void {
    this.#readTo = Math.max(this.#readTo, position)
  }

  /**
   * Returns the oldest event that may be sent now, or null.
   * @param isFilling returns only events that newer ones have overtaken
   */
  takeNext(isFilling = false): Slot | null {
    if (this.#waiting === 0) return null
    const busy = new Set<string>()
    for (const slot of isFilling ? this.#slots.slice(0, this.#lastAttempted) : this.#slots) {
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

  /** Drops waiting events that are no longer subscribed. */
  drop(isWanted: (event: SendableEvent) => boolean): void {
    for (const slot of this.#slots) {
      if (slot.state !== 'waiting' || isWanted(slot.event)) continue
      slot.state = 'done'
      this.#waiting--
    }
  }

  /** Returns the results that may be written: those before the first unfinished event. */
  takeResults(): FirstResult[] {
    const open = this.#slots.findIndex(({ state }) => state !== 'done')
    const done = this.#slots.splice(0, open === -1 ? this.#slots.length : open)
    for (const { event } of done) this.#bytes -= event.body.length
    return done.flatMap(({ result }) => result ?? [])
  }

  get hasResults(): boolean {
    return this.#slots[0]?.state === 'done'
  }

  /** Whether a newer event was attempted before an older one, so that its result cannot leave. */
  get hasGap(): boolean {
    return (
      this.#waiting > 0 && this.#slots.slice(0, this.#lastAttempted).some(({ state }) => state === 'waiting')
    )
  }

  /** The index in `#slots` of the newest event on the wire or with a result; 0 without one. */
  get #lastAttempted(): number {
    return Math.max(
      0,
      this.#slots.findLastIndex(({ state, result }) => state === 'sending' || result !== null),
    )
  }
}
