import type { Shaping } from './shaping.ts'

/**
 * Returns one worker's share of a site's limits, so that the workers of a server together stay within them. Each worker
 * gets at least one connection. A rate of less than one message in the period becomes one message in a longer period.
 */
export function divideShaping(shaping: Shaping, workers: number): Shaping {
  if (workers === 1) return shaping
  return {
    ...shaping,
    connectionsMax: divide(shaping.connectionsMax, workers),
    connectionsStart: divide(shaping.connectionsStart, workers),
    rate: shaping.rate === null ? null : divideRate(shaping.rate, workers),
  }
}

const divide = (count: number, workers: number) => Math.max(1, Math.floor(count / workers))

function divideRate({ count, perMs }: { count: number; perMs: number }, workers: number) {
  if (count >= workers) return { count: Math.floor(count / workers), perMs }
  return { count: 1, perMs: Math.ceil((perMs * workers) / count) }
}
