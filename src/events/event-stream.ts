import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Db } from '../db/db-types.ts'
import { OverloadedError } from '../lib/async/batcher.ts'
import { writeCursor } from './cursor.ts'
import { eventToJson } from './event-json.ts'
import { type FeedPage, readFeedPage } from './feed-page-queries.ts'
import type { FeedEvent, FeedQuery } from './feed-queries.ts'
import type { FeedWatch } from './feed-watch.ts'

export interface StreamSource {
  db: Db
  watch: FeedWatch
  teamId: string
  query: Omit<FeedQuery, 'countMax'>
  /** Aborts when the client disconnects. */
  gone: AbortSignal
  /** Returns whether the key is still valid. */
  isAdmitted(): Promise<boolean>
}

/** Intervals of a stream's periodic work. */
export interface StreamTimes {
  /** Less than the minute after which proxies close a silent connection. */
  heartbeatMs: number
  /** How soon a revoked key is noticed. */
  admissionMs: number
}

const TIMES: StreamTimes = { heartbeatMs: 15_000, admissionMs: 3_000 }
/** Minimum gap between reads, because events cluster under load. A stream that has waited is served immediately. */
const READ_GAP_MS = 100
/** The wait while the database is down. */
const OUTAGE_MS = 1_000
/**
 * A stream holds the events it has read until the client takes them: few at first, then as many as fill this length by
 * the average of the last ones.
 */
const FIRST_READ_EVENTS = 10
const EVENTS_PER_READ_MAX = 100
const READ_LENGTH = 256 * 1024
/** How soon a client reconnects after a lost connection. */
const RETRY_MS = 2_000
/** The most text written before the client must have taken some of it. */
const CHUNK_LENGTH = 64 * 1024

/**
 * Streams a team's events as Server-Sent Events (WHATWG HTML, section 9.2), each with its cursor as id, while the
 * client stays and its key is valid. Nothing is read ahead: the next page is read when the last one was taken.
 *
 * Each turn reads a page and sends it (again at once while there is more), sends a heartbeat if one is due, checks the
 * key if that is due, and waits for new events or for whatever is due first.
 */
export async function* streamEvents(source: StreamSource, times = TIMES): AsyncGenerator<string> {
  const { watch, teamId, query } = source
  const signal = AbortSignal.any([source.gone, watch.stopping])
  const heartbeat = createTurn(times.heartbeatMs)
  const admission = createTurn(times.admissionMs)
  let { after } = query
  let countMax = FIRST_READ_EVENTS
  // With an id, a client that loses the connection before the first event goes on from here.
  yield `retry: ${RETRY_MS}\nid: ${writeCursor(after)}\n\n`
  while (!signal.aborted) {
    const readMs = performance.now()
    const page = await readPatiently(source, { ...query, after, countMax })
    after = page?.position ?? after
    if (page !== null && page.events.length > 0) {
      const length = yield* writeEvents(page.events)
      const fitting = Math.floor((READ_LENGTH * page.events.length) / length)
      countMax = Math.max(1, Math.min(EVENTS_PER_READ_MAX, fitting))
      heartbeat.begin()
    }
    if (heartbeat.leftMs() <= 0) {
      yield writeHeartbeat(after)
      heartbeat.begin()
    }
    if (admission.leftMs() <= 0) {
      if (!(await source.isAdmitted())) return
      admission.begin()
    }
    if (page?.hasMore) continue
    await rest(page === null ? OUTAGE_MS : readMs + READ_GAP_MS - performance.now(), signal)
    const timeoutMs = Math.min(heartbeat.leftMs(), admission.leftMs())
    if (page !== null && timeoutMs > 0) await watch.waitPast(teamId, after, { timeoutMs, signal })
  }
}

/** Tracks periodic work: it is due `everyMs` after it last began, for the first time after `everyMs`. */
function createTurn(everyMs: number) {
  let dueMs = performance.now() + everyMs
  return {
    leftMs: () => dueMs - performance.now(),
    begin() {
      dueMs = performance.now() + everyMs
    },
  }
}

/** Returns null while the database is down or busy; a stream survives that. */
async function readPatiently({ db, teamId }: StreamSource, query: FeedQuery): Promise<FeedPage | null> {
  try {
    return await readFeedPage(db, teamId, query)
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof OverloadedError) return null
    throw error
  }
}

/** Returns the total length. */
function* writeEvents(events: readonly FeedEvent[]): Generator<string, number> {
  let text = ''
  let length = 0
  for (const event of events) {
    // JSON holds no line break, so one `data:` is enough.
    text += `id: ${writeCursor(event.position)}\nevent: ${event.type}\ndata: ${JSON.stringify(eventToJson(event))}\n\n`
    if (text.length < CHUNK_LENGTH) continue
    yield text
    length += text.length
    text = ''
  }
  if (text !== '') yield text
  return length + text.length
}

/**
 * An id without data is not an event, but the client remembers it: events that a filter skipped are not scanned again.
 */
function writeHeartbeat(position: number): string {
  return `: still here\nid: ${writeCursor(position)}\n\n`
}

/** Waits; ends early when `signal` aborts. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await pause(ms, undefined, { signal }).catch(() => {})
}
