/** As many as the service answers beside each other without anybody waiting for a connection. */
const LANES = 4

/** Does a few at a time: one after the other, most of the time would be waiting; all at once, some would be refused. */
export async function inLanes<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  const lane = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
