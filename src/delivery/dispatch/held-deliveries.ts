import { classOf } from '../../queue/mail-class.ts'
import type { DeliveryKey, DueDelivery } from '../../queue/types.ts'

/** Limits on the recipients that this process holds, and on the bytes of their messages. */
const COUNT_MAX = 2000
const BYTES_MAX = 64 * 1024 * 1024
/** Limits on all bulk mail. The other half is reserved for transactional mail. */
const BULK_COUNT_MAX = COUNT_MAX / 2
const BULK_BYTES_MAX = BYTES_MAX / 2
/**
 * Mail that acceptance hands off for one team fills at most half. The rest of the team's mail waits for the fair claim.
 */
const TEAM_COUNT_MAX = COUNT_MAX / 2
/**
 * Places beyond these limits for teams with little mail, for one team and in total. Such mail bypasses every backlog.
 */
const FEW_COUNT_MAX = 10
const COUNT_OF_FEW_MAX = 200
/** Below this total, no team can delay another. */
const MANY = 50
/** The minimum room for which a claim is worth its cost, for any mail and for bulk mail. */
const ROOM_WORTH_CLAIMING = COUNT_MAX / 4
const BULK_ROOM_WORTH_CLAIMING = BULK_COUNT_MAX / 4

const keyOf = (key: DeliveryKey) => `${key.emailId}/${key.no}`
const keyOfTeam = (teamId: string, isBulk: boolean) => `${teamId}/${classOf(isBulk)}`
const bytesOf = ({ message }: DueDelivery) => message?.bytes.length ?? 0

/**
 * The deliveries that this process is responsible for, bounded by count and bytes. States of a delivery: *reserved*
 * (counted at acceptance; its row is not committed yet), *registered* (leased to this process; its content is not
 * loaded yet), *added* (with its content), and removed.
 */
export class HeldDeliveries {
  /** By key, so that a delivery that is claimed again while it is still held is not sent twice. */
  readonly #byKey = new Map<string, DueDelivery>()
  /** Reserved and added deliveries by team and class. */
  readonly #countByTeam = new Map<string, number>()
  readonly #removalWaiters: (() => void)[] = []
  #bytes = 0
  #bulkBytes = 0
  #reservedCount = 0
  /** Bulk deliveries that are reserved or held. */
  #bulkCount = 0

  get count(): number {
    return this.#byKey.size
  }

