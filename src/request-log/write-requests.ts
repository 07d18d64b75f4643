import { DatabaseUnavailable } from '../db/db-types.ts'
import { createCountLimit } from '../lib/async/count-limit.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { AnsweredRequest } from './answered-request.ts'
import { type LoggedRequest, storedRequest } from './logged-request.ts'

/** Requests are collected for this long and written together. */
const GATHER_MS = 500
const ROWS_MAX = 1_000
/** About 10 MB. At 2,000 requests a second, this bridges ten seconds without a database. */
const WAITING_MAX = 20_000
const RETRY_MS = 2_000
const WARN_EVERY_MS = 60_000
/**
 * Rejections that no rate limit counts are unbounded, so only this many of one team are written in a minute. All other
 * requests are bounded by the plan.
 */
const REJECTIONS = { countMax: 60, windowMs: 60_000, keysMax: 10_000 }
const REJECTED: ReadonlySet<number> = new Set([403, 429])

/** Why a request is missing in the log. */
export type LossReason = 'too_many_rejections' | 'buffer_full' | 'database'

export interface RequestWriter {
  /** Never throws, and never waits. */
  record(request: AnsweredRequest): void
  /** Writes the requests that wait, or gives up on them after one attempt. */
  stop(): Promise<void>
}

export interface RequestWriterDeps {
  /** Writes at most ROWS_MAX entries. Writing one again must change nothing. */
  write(requests: readonly LoggedRequest[]): Promise<void>
  clock: Clock
  log: Log
  /** For metrics. */
  onLost(reason: LossReason, count: number): void
}

/**
 * Creates the writer of the request log, which keeps it off the path of requests: `record` only appends to a buffer.
 *
 * States: *idle*, nothing waits. *gathering*, from the first request on, for GATHER_MS. *writing*, batch after batch
 * until nothing waits; then idle. If the database is unavailable, the batch waits for RETRY_MS and is written again;
 * any other error drops it, because it would fail again. The buffer holds at most WAITING_MAX; what comes then is lost.
 */
export function createRequestWriter({ write, clock, log, onLost }: RequestWriterDeps): RequestWriter {
  const rejections = createCountLimit(REJECTIONS)
  const lose = reportLosses(log, onLost)
  let waiting: LoggedRequest[] = []
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null
  let isStopping = false

  function schedule(afterMs: number): void {
    if (isStopping) return
    timer ??= setTimeout(() => {
      timer = null
      writing ??= writeAll().finally(() => {
        writing = null
      })
    }, afterMs).unref()
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, ROWS_MAX)
      waiting = waiting.slice(ROWS_MAX)
      try {
        await write(batch)
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || isStopping) lose('database', batch.length, error)
        else return waitAgain(batch)
      }
    }
  }

  function waitAgain(batch: LoggedRequest[]): void {
    waiting = [...batch, ...waiting]
    schedule(RETRY_MS)
  }

  return {
    record(request) {
      const now = clock.now()
      if (REJECTED.has(request.status) && !rejections.admit(request.teamId, now.getTime())) {
        return lose('too_many_rejections', 1)
      }
      if (waiting.length >= WAITING_MAX) return lose('buffer_full', 1)
      const createdAt = new Date(now.getTime() - request.durationMs)
      waiting.push({ ...storedRequest(request), createdAt })
      if (writing === null) schedule(GATHER_MS)
    },
    async stop() {
      isStopping = true
      if (timer !== null) clearTimeout(timer)
      await writing
      await writeAll()
    },
  }
}

/** Returns a function that counts losses for metrics, and warns of them at most once in WARN_EVERY_MS. */
function reportLosses(log: Log, onLost: RequestWriterDeps['onLost']) {
  let warnedAtMs = Number.NEGATIVE_INFINITY
  return (reason: LossReason, count: number, error?: unknown): void => {
    onLost(reason, count)
    // Clients cause rejections, and the metric counts them.
    if (reason === 'too_many_rejections' || performance.now() - warnedAtMs < WARN_EVERY_MS) return
    warnedAtMs = performance.now()
    log.warn({ err: error, reason, count }, 'requests are missing in the request log')
  }
}
