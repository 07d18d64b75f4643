const ROUNDS = 3
/** Shorter work is repeated until it has taken this long. */
const SPAN_MS = 2
/** A thread's processor time is counted in steps of up to this. */
const TICK_MS = 4

/** Linear work takes dozens of passes; quadratic work on a megabyte takes hundreds of thousands. */
export const PASSES_MAX = 1000

/**
 * Returns how many passes over `text`, character by character, take as long as `work`. Unlike a limit in milliseconds, the
 * ratio is about the same on every machine, however fast or busy.
 */
export function passesOf(work: () => unknown, text: string): number {
  const spentMs = timeMs(work)
  let sum = 0
  const pass = () => {
    for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0
  }
  return spentMs / Math.min(...Array.from({ length: ROUNDS }, () => timeMs(pass)))
}

/** Milliseconds of one call: by the clock where it is short, without other processes' turns where it is long. */
function timeMs(work: () => unknown): number {
  const sinceMs = performance.now()
  const before = process.threadCpuUsage()
  for (let calls = 1; ; calls++) {
    work()
    const passedMs = performance.now() - sinceMs
    if (passedMs < SPAN_MS) continue
    const { user, system } = process.threadCpuUsage(before)
    return Math.min(passedMs, (user + system) / 1000 + TICK_MS) / calls
  }
}
