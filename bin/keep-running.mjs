import { setTimeout as pause } from 'node:timers/promises'
import { prepareServer, runEntry } from './run-sendwright.mjs'

/** The server's exit code after an error that nothing caught (src/lib/exit-on-uncaught.ts). */
const CRASHED = 70
/** 128 plus the number of SIGHUP, SIGINT and SIGTERM: somebody ended the server before it could handle the signal. */
const ENDED_BY_REQUEST = [129, 130, 143]
/** A server that ends within this time after its start waits before it starts again; the wait doubles each time. */
const STEADY_MS = 5_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 30_000
/** After this many such ends in a row, the next start would fail too. A service manager may decide what happens then. */
const EARLY_ENDS_MAX = 10

/**
 * Runs the server, and starts it again when it crashed: an error that nothing caught, or a signal such as that of a system
 * without memory. Resolves with the exit code when the server stopped, could not start, or crashes again and again.
 */
export async function keepRunning(args) {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stopping.abort())
  for (let earlyEnds = 0; ; ) {
    const entry = await prepareServer()
    if (typeof entry === 'number') return entry
    if (stopping.signal.aborted) return 0
    const startedMs = performance.now()
    const code = await runEntry(entry, args)
    earlyEnds = performance.now() - startedMs < STEADY_MS ? earlyEnds + 1 : 0
    const isCrash = code === CRASHED || (code > 128 && !ENDED_BY_REQUEST.includes(code))
    if (!isCrash || stopping.signal.aborted || earlyEnds >= EARLY_ENDS_MAX) return code
    const waitMs = earlyEnds <= 1 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (earlyEnds - 2), LONGEST_WAIT_MS)
    const how = code === CRASHED ? 'an error that nothing caught' : `signal ${code - 128}`
    console.error(`The server ended by ${how}. It starts again in ${waitMs} ms.`)
    await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    if (stopping.signal.aborted) return code
  }
}
