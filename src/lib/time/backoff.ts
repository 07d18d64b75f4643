/** Retry jitter: up to a fifth up or down, so that what failed together does not return together. */
const JITTER = 0.2

/**
 * Returns the delay before the next attempt after `attempts` finished ones, in milliseconds:
 * `scheduleMs[attempts - 1]`, the last one repeating, times 0.8 to 1.2. With the default schedule: about 1 min after
 * the first attempt, 4 h after the seventh and every later one.
 */
export function retryDelayMs(scheduleMs: readonly number[], attempts: number, random: () => number): number {
  const step = scheduleMs[Math.min(attempts, scheduleMs.length) - 1] ?? 60_000
  return Math.round(step * (1 - JITTER + 2 * JITTER * random()))
}
