/** Inputs are compared with others of a quarter of their size. */
const STEP = 4
const ROUNDS = 3
/** Shorter work is repeated until it has taken this long: the clock of a thread is not finer. */
const SPAN_MS = 2

/**
 * Returns how the processor time of `work` grows when its input becomes four times as large, from `size / 4` to `size`:
 * about 4 for linear work, 16 for quadratic work. Unlike a limit in milliseconds, the ratio is the same on every machine:
 * it counts only this thread's time, and the shortest of several rounds.
 */
export function growthOf(work: (size: number) => unknown, size: number): number {
  const small = Math.ceil(size / STEP)
  // Both sizes run once before they count, so that both are measured as compiled code.
  work(small)
  work(size)
  let smallMs = Number.POSITIVE_INFINITY
  let largeMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    smallMs = Math.min(
      smallMs,
      cpuMs(() => work(small)),
    )
    largeMs = Math.min(
      largeMs,
      cpuMs(() => work(size)),
    )
  }
  return largeMs / smallMs
}

/** Between linear (4) and quadratic (16), with room for caches that large inputs no longer fit into. */
export const LINEAR_GROWTH_MAX = 10

/** Milliseconds of this thread's processor time that one call takes. */
function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  for (let calls = 1; ; calls++) {
    work()
    const { user, system } = process.threadCpuUsage(before)
    const spentMs = (user + system) / 1000
    if (spentMs >= SPAN_MS) return spentMs / calls
  }
}
