import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queryable } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { zoneOrUtc } from '../../lib/time/time-zone.ts'
import { saveOpensAt } from '../rows/progress-queries.ts'
import type { Run } from '../rows/runs-queries.ts'
import { type Opening, openingsFrom, type SendWindow } from '../rows/send-window.ts'
import { findWaitingZones } from './zone-queries.ts'

/** Zones whose hours are computed in one turn of the event loop, in some milliseconds. */
const TURN_COUNT = 20

/** The time zones of a campaign that is sent by the clocks of its contacts: one at a time of those whose hours have begun. */
export class Zones {
  readonly #db: Queryable
  readonly #clock: Clock
  readonly #window: SendWindow
  /** The current or next hours of each zone. */
  readonly #openings = new Map<string, Opening | null>()
  #current: string | null = null
  /** What is saved; undefined: not known. */
  #opensAt: Date | null | undefined

  constructor({ db, clock }: { db: Queryable; clock: Clock }, window: SendWindow) {
    this.#db = db
    this.#clock = clock
    this.#window = window
  }

  /** Returns a zone whose hours have begun and in which recipients wait; null: there is none. Empty: that of the campaign. */
  async current(run: Run): Promise<string | null> {
    if (this.#current === null || !this.#isOpen(this.#current)) this.#current = await this.#find(run)
    return this.#current
  }

  /** Nobody waits any more in the current zone. */
  leave(): void {
    this.#current = null
  }

  /** When the hours of the next contacts begin; null: nobody waits for theirs. */
  get opensAt(): Date | null {
    return this.#opensAt ?? null
  }

  async #find(run: Run): Promise<string | null> {
    let next: Date | null = null
    for (const [index, zone] of (await findWaitingZones(this.#db, run)).entries()) {
      if (index % TURN_COUNT === TURN_COUNT - 1) await nextTurn()
      if (this.#isOpen(zone)) {
        await this.#save(run, null)
        return zone
      }
      const opensAt = this.#openingOf(zone)?.opensAt ?? null
      if (next === null || (opensAt !== null && opensAt < next)) next = opensAt
    }
    await this.#save(run, next)
    return null
  }

  #isOpen(zone: string): boolean {
    const opening = this.#openingOf(zone)
    return opening !== null && opening.opensAt <= this.#clock.now()
  }

  #openingOf(zone: string): Opening | null {
    const now = this.#clock.now()
    const remembered = this.#openings.get(zone)
    if (remembered !== undefined && remembered !== null && remembered.closesAt > now) return remembered
    const window = zone === '' ? this.#window : { ...this.#window, timeZone: zoneOrUtc(zone) }
    const [opening = null] = openingsFrom(window, now)
    this.#openings.set(zone, opening)
    return opening
  }

  async #save(run: Run, opensAt: Date | null): Promise<void> {
    if (this.#opensAt?.getTime() === opensAt?.getTime() && this.#opensAt !== undefined) return
    await saveOpensAt(this.#db, run, opensAt)
    this.#opensAt = opensAt
  }
}
