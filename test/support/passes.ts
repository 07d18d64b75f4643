/** How often a pass is measured, and the maximum for the work. */
const PASS_ROUNDS = 5
const WORK_ROUNDS = 10
/** Shorter work is repeated for at least this long. */
const SPAN_MS = 2
/** The CPU time of a thread has a resolution of up to this. */
const TICK_MS = 4

/** Linear work takes dozens of passes; quadratic work on a megabyte takes hundreds of thousands. */
export const PASSES_MAX = 1000

/** V8 stores a text in one byte for each character unless it has such a character. */
const IS_WIDE = /[^\0-\xff]/
/** A pass takes as long for all texts of one length and width, and measuring it would cost more than most work. */
const passMsByKind = new Map<string, number>()

/**
 * Returns how many passes over `text`, character by character, take as long as `work`. Unlike a limit in
 * milliseconds, the ratio is about the same on every machine, whatever its speed and load: other processes only add
 * time, so the fastest of several measurements counts. The first result below `max` ends the measuring.
 *
 * A pass lasts microseconds, so its fastest measurement met no other process; work of many milliseconds always meets
 * some on a busy machine. A result of `max` or more is therefore measured again, against `max` passes in a row.
 */
export function passesOf(work: () => unknown, text: string, max = PASSES_MAX): number {
  let sum = 0
  const pass = () => {
    for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0
  }
  const maxPasses = () => {
    for (let count = 0; count < max; count++) pass()
  }
  const kind = `${text.length} ${IS_WIDE.test(text)}`
  const passMs =
    passMsByKind.get(kind) ?? Math.min(...Array.from({ length: PASS_ROUNDS }, () => timeMs(pass)))
  passMsByKind.set(kind, passMs)
  let passes = timeMs(work) / passMs
  for (let round = 1; round < WORK_ROUNDS && passes >= max; round++)
    passes = Math.min(passes, (timeMs(work) * Math.ceil(max)) / timeMs(maxPasses))
  return passes
}

/**
 * Returns the duration of a call in milliseconds: by the clock for short calls, by CPU time for long ones, which
 * excludes other processes.
 */
function timeMs(work: () => unknown): number {
  const sinceMs = performance.now()
  const before = process.threadCpuUsage()
  let fastestMs = Number.POSITIVE_INFINITY
  for (let nowMs = sinceMs; nowMs - sinceMs < SPAN_MS; ) {
    work()
    const endedMs = performance.now()
    fastestMs = Math.min(fastestMs, endedMs - nowMs)
    nowMs = endedMs
  }
  const { user, system } = process.threadCpuUsage(before)
  return Math.min(fastestMs, (user + system) / 1000 + TICK_MS)
}
