import { setTimeout as pause } from 'node:timers/promises'
import { nowMs } from './mail-sites.ts'

/**
 * Returns the milliseconds from each request to the first attempt at its recipient. A recipient without an
 * attempt counts as having waited until now, because leaving it out would improve the result.
 */
export function waitsOf(
  sent: ReadonlyMap<string, number>,
  firstAttempts: ReadonlyMap<string, number>,
): number[] {
  const now = nowMs()
  return [...sent].map(([recipient, sentMs]) => (firstAttempts.get(recipient) ?? now) - sentMs)
}

/** Polls every 50 ms until `isTrue()`. Returns whether it was true before the timeout. */
export async function waitUntil(isTrue: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (!isTrue()) {
    if (performance.now() > end) return false
    await pause(50)
  }
  return true
}
