/**
 * Whether a run tests every combination (`npm run test:full`). Other runs test a part of them that covers every value, and
 * which changes from day to day.
 */
export const isFull = process.env.SENDWRIGHT_FULL === '1'

/**
 * Chooses the random values and the part of the combinations that a run tests: runs of one day agree, so that a failure
 * can be repeated. `SENDWRIGHT_SEED` repeats the run of another day.
 */
export const seedOfDay = Number(process.env.SENDWRIGHT_SEED ?? Math.floor(Date.now() / 86_400_000))
