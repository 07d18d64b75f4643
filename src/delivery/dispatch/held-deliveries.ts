import type { DeliveryKey, DueDelivery } from '../../queue/types.ts'

/** Recipients that this process holds at most, and the bytes of their messages. */
const COUNT_MAX = 2000
const BYTES_MAX = 64 * 1024 * 1024
/** Accepted mail of one team may fill half of it; the rest of its mail waits for the fair claim. */
const TEAM_COUNT_MAX = COUNT_MAX / 2
/** So few of one team are taken from acceptance beyond all that, up to so many in all: they pass by every backlog. */
const FEW_COUNT_MAX = 10
const COUNT_OF_FEW_MAX = 200
/** With fewer in all nobody is in anybody's way. */
const MANY = 50
/** With this much room again it is worth claiming. */
export const ROOM_WORTH_CLAIMING = COUNT_MAX / 4

const keyOf = (key: DeliveryKey) => `${key.emailId}/${key.no}`
const bytesOf = ({ message }: DueDelivery) => message?.bytes.length ?? 0

/**
 * What this process has taken responsibility for, bounded by count and bytes. States of a delivery: *reserved* (at
 * acceptance, before the commit: counted, without a row yet), *noted* (its lease is ours, its content not loaded yet),
 * *added* (with its content), and gone.
 */
export class HeldDeliveries {
  /** By key: what comes back through a claim while it is still here is not sent twice. */
  readonly #byKey = new Map<string, DueDelivery>()
  readonly #countByTeam = new Map<string, number>()
  readonly #whenSomeGo: (() => void)[] = []
  #bytes = 0
  #reservedCount = 0

  get count(): number {
    return this.#byKey.size
  }

  /** How many more may be taken, of a size of which all would just fit. */
  get room(): number {
    const byBytes = Math.floor(COUNT_MAX * (1 - this.#bytes / BYTES_MAX))
    return Math.max(0, Math.min(COUNT_MAX - this.#used, byBytes))
  }

  get #used(): number {
    return this.#byKey.size + this.#reservedCount
  }

  /**
   * How many may wait for one site: no more than may still be taken. One slow site gets half of all, a second one half
   * of the rest, and so on: a site that is quick finds room however many are slow. Where the messages are large it is half
   * of their bytes.
   */
  get waitingMax(): number {
    const weight = (this.#bytes / BYTES_MAX) * (COUNT_MAX / Math.max(1, this.#used))
    return Math.floor(this.room / Math.max(1, weight))
  }

  /** Whether the team has few here beside many of others. */
  hasFew(teamId: string): boolean {
    return this.#used >= MANY && (this.#countByTeam.get(teamId) ?? 0) < FEW_COUNT_MAX
  }

  all(): DueDelivery[] {
    return [...this.#byKey.values()]
  }

  /** Room for one accepted recipient, unless its team has its share already. */
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

  /** Takes back `reserve`. */
  unreserve(teamId: string, bytes: number): void {
    this.#reservedCount--
    this.#count(teamId, -bytes, -1)
  }

  /** Those that are not here yet. The lease of one that is, which ran out and came back by a claim, is extended. */
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

  /** Takes back `note`, before `add`. */
  forget(delivery: DueDelivery): void {
    this.#byKey.delete(keyOf(delivery))
  }

  /** Counts it with its content. */
  add(delivery: DueDelivery): void {
    this.note(delivery)
    this.#count(delivery.teamId, bytesOf(delivery), 1)
  }

  /** False when it was not here, or another of its key is. */
  remove(delivery: DueDelivery): boolean {
    if (this.#byKey.get(keyOf(delivery)) !== delivery) return false
    this.#byKey.delete(keyOf(delivery))
    this.#count(delivery.teamId, -bytesOf(delivery), -1)
    for (const resolve of this.#whenSomeGo.splice(0)) resolve()
    return true
  }

  /** Resolves when nothing is here but these. */
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
