import { BULK_EVERY } from '../../queue/mail-class.ts'

/**
 * A queue that serves teams in turn, whatever the class of their items. Within a team, transactional items go before
 * bulk items; while both wait, every twentieth item is bulk. Each class is first in, first out. Taking an item is O(1).
 */
export class FairQueue<Item extends { teamId: string; isBulk: boolean }> {
  readonly #teams = new Map<string, Team<Item>>()
  #size = 0
  #bulkSize = 0

  get size(): number {
    return this.#size
  }

  get bulkSize(): number {
    return this.#bulkSize
  }

  add(item: Item): void {
    const team = this.#teams.get(item.teamId) ?? { transactional: newFifo(), bulk: newFifo(), passedBulk: 0 }
    this.#teams.set(item.teamId, team)
    const fifo = item.isBulk ? team.bulk : team.transactional
    fifo.items.push(item)
    this.#size++
    if (item.isBulk) this.#bulkSize++
  }

  /**
   * Removes and returns the next item of the team whose turn it is, or null if there is none.
   * @param mayTakeBulk if false, teams that have only bulk items keep their turn
   */
  take(mayTakeBulk = true): Item | null {
    if (!mayTakeBulk && this.#size === this.#bulkSize) return null
    for (const [teamId, team] of this.#teams) {
      const fifo = nextFifo(team, mayTakeBulk)
      if (fifo === null) continue
      const item = fifo.items[fifo.head++] as Item
      compact(fifo)
      if (item.isBulk) team.passedBulk = 0
      else if (hasItems(team.bulk)) team.passedBulk++
      // A Map keeps the order of insertion: deleting and setting again moves the team to the end of the round.
      this.#teams.delete(teamId)
      if (hasItems(team.transactional) || hasItems(team.bulk)) this.#teams.set(teamId, team)
      this.#size--
      if (item.isBulk) this.#bulkSize--
      return item
    }
    return null
  }

  /** Removes and returns all items, transactional ones first. */
  takeAll(): Item[] {
    const teams = [...this.#teams.values()]
    const remaining = (fifo: Fifo<Item>) => fifo.items.slice(fifo.head)
    const items = [
      ...teams.flatMap(({ transactional }) => remaining(transactional)),
      ...teams.flatMap(({ bulk }) => remaining(bulk)),
    ]
    this.#teams.clear()
    this.#size = 0
    this.#bulkSize = 0
    return items
  }
}

interface Team<Item> {
  transactional: Fifo<Item>
  bulk: Fifo<Item>
  /** Transactional items taken since the last bulk item, while bulk items waited. */
  passedBulk: number
}

interface Fifo<Item> {
  items: Item[]
  head: number
}

function newFifo<Item>(): Fifo<Item> {
  return { items: [], head: 0 }
}

function hasItems({ items, head }: Fifo<unknown>): boolean {
  return head < items.length
}

function nextFifo<Item>(
  { transactional, bulk, passedBulk }: Team<Item>,
  mayTakeBulk: boolean,
): Fifo<Item> | null {
  const isBulkDue = !hasItems(transactional) || passedBulk >= BULK_EVERY - 1
  if (mayTakeBulk && hasItems(bulk) && isBulkDue) return bulk
  return hasItems(transactional) ? transactional : null
}

/** Drops taken items once they are the majority, so that a queue that never empties does not grow. */
function compact(fifo: Fifo<unknown>): void {
  if (fifo.head <= 64 || fifo.head * 2 <= fifo.items.length) return
  fifo.items = fifo.items.slice(fifo.head)
  fifo.head = 0
}
