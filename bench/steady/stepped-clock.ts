/**
 * Loaded before the server by `--import`: its clock is that of the machine and what the file named by BENCH_CLOCK_FILE says,
 * milliseconds. Timers go on as they do when a machine's clock is set: they count by another clock.
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
    // It is being written: the next look finds it.
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
