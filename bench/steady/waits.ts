import { setTimeout as pause } from 'node:timers/promises'
import { nowMs } from './mail-sites.ts'

/**
 * From each request to the first attempt at its recipient, milliseconds. One that was never tried counts as having
 * waited until now: leaving it out would flatter the figure.
 */
export function waitsOf(sent: ReadonlyMap<string, number>, tried: ReadonlyMap<string, number>): number[] {
  const now = nowMs()
  return [...sent].map(([recipient, sentMs]) => (tried.get(recipient) ?? now) - sentMs)
}

/** Asks every 50 ms. Returns whether it came true in time. */
export async function waitUntil(isTrue: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (!isTrue()) {
    if (performance.now() > end) return false
    await pause(50)
  }
  return true
}
