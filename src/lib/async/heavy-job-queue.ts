/** Runs a piece of work when its turn comes. Rejects as the work throws. */
export type HeavyJobQueue = <T>(work: () => T) => Promise<T>

/**
 * Work that holds the event loop for a tenth of a second and more (a body of forty megabytes) one piece at a time, each
 * followed by a rest as long as it took: whatever else this process does gets half of the thread, however many such pieces
 * come at once. Without it eight of them in a row are seconds in which nobody is answered and timers that watch the
 * database run out.
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

/** What `work` came to, to be handed over or thrown later. */
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
