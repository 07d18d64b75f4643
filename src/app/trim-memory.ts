import { performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8's own function, which the flag `--expose-gc` adds to new contexts. */
type CollectGarbage = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** The load of this process in one interval. */
export interface Interval {
  /** The share of the interval in which the event loop was busy, 0 to 1. */
  utilization: number
  youngBytes: number
}

const INTERVAL_MS = 10_000
/** Below this share, a pause of a tenth of a second delays hardly any work. */
const IDLE_MAX = 0.02
const IDLE_INTERVALS_MIN = 3
/** A young generation that is smaller than this has little memory to return. */
const YOUNG_MIN_BYTES = 32 * 1024 ** 2

/**
 * Returns the memory of the young generation to the system by a full garbage collection: 75 MB after a start, in 0.1 s.
 * V8 enlarges the young generation under load and while it loads modules, and does not shrink it while a process idles.
 */
export function trimMemory(): void {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as CollectGarbage
  setFlagsFromString('--no-expose-gc')
  // Other flavors shrink the heap too, but V8 keeps the pages in its pool.
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * Returns a function to call after each interval. It returns true, to trim the memory, once after a time without load.
 */
export function createIdleWatch(): (interval: Interval) => boolean {
  let idleCount = 0
  return ({ utilization, youngBytes }) => {
    idleCount = utilization < IDLE_MAX ? idleCount + 1 : 0
    if (idleCount < IDLE_INTERVALS_MIN || youngBytes < YOUNG_MIN_BYTES) return false
    idleCount = 0
    return true
  }
}

/** Trims the memory now, after the start, and each time the process becomes idle. Does not keep the process alive. */
export function startTrimming(): void {
  trimMemory()
  const isTimeToTrim = createIdleWatch()
  let before = performance.eventLoopUtilization()
  const check = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (isTimeToTrim({ utilization, youngBytes: readYoungBytes() })) trimMemory()
  }
  setInterval(check, INTERVAL_MS).unref()
}

export function readYoungBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
