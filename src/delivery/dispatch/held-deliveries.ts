import { classOf } from '../../queue/mail-class.ts'
import type { DeliveryKey, DueDelivery } from '../../queue/types.ts'

/** Limits on the recipients that this process holds, and on the bytes of their messages. */
const COUNT_MAX = 2000
const BYTES_MAX = 64 * 1024 * 1024
/** All bulk mail together. The other half is only for transactional mail. */
const BULK_COUNT_MAX = COUNT_MAX / 2
const BULK_BYTES_MAX = BYTES_MAX / 2
/** One team's accepted mail may fill half; the rest of its mail waits for the fair claim. */
const TEAM_COUNT_MAX = COUNT_MAX / 2
/**
 * The allowance beyond those limits for teams with little mail, for one team and in total: it bypasses every backlog.
 */
const FEW_COUNT_MAX = 10
const COUNT_OF_FEW_MAX = 200
/** Below this total, no team can delay another. */
const MANY = 50
/** The minimum room for which a claim is worth its cost, in all and for bulk mail. */
const ROOM_WORTH_CLAIMING = COUNT_MAX / 4
const BULK_ROOM_WORTH_CLAIMING = BULK_COUNT_MAX / 4

const keyOf = (key: DeliveryKey) => `${key.emailId}/${key.no}`
const keyOfTeam = (teamId: string, isBulk: boolean) => `${teamId}/${classOf(isBulk)}`
const bytesOf = ({ message }: DueDelivery) => message?.bytes.length ?? 0

/**
 * The deliveries that this process is responsible for, bounded by count and bytes. States of a delivery: *reserved* (at
 * acceptance, before the commit: counted, without a row yet), *noted* (leased to this process, content not loaded yet),
 * *added* (with its content), and removed.
 */
export class HeldDeliveries {
  /** By key: a delivery that is claimed again while it is still held is not sent twice. */
  readonly #byKey = new Map<string, DueDelivery>()
  /** Reserved and added deliveries by team and class. */
  readonly #countByTeam = new Map<string, number>()
  readonly #whenSomeGo: (() => void)[] = []
  #bytes = 0
  #bulkBytes = 0
  #reservedCount = 0
  /** Bulk deliveries that are reserved or held. */
  #bulkCount = 0

  get count(): number {
    return this.#byKey.size
  }

  /** How many more deliveries may be claimed, if their messages have the size at which COUNT_MAX fill BYTES_MAX. */
  get room(): number {
    const byBytes = Math.floor(COUNT_MAX * (1 - this.#bytes / BYTES_MAX))
    return Math.max(0, Math.min(COUNT_MAX - this.#used, byBytes))
  }

  /** The same for bulk deliveries. */
  get bulkRoom(): number {
    const byBytes = Math.floor(BULK_COUNT_MAX * (1 - this.#bulkBytes / BULK_BYTES_MAX))
    return Math.max(0, Math.min(this.room, BULK_COUNT_MAX - this.#bulkCount, byBytes))
  }

  /** Whether there is room enough for a claim of any mail, and of bulk mail. */
  get isWorthClaiming(): { any: boolean; bulk: boolean } {
    return { any: this.room >= ROOM_WORTH_CLAIMING, bulk: this.bulkRoom >= BULK_ROOM_WORTH_CLAIMING }
  }

  /** How many bulk deliveries are held. */
  get bulkCount(): number {
    let count = 0
    for (const { isBulk } of this.#byKey.values()) if (isBulk) count++
    return count
  }

  get #used(): number {
    return this.#byKey.size + this.#reservedCount
  }

  /**
   * How many deliveries of a class may wait for one site: no more than the room left for the class. One slow site gets
   * half of all, a second one half of the rest, and so on, so that a fast site finds room however many are slow. For
   * large messages the limit is half of their bytes.
   */
  waitingMax(isBulk: boolean): number {
    const weight = (this.#bytes / BYTES_MAX) * (COUNT_MAX / Math.max(1, this.#used))
    return Math.floor((isBulk ? this.bulkRoom : this.room) / Math.max(1, weight))
  }

  /** Returns whether the team has few transactional deliveries here beside many others: of other teams, or bulk. */
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
   * Reserves room for one accepted recipient. Returns false when the room, that of its class, or the team's share is used
   * up.
   */
  reserve(teamId: string, bytes: number, isBulk: boolean): boolean {
    if (this.#bytes + bytes > BYTES_MAX) return false
    const teamCount = this.#countOf(teamId, isBulk)
    // The last quarter is for the claim, which is fair over teams and destinations.
    const isOpenToAll = this.#used < COUNT_MAX - COUNT_MAX / 4 && teamCount < TEAM_COUNT_MAX
    if (isBulk && !(isOpenToAll && this.#isOpenToBulk(teamCount, bytes))) return false
    const isOpenToFew = this.#used < COUNT_MAX + COUNT_OF_FEW_MAX && teamCount < FEW_COUNT_MAX
    if (!isOpenToAll && !isOpenToFew) return false
    this.#reservedCount++
    if (isBulk) this.#bulkCount++
    this.#count(teamId, isBulk, bytes, 1)
    return true
  }

  /** The same parts of the room of bulk mail: a quarter for the claim, and half for one team. */
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
   * Returns the claimed deliveries that are not held yet. For one that is (its lease ran out and a claim returned it),
   * extends the lease.
   */
  pickNew(claimed: readonly DueDelivery[]): DueDelivery[] {
    return claimed.filter((delivery) => {
      const known = this.#byKey.get(keyOf(delivery))
      if (known !== undefined) known.leasedUntilMs = delivery.leasedUntilMs
      return known === undefined
    })
  }

  note(delivery: DueDelivery): void {
    if (delivery.isBulk && !this.#byKey.has(keyOf(delivery))) this.#bulkCount++
    this.#byKey.set(keyOf(delivery), delivery)
  }

  /** Undoes `note`, before `add`. */
  forget(delivery: DueDelivery): void {
    if (this.#byKey.delete(keyOf(delivery)) && delivery.isBulk) this.#bulkCount--
  }

  /** Counts a delivery with its content. */
  add(delivery: DueDelivery): void {
    this.note(delivery)
    this.#count(delivery.teamId, delivery.isBulk, bytesOf(delivery), 1)
  }

  /** Returns false when it is not held, or another delivery with its key is. */
  remove(delivery: DueDelivery): boolean {
    if (this.#byKey.get(keyOf(delivery)) !== delivery) return false
    this.forget(delivery)
    this.#count(delivery.teamId, delivery.isBulk, -bytesOf(delivery), -1)
    for (const resolve of this.#whenSomeGo.splice(0)) resolve()
    return true
  }

  /** Resolves when only these deliveries are held. */
  async emptyBut(others: ReadonlySet<DueDelivery>): Promise<void> {
    while (this.all().some((delivery) => !others.has(delivery))) {
      await new Promise<void>((resolve) => this.#whenSomeGo.push(resolve))
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