  /** How many more deliveries may be claimed, if each message has `BYTES_MAX / COUNT_MAX` bytes. */
  get room(): number {
    const byBytes = Math.floor(COUNT_MAX * (1 - this.#bytes / BYTES_MAX))
    return Math.max(0, Math.min(COUNT_MAX - this.#used, byBytes))
  }

  /** How many more bulk deliveries may be claimed. */
  get bulkRoom(): number {
    const byBytes = Math.floor(BULK_COUNT_MAX * (1 - this.#bulkBytes / BULK_BYTES_MAX))
    return Math.max(0, Math.min(this.room, BULK_COUNT_MAX - this.#bulkCount, byBytes))
  }

  /** Whether there is enough room for a claim of any mail, and for one of bulk mail. */
  get isWorthClaiming(): { any: boolean; bulk: boolean } {
    return { any: this.room >= ROOM_WORTH_CLAIMING, bulk: this.bulkRoom >= BULK_ROOM_WORTH_CLAIMING }
  }

  /** The number of held bulk deliveries. */
  get bulkCount(): number {
    let count = 0
    for (const { isBulk } of this.#byKey.values()) if (isBulk) count++
    return count
  }

  get #used(): number {
    return this.#byKey.size + this.#reservedCount
  }

  /**
   * Returns how many deliveries of a class may wait for one site: no more than the room left for the class. One slow
   * site can take half of all room, a second one half of the rest, and so on. A fast site therefore always finds room.
   * If the held messages are large, the limit is lower in proportion.
   */
  waitingMax(isBulk: boolean): number {
    const weight = (this.#bytes / BYTES_MAX) * (COUNT_MAX / Math.max(1, this.#used))
    return Math.floor((isBulk ? this.bulkRoom : this.room) / Math.max(1, weight))
  }

  /** Returns whether the team has few transactional deliveries here, beside many of other teams or of bulk mail. */
  hasFew(teamId: string): boolean {
    return this.#used >= MANY && this.#countOf(teamId, false) < FEW_COUNT_MAX
  }

  #countOf(teamId: string, isBulk: boolean): number {
    return this.#countByTeam.get(keyOfTeam(teamId, isBulk)) ?? 0
  }

  all(): DueDelivery[] {
    return [...this.#byKey.values()]
  }

  /**
   * Reserves room for one accepted recipient. Returns false if the room of all mail, of its class, or of its team is
   * used up.
   */
  reserve(teamId: string, bytes: number, isBulk: boolean): boolean {
    if (this.#bytes + bytes > BYTES_MAX) return false
    const teamCount = this.#countOf(teamId, isBulk)
    // The last quarter is for claims, which are fair over teams and destinations.
    const isOpenToAll = this.#used < COUNT_MAX - COUNT_MAX / 4 && teamCount < TEAM_COUNT_MAX
    if (isBulk && !(isOpenToAll && this.#isOpenToBulk(teamCount, bytes))) return false
    const isOpenToFew = this.#used < COUNT_MAX + COUNT_OF_FEW_MAX && teamCount < FEW_COUNT_MAX
    if (!isOpenToAll && !isOpenToFew) return false
    this.#reservedCount++
    if (isBulk) this.#bulkCount++
    this.#count(teamId, isBulk, bytes, 1)
    return true
  }

  /** Applies the same shares to the room of bulk mail: a quarter is for claims, and one team gets at most half. */
  #isOpenToBulk(teamCount: number, bytes: number): boolean {
    if (this.#bulkBytes + bytes > BULK_BYTES_MAX) return false
    return this.#bulkCount < BULK_COUNT_MAX - BULK_COUNT_MAX / 4 && teamCount < BULK_COUNT_MAX / 2
  }

  /** Undoes `reserve`. */
  unreserve(teamId: string, bytes: number, isBulk: boolean): void {
    this.#reservedCount--
    if (isBulk) this.#bulkCount--
    this.#count(teamId, isBulk, -bytes, -1)
  }

  /**
   * Returns the claimed deliveries that are not held yet. If one is held already (its lease ran out, and a claim
   * returned it again), updates the end of its lease.
   */
  pickNew(deliveries: readonly DueDelivery[]): DueDelivery[] {
    return deliveries.filter((delivery) => {
      const held = this.#byKey.get(keyOf(delivery))
      if (held !== undefined) held.leasedUntilMs = delivery.leasedUntilMs
      return held === undefined
    })
  }

  /** Registers a delivery that is leased to this process. */
  register(delivery: DueDelivery): void {
    if (delivery.isBulk && !this.#byKey.has(keyOf(delivery))) this.#bulkCount++
    this.#byKey.set(keyOf(delivery), delivery)
  }

  /** Undoes `register`, before `add`. */
  forget(delivery: DueDelivery): void {
    if (this.#byKey.delete(keyOf(delivery)) && delivery.isBulk) this.#bulkCount--
  }

  /** Counts a delivery with its content. */
  add(delivery: DueDelivery): void {
    this.register(delivery)
    this.#count(delivery.teamId, delivery.isBulk, bytesOf(delivery), 1)
  }

  /** Returns false if the delivery is not held, or another one is held under its key. */
  remove(delivery: DueDelivery): boolean {
    if (this.#byKey.get(keyOf(delivery)) !== delivery) return false
    this.forget(delivery)
    this.#count(delivery.teamId, delivery.isBulk, -bytesOf(delivery), -1)
    for (const resolve of this.#removalWaiters.splice(0)) resolve()
    return true
  }

  /** Resolves when all deliveries are removed. */
  async waitForAll(): Promise<void> {
    while (this.#byKey.size > 0) {
      await new Promise<void>((resolve) => this.#removalWaiters.push(resolve))
    }
  }

  #count(teamId: string, isBulk: boolean, bytes: number, deliveries: 1 | -1): void {
    this.#bytes += bytes
    if (isBulk) this.#bulkBytes += bytes
    const key = keyOfTeam(teamId, isBulk)
    const total = (this.#countByTeam.get(key) ?? 0) + deliveries
    if (total <= 0) this.#countByTeam.delete(key)
    else this.#countByTeam.set(key, total)
  }
}
