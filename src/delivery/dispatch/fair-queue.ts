import { BULK_EVERY } from '../../queue/mail-class.ts'

/**
 * A queue that takes teams in turn, whatever their class. Within a team transactional items go before bulk items, each
 * class first in, first out; while both wait, every twentieth item is bulk. Taking is O(1) whatever the length.
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
    const team = this.#teams.get(item.teamId) ?? { transactional: newLine(), bulk: newLine(), passedBulk: 0 }
    this.#teams.set(item.teamId, team)
    const line = item.isBulk ? team.bulk : team.transactional
    line.items.push(item)
    this.#size++
    if (item.isBulk) this.#bulkSize++
  }

  /**
   * Removes and returns the next item of the team whose turn it is; null when there is none.
   * @param mayTakeBulk otherwise teams that have only bulk items keep their turn
   */
  take(mayTakeBulk = true): Item | null {
    if (!mayTakeBulk && this.#size === this.#bulkSize) return null
    for (const [teamId, team] of this.#teams) {
      const line = nextLine(team, mayTakeBulk)
      if (line === null) continue
      const item = line.items[line.head++] as Item
      compact(line)
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
    const left = (line: Line<Item>) => line.items.slice(line.head)
    const items = [
      ...teams.flatMap(({ transactional }) => left(transactional)),
      ...teams.flatMap(({ bulk }) => left(bulk)),
    ]
    this.#teams.clear()
    this.#size = 0
    this.#bulkSize = 0
    return items
  }
}

interface Team<Item> {
  transactional: Line<Item>
  bulk: Line<Item>
  /** Transactional items taken since the last bulk item, while bulk items waited. */
  passedBulk: number
}

interface Line<Item> {
  items: Item[]
  head: number
}

function newLine<Item>(): Line<Item> {
  return { items: [], head: 0 }
}

function hasItems({ items, head }: Line<unknown>): boolean {
  return head < items.length
}

function nextLine<Item>(
  { transactional, bulk, passedBulk }: Team<Item>,
  mayTakeBulk: boolean,
): Line<Item> | null {
  const isBulkDue = !hasItems(transactional) || passedBulk >= BULK_EVERY - 1
  if (mayTakeBulk && hasItems(bulk) && isBulkDue) return bulk
  return hasItems(transactional) ? transactional : null
}

/** Drops taken items once they are the larger part, so that a queue that never empties does not grow. */
function compact(line: Line<unknown>): void {
  if (line.head <= 64 || line.head * 2 <= line.items.length) return
  line.items = line.items.slice(line.head)
  line.head = 0
}
