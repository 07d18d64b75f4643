/** As many as the service handles concurrently without waiting for a connection. */
const LANES = 4

/**
 * Processes a few items at a time: one by one, most of the time would be spent waiting; all together, some would be
 * rejected.
 */
export async function inLanes<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  const lane = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
