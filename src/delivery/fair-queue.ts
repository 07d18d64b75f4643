/** First in, first out within a team; teams in turn. Taking is O(1) however many wait. */
export class FairQueue<Item extends { teamId: string }> {
  readonly #lanes = new Map<string, Lane<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(item: Item): void {
    const lane = this.#lanes.get(item.teamId)
    if (lane === undefined) this.#lanes.set(item.teamId, { items: [item], head: 0 })
    else lane.items.push(item)
    this.#size++
  }

  /** The next item of the team whose turn it is; null when nothing waits. */
  take(): Item | null {
    const turn = this.#lanes.entries().next()
    if (turn.done === true) return null
    const [team, lane] = turn.value
    const item = lane.items[lane.head++] as Item
    // A Map keeps the order of insertion: deleting and setting again moves the team to the end of the round.
    this.#lanes.delete(team)
    if (lane.head < lane.items.length) this.#lanes.set(team, compact(lane))
    this.#size--
    return item
  }

  /** Everything that waits, in no particular order; the queue is empty afterwards. */
  takeAll(): Item[] {
    const items = [...this.#lanes.values()].flatMap((lane) => lane.items.slice(lane.head))
    this.#lanes.clear()
    this.#size = 0
    return items
  }
}

interface Lane<Item> {
  items: Item[]
  head: number
}

/** Drops what was taken once it is the larger part, so that a queue that never empties does not grow. */
function compact<Item>(lane: Lane<Item>): Lane<Item> {
  return lane.head > 64 && lane.head * 2 > lane.items.length
    ? { items: lane.items.slice(lane.head), head: 0 }
    : lane
}
