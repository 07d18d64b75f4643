/** Runs `work` in its turn. Rejects when `work` throws. */
export type HeavyJobQueue = <T>(work: () => T) => Promise<T>

/**
 * Runs work that blocks the event loop for a tenth of a second or more (a body of forty megabytes) one piece at a time,
 * each followed by a rest of the same length. Everything else in the process gets half of the thread, however many
 * pieces arrive at once. Otherwise eight of them in a row would block all replies for seconds, and database watchdog
 * timers would fire.
 */
export function createHeavyJobQueue(): HeavyJobQueue {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    const turn = last.then(() => {
      const startedMs = performance.now()
      const rest = () => new Promise<void>((resolve) => setTimeout(resolve, performance.now() - startedMs))
      return { result: run(work), rest }
    })
    last = turn.then(({ rest }) => rest())
    return turn.then(({ result }) => result())
  }
}

/** Runs `work` and returns a function that returns its result or throws its error. */
function run<T>(work: () => T): () => T {
  try {
    const value = work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}
