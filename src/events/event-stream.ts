import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Db } from '../db/db.ts'
import { OverloadedError } from '../lib/async/batcher.ts'
import { writeCursor } from './cursor.ts'
import { eventToJson } from './event-json.ts'
import type { FeedEvent, FeedQuery } from './feed.ts'
import { type FeedPage, readFeedPage } from './feed-page.ts'
import type { FeedWatch } from './feed-watch.ts'

export interface StreamSource {
  db: Db
  watch: FeedWatch
  teamId: string
  query: Omit<FeedQuery, 'countMax'>
  /** Aborts when the client is gone. */
  gone: AbortSignal
  /** Whether the key is still good. */
  isAdmitted(): Promise<boolean>
}

/** How often a stream does what it does beside events. */
export interface StreamTimes {
  /** Less than the minute after which proxies let a silent connection go. */
  heartbeatMs: number
  /** A key that was revoked is noticed so soon. */
  admissionMs: number
}

const TIMES: StreamTimes = { heartbeatMs: 15_000, admissionMs: 3_000 }
/** Under load events come together: a stream reads at most so often. Who waited in vain is told at once. */
const READ_GAP_MS = 100
/** While the database is away. */
const OUTAGE_MS = 1_000
/**
 * What a stream has read it holds until the client has taken it: at first few events, then as many as make up this length
 * where they are as long as the last ones.
 */
const EVENTS_A_FIRST_READ = 10
const EVENTS_A_READ_MAX = 100
const READ_LENGTH = 256 * 1024
/** A client asks again so soon after a connection was lost. */
const RETRY_MS = 2_000
/** So much is made before the client must have taken some of it. */
const CHUNK_LENGTH = 64 * 1024

/**
 * A team's events as Server-Sent Events (WHATWG HTML, section 9.2), each with its cursor as id, for as long as the client
 * stays and its key is good. Nothing is read ahead: the next page is asked for when the last one was taken.
 *
 * Each turn: read a page and tell it (again at once while there is more), say a heartbeat if one is due, look at the key if
 * that is due, wait for new events or for what is due first.
 */
export async function* streamEvents(source: StreamSource, times = TIMES): AsyncGenerator<string> {
  const { watch, teamId, query } = source
  const signal = AbortSignal.any([source.gone, watch.stopping])
  const heartbeat = createTurn(times.heartbeatMs)
  const admission = createTurn(times.admissionMs)
  let { after } = query
  let countMax = EVENTS_A_FIRST_READ
  yield `retry: ${RETRY_MS}\n\n`
  while (!signal.aborted) {
    const readMs = performance.now()
    const page = await readPatiently(source, { ...query, after, countMax })
    after = page?.position ?? after
    if (page !== null && page.events.length > 0) {
      const length = yield* writeEvents(page.events)
      const fitting = Math.floor((READ_LENGTH * page.events.length) / length)
      countMax = Math.max(1, Math.min(EVENTS_A_READ_MAX, fitting))
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

/** Something that is done so often; the first time after `everyMs`. */
function createTurn(everyMs: number) {
  let dueMs = performance.now() + everyMs
  return {
    leftMs: () => dueMs - performance.now(),
    begin() {
      dueMs = performance.now() + everyMs
    },
  }
}

/** Null: the database is away or busy, which a stream lives through. */
async function readPatiently({ db, teamId }: StreamSource, query: FeedQuery): Promise<FeedPage | null> {
  try {
    return await readFeedPage(db, teamId, query)
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof OverloadedError) return null
    throw error
  }
}

/** Returns the length of all. */
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

/** An id without data is no event, but the client remembers it: what a filter passed over is not looked at again. */
function writeHeartbeat(position: number): string {
  return `: still here\nid: ${writeCursor(position)}\n\n`
}

/** Ends early when nobody waits any more. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await pause(ms, undefined, { signal }).catch(() => {})
}
