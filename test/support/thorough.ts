const DAY_MS = 86_400_000

/** Whether `npm run test:full` runs, which tests every combination instead of a selection. */
export const isFull = process.env.SENDWRIGHT_FULL === '1'

/**
 * Returns the seed of random tests: a new one each day, so that they try more over time, and the same one all day, so that a
 * failure repeats. fast-check prints the seed of a failure; SENDWRIGHT_SEED repeats it on another day.
 */
export function seedOfToday(): number {
  return Number(process.env.SENDWRIGHT_SEED ?? Math.floor(Date.now() / DAY_MS))
}
