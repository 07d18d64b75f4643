/**
 * Loaded before the server by `--import`. Shifts the server's clock by the milliseconds in the file that
 * BENCH_CLOCK_FILE names. Timers are not affected, as when a machine's clock is set: they use a monotonic clock.
 */
import { readFileSync } from 'node:fs'

const path = process.env.BENCH_CLOCK_FILE ?? ''
const READ_EVERY_MS = 50
const RealDate = Date
let offsetMs = 0

function readOffset(): void {
  try {
    offsetMs = Number(readFileSync(path, 'utf8')) || 0
  } catch {
    // The file is being written: the next read finds the value.
  }
}

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date] | [number, number]) {
    if (given.length === 0) super(RealDate.now() + offsetMs)
    else super(...(given as [number]))
  }
  static override now(): number {
    return RealDate.now() + offsetMs
  }
} as DateConstructor

readOffset()
setInterval(readOffset, READ_EVERY_MS).unref()
