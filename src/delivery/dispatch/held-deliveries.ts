import type { DeliveryKey, DueDelivery } from '../../queue/types.ts'

/** Limits on the recipients that this process holds, and on the bytes of their messages. */
const COUNT_MAX = 2000
const BYTES_MAX = 64 * 1024 * 1024
/** One team's accepted mail may fill half; the rest of its mail waits for the fair claim. */
const TEAM_COUNT_MAX = COUNT_MAX / 2
/**
 * The allowance beyond those limits for teams with little mail, for one team and in total: it bypasses every backlog.
 */
const FEW_COUNT_MAX = 10
const COUNT_OF_FEW_MAX = 200
/** Below this total, no team can delay another. */
const MANY = 50
/** The minimum room for which a claim is worth its cost. */
export const ROOM_WORTH_CLAIMING = COUNT_MAX / 4

const keyOf = (key: DeliveryKey) => `${key.emailId}/${key.no}`
const bytesOf = ({ message }: DueDelivery) => message?.bytes.length ?? 0

/**
 * The deliveries that this process is responsible for, bounded by count and bytes. States of a delivery: *reserved* (at
 * acceptance, before the commit: counted, without a row yet), *noted* (leased to this process, content not loaded yet),
 * *added* (with its content), and removed.
 */
export class HeldDeliveries {
  /** By key: a delivery that is claimed again while it is still held is not sent twice. */
  readonly #byKey = new Map<string, DueDelivery>()
  readonly #countByTeam = new Map<string, number>()
  readonly #whenSomeGo: (() => void)[] = []
  #bytes = 0
  #reservedCount = 0

  get count(): number {
    return this.#byKey.size
  }

  /** How many more deliveries may be claimed, if their messages have the size at which COUNT_MAX fill BYTES_MAX. */
  get room(): number {
    const byBytes = Math.floor(COUNT_MAX * (1 - this.#bytes / BYTES_MAX))
    return Math.max(0, Math.min(COUNT_MAX - this.#used, byBytes))
  }

  get #used(): number {
    return this.#byKey.size + this.#reservedCount
  }

  /**
   * How many deliveries may wait for one site: no more than the room left. One slow site gets half of all, a second one
   * half of the rest, and so on, so that a fast site finds room however many are slow. For large messages the limit is
   * half of their bytes.
   */
  get waitingMax(): number {
    const weight = (this.#bytes / BYTES_MAX) * (COUNT_MAX / Math.max(1, this.#used))
    return Math.floor(this.room / Math.max(1, weight))
  }

  /** Returns whether the team has few deliveries here beside many of other teams. */
  hasFew(teamId: string): boolean {
    return this.#used >= MANY && (this.#countByTeam.get(teamId) ?? 0) < FEW_COUNT_MAX
  }

  all(): DueDelivery[] {
    return [...this.#byKey.values()]
  }

  /** Reserves room for one accepted recipient. Returns false when the room or the team's share is used up. */
  reserve(teamId: string, bytes: number): boolean {
    if (this.#bytes + bytes > BYTES_MAX) return false
    const teamCount = this.#countByTeam.get(teamId) ?? 0
    // The last quarter is for the claim, which is fair over teams and destinations.
    const isOpenToAll = this.#used < COUNT_MAX - COUNT_MAX / 4 && teamCount < TEAM_COUNT_MAX
    const isOpenToFew = this.#used < COUNT_MAX + COUNT_OF_FEW_MAX && teamCount < FEW_COUNT_MAX
    if (!isOpenToAll && !isOpenToFew) return false
    this.#reservedCount++
    this.#count(teamId, bytes, 1)
    return true
  }

  /** Undoes `reserve`. */
  unreserve(teamId: string, bytes: number): void {
    this.#reservedCount--
    this.#count(teamId, -bytes, -1)
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
    this.#byKey.set(keyOf(delivery), delivery)
  }

  /** Undoes `note`, before `add`. */
  forget(delivery: DueDelivery): void {
    this.#byKey.delete(keyOf(delivery))
  }

  /** Counts a delivery with its content. */
  add(delivery: DueDelivery): void {
    this.note(delivery)
    this.#count(delivery.teamId, bytesOf(delivery), 1)
  }

  /** Returns false when it is not held, or another delivery with its key is. */
  remove(delivery: DueDelivery): boolean {
    if (this.#byKey.get(keyOf(delivery)) !== delivery) return false
    this.#byKey.delete(keyOf(delivery))
    this.#count(delivery.teamId, -bytesOf(delivery), -1)
    for (const resolve of this.#whenSomeGo.splice(0)) resolve()
    return true
  }

  /** Resolves when only these deliveries are held. */
  async emptyBut(others: ReadonlySet<DueDelivery>): Promise<void> {
    while (this.all().some((delivery) => !others.has(delivery))) {
      await new Promise<void>((resolve) => this.#whenSomeGo.push(resolve))
    }
  }

  #count(teamId: string, bytes: number, deliveries: 1 | -1): void {
    this.#bytes += bytes
    const total = (this.#countByTeam.get(teamId) ?? 0) + deliveries
    if (total <= 0) this.#countByTeam.delete(teamId)
    else this.#countByTeam.set(teamId, total)
  }
}
