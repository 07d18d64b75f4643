import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shuffle } from '../support/random.ts'
import { isFull } from '../support/thorough.ts'
import { readOperations } from './support/held-cases.ts'
import { type HeldServer, startHeldServer } from './support/held-server.ts'
import { type LargestRequest, largestRequests } from './support/largest-requests.ts'
import { SEED } from './support/pathological.ts'
import { createReader } from './support/read-back.ts'

/**
 * The process stays below this limit, however many of the largest requests one team sends in a row: today a sixth of them one
 * at a time and half of them two at a time, with SENDWRIGHT_FULL=1 all of them both ways. SENDWRIGHT_SEED changes their order,
 * HOLD_NOTES=1 prints the memory after each. Other journeys may run beside it, because it measures no time.
 */
const PEAK_MB_MAX = 1_000
/** Of 18. */
const ALONE_TODAY = 3
const PAIRED_TODAY = 10
/** The documented statuses, including those for a request that is too large, invalid, or to be retried later. */
const ANSWERS = new Set([200, 202, 404, 413, 422, 503])

let server: HeldServer
beforeAll(async () => {
  server = await startHeldServer()
}, 120_000)
afterAll(() => server?.stop())

test('less than 1 GB for a series of the largest requests of one team, one and two at a time', async () => {
  // Only Linux reports the peak memory of another process.
  if (process.platform !== 'linux') return
  const readBack = createReader(server, await readOperations(server))
  const wrong: string[] = []
  const run = async ({ name, send }: LargestRequest) => {
    const { status, text } = await send()
    if (!ANSWERS.has(status)) wrong.push(`${name}: ${status} ${text.slice(0, 200)}`)
    note(`${status} ${name}`)
    return { status, text }
  }
  const all = shuffle(largestRequests(server), SEED)
  for (const request of isFull ? all : all.slice(0, ALONE_TODAY)) {
    await server.db.query('delete from rate_window')
    const { status, text } = await run(request)
    if (status !== 202) continue
    for (const read of await readBack(text)) await run(read)
  }
  const pairs = isFull ? shuffle(all, SEED + 1) : all.slice(ALONE_TODAY, ALONE_TODAY + PAIRED_TODAY)
  for (let at = 0; at < pairs.length; at += 2) {
    await server.db.query('delete from rate_window')
    await Promise.all(pairs.slice(at, at + 2).map(run))
  }
  expect(wrong, `SENDWRIGHT_SEED=${SEED}`).toEqual([])
  console.log(`peak memory ${readMemoryMb('VmHWM')} MB`)
  expect(readMemoryMb('VmHWM'), `SENDWRIGHT_SEED=${SEED}`).toBeLessThan(PEAK_MB_MAX)
}, 600_000)

function note(text: string): void {
  if (process.env.HOLD_NOTES === undefined) return
  process.stderr.write(`${readMemoryMb('VmRSS')} MB, at most ${readMemoryMb('VmHWM')} MB: ${text}\n`)
}

/** Reads a value in megabytes. The kilobytes of proc(5) have 1,024 bytes. */
function readMemoryMb(line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Math.round((Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1_000_000)
}
