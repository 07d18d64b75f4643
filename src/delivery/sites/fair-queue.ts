import { BULK_EVERY } from '../../queue/mail-class.ts'

/**
 * A queue that serves teams in turn, whatever the class of their items. Within a team, transactional items go before
 * bulk items; while both wait, every twentieth item is bulk. Each class is first in, first out, except that small items
 * pass large ones that may not be taken. An item without its message is large. Taking an item is O(1), apart from the
 * teams that have nothing that may be taken.
 */
export class FairQueue<Item extends { teamId: string; isBulk: boolean; message: unknown }> {
  readonly #teams = new Map<string, Team<Item>>()
  #addedCount = 0
  #size = 0
  #bulkSize = 0
  #largeSize = 0
  #largeBulkSize = 0

  get size(): number {
    return this.#size
  }

  get bulkSize(): number {
    return this.#bulkSize
  }

  /** The number of large items of both classes. */
  get largeSize(): number {
    return this.#largeSize
  }

  get largeBulkSize(): number {
    return this.#largeBulkSize
  }

  /** Returns the number of large items of one team and class. */
  largeCountOf(teamId: string, isBulk: boolean): number {
    const team = this.#teams.get(teamId)
    if (team === undefined) return 0
    const { large } = isBulk ? team.bulk : team.transactional
    return large.entries.length - large.head
  }

  add(item: Item): void {
    const team = this.#teams.get(item.teamId) ?? { transactional: newLine(), bulk: newLine(), passedBulk: 0 }
    this.#teams.set(item.teamId, team)
    const line = item.isBulk ? team.bulk : team.transactional
    const fifo = isLarge(item) ? line.large : line.small
    fifo.entries.push({ item, no: this.#addedCount++ })
    this.#count(item, 1)
  }

  /**
   * Removes and returns the next item of the team whose turn it is, or null if there is none. Teams that have only
   * items that may not be taken keep their turn.
   */
  take(mayTakeBulk = true, mayTakeLarge = true): Item | null {
    if (!this.#hasTakeable(mayTakeBulk, mayTakeLarge)) return null
    for (const [teamId, team] of this.#teams) {
      const fifo = nextFifo(team, mayTakeBulk, mayTakeLarge)
      if (fifo === null) continue
      const { item } = fifo.entries[fifo.head++] as Entry<Item>
      compact(fifo)
      if (item.isBulk) team.passedBulk = 0
      else if (hasItems(team.bulk)) team.passedBulk++
      // A Map keeps the order of insertion: deleting and setting again moves the team to the end of the round.
      this.#teams.delete(teamId)
      if (hasItems(team.transactional) || hasItems(team.bulk)) this.#teams.set(teamId, team)
      this.#count(item, -1)
      return item
    }
    return null
  }

  /** Removes and returns all items, transactional ones first. */
  takeAll(): Item[] {
    const teams = [...this.#teams.values()]
    const items = [
      ...teams.flatMap(({ transactional }) => itemsOf(transactional)),
      ...teams.flatMap(({ bulk }) => itemsOf(bulk)),
    ]
    this.#teams.clear()
    this.#size = 0
    this.#bulkSize = 0
    this.#largeSize = 0
    this.#largeBulkSize = 0
    return items
  }

  #hasTakeable(mayTakeBulk: boolean, mayTakeLarge: boolean): boolean {
    const all = mayTakeLarge ? this.#size : this.#size - this.#largeSize
    const bulk = mayTakeLarge ? this.#bulkSize : this.#bulkSize - this.#largeBulkSize
    return mayTakeBulk ? all > 0 : all > bulk
  }

  #count(item: Item, change: 1 | -1): void {
    this.#size += change
    if (item.isBulk) this.#bulkSize += change
    if (!isLarge(item)) return
    this.#largeSize += change
    if (item.isBulk) this.#largeBulkSize += change
  }
}

interface Team<Item> {
  transactional: Line<Item>
  bulk: Line<Item>
  /** Transactional items taken since the last bulk item, while bulk items waited. */
  passedBulk: number
}

/** The items of one team and class. */
interface Line<Item> {
  small: Fifo<Item>
  large: Fifo<Item>
}

interface Fifo<Item> {
  entries: Entry<Item>[]
  head: number
}

interface Entry<Item> {
  item: Item
  /** Of two items, the one with the lower number was added first. */
  no: number
}

function newLine<Item>(): Line<Item> {
  return { small: { entries: [], head: 0 }, large: { entries: [], head: 0 } }
}

function isLarge({ message }: { message: unknown }): boolean {
  return message === null
}

function hasItems({ small, large }: Line<unknown>): boolean {
  return small.head < small.entries.length || large.head < large.entries.length
}

/** Returns the items of a line in the order in which they were added. */
function itemsOf<Item>({ small, large }: Line<Item>): Item[] {
  const entries = [...small.entries.slice(small.head), ...large.entries.slice(large.head)]
  return entries.sort((a, b) => a.no - b.no).map(({ item }) => item)
}

function nextFifo<Item>(
  { transactional, bulk, passedBulk }: Team<Item>,
  mayTakeBulk: boolean,
  mayTakeLarge: boolean,
): Fifo<Item> | null {
  const next = oldestFifo(transactional, mayTakeLarge)
  if (!mayTakeBulk || (next !== null && passedBulk < BULK_EVERY - 1)) return next
  return oldestFifo(bulk, mayTakeLarge) ?? next
}

/** Returns the part of a line that has the oldest item that may be taken, or null if there is no such item. */
function oldestFifo<Item>({ small, large }: Line<Item>, mayTakeLarge: boolean): Fifo<Item> | null {
  const smallNo = small.entries[small.head]?.no
  const largeNo = mayTakeLarge ? large.entries[large.head]?.no : undefined
  if (largeNo === undefined) return smallNo === undefined ? null : small
  return smallNo !== undefined && smallNo < largeNo ? small : large
}

/** Drops taken items once they are the majority, so that a queue that never empties does not grow. */
function compact(fifo: Fifo<unknown>): void {
  if (fifo.head <= 64 || fifo.head * 2 <= fifo.entries.length) return
  fifo.entries = fifo.entries.slice(fifo.head)
  fifo.head = 0
}
