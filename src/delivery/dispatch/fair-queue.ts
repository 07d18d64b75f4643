/** A queue that is first in, first out within a team and takes teams in turn. Taking is O(1) whatever its length. */
export class FairQueue<Item extends { teamId: string }> {
  readonly #lines = new Map<string, Line<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(item: Item): void {
    const line = this.#lines.get(item.teamId)
    if (line === undefined) this.#lines.set(item.teamId, { items: [item], head: 0 })
    else line.items.push(item)
    this.#size++
  }

  /** Removes and returns the next item of the team whose turn it is; null when the queue is empty. */
  take(): Item | null {
    const turn = this.#lines.entries().next()
    if (turn.done === true) return null
    const [team, line] = turn.value
    const item = line.items[line.head++] as Item
    // A Map keeps the order of insertion: deleting and setting again moves the team to the end of the round.
    this.#lines.delete(team)
    if (line.head < line.items.length) this.#lines.set(team, compact(line))
    this.#size--
    return item
  }

  /** Removes and returns all items, in no particular order. */
  takeAll(): Item[] {
    const items = [...this.#lines.values()].flatMap((line) => line.items.slice(line.head))
    this.#lines.clear()
    this.#size = 0
    return items
  }
}

interface Line<Item> {
  items: Item[]
  head: number
}

/** Drops taken items once they are the larger part, so that a queue that never empties does not grow. */
function compact<Item>(line: Line<Item>): Line<Item> {
  return line.head > 64 && line.head * 2 > line.items.length
    ? { items: line.items.slice(line.head), head: 0 }
    : line
}
