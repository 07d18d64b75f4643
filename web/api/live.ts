import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { EventType } from '../../src/events/catalogue.ts'
import { serverAway } from './connection.ts'
import { ApiError } from './errors.ts'
import { keyOf } from './query-keys.ts'
import { sendRequest } from './request.ts'
import { isScrolled } from './scrolled.ts'
import { sessionQuery } from './session.ts'
import { broadcastToTabs, inTurns } from './turns.ts'

type Subject = EventType extends `${infer Word}.${string}` ? Word : never

/** Maps the first word of an event type to the API paths whose responses the event may have changed. */
const TOUCHED: Readonly<Record<Subject, readonly string[]>> = {
  email: ['/emails', '/attention', '/usage', '/captured'],
  contact: ['/contacts', '/lists', '/segments'],
  suppression: ['/suppressions'],
  domain: ['/domains', '/attention'],
  campaign: ['/campaigns', '/attention'],
  webhook: ['/webhooks', '/attention'],
  team: ['/team', '/attention'],
}
/**
 * The pause between two refetches. It doubles while many events arrive: a page makes about ten requests, and a thousand
 * events a second must not use up a user's rate limit (3,000 requests a minute).
 */
const GAP_FIRST_MS = 1_000
const GAP_LAST_MS = 8_000
/** With at most this many events during a pause, the next pause is short again. */
const QUIET_COUNT = 1
const RETRY_FIRST_MS = 2_000
const RETRY_LAST_MS = 60_000
/** While the server is away, for example in a restart, which people wait for. */
const RETRY_AWAY_MS = 8_000

/** Sent between tabs instead of an event type: any data may have changed. */
const ANYTHING = '*'
/** Sent between tabs: the server is away. Those without the stream would not notice. */
const AWAY = '-'
/** The first stream begins with the events since the session was read. After this time, they may be many. */
const READ_AGO_MAX_MS = 30_000

/**
 * Keeps the data of a team's open page up to date. Only one tab follows the event stream and passes the types on to the
 * others: over HTTP/1.1 a browser opens six connections to a host, and a seventh tab would wait forever.
 */
export function useLive(teamId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const name = `sendwright-live-${teamId}`
    const { touch, touchAll } = createTouch(client, teamId, stop.signal)
    const receive = (type: string) => {
      if (type === AWAY) serverAway.set(true)
      else if (type === ANYTHING) touchAll()
      else touch(type)
    }
    const broadcast = broadcastToTabs(name, receive, stop.signal)
    let { since, untilMs } = cursorOf(client, teamId)
    // Only of the first stream: later ones would need the cursor of the last event.
    const takeSince = () => {
      const taken = Date.now() < untilMs ? since : null
      since = null
      return taken
    }
    void inTurns(name, stop.signal, (turn) => follow(teamId, broadcast, takeSince, turn))
    return () => stop.abort()
  }, [client, teamId])
}

/** Returns the cursor that was read with the session, before the data of the page, and until when a stream may begin with it. */
function cursorOf(client: QueryClient, teamId: string): { since: string | null; untilMs: number } {
  const { data, dataUpdatedAt = 0 } = client.getQueryState(sessionQuery.queryKey) ?? {}
  const since = data?.teams.find(({ id }) => id === teamId)?.events_cursor ?? null
  return { since, untilMs: dataUpdatedAt + READ_AGO_MAX_MS }
}

/**
 * Follows the stream of new events. After a failure it reconnects, with a pause that doubles.
 * @param takeSince returns the cursor after which the data of the page was read; null if it cannot begin there
 */
async function follow(
  teamId: string,
  broadcast: (type: string) => void,
  takeSince: () => string | null,
  signal: AbortSignal,
): Promise<void> {
  let waitMs = RETRY_FIRST_MS
  while (!signal.aborted) {
    try {
      const since = takeSince()
      const stream = await openStream(teamId, since, signal)
      // No events arrived while there was no stream, so anything may have changed.
      if (since === null) broadcast(ANYTHING)
      waitMs = RETRY_FIRST_MS
      for await (const type of readTypes(stream)) broadcast(type)
    } catch (error) {
      const isAway = error instanceof ApiError && error.status === 0
      if (isAway) broadcast(AWAY)
      waitMs = Math.min(waitMs * 2, isAway ? RETRY_AWAY_MS : RETRY_LAST_MS)
    }
    await pause(waitMs, signal)
  }
}

interface Touch {
  touch(type: string): void
  touchAll(): void
}

/**
 * Collects the paths that events have touched, in two states. Idle: nothing is collected and no timer runs. Waiting: a
 * timer runs; when it fires, the collected paths are refetched and a new timer starts, a longer one after many events.
 * With nothing collected, the state is idle again. A hidden tab collects until it is visible.
 */
function createTouch(client: QueryClient, teamId: string, signal: AbortSignal): Touch {
  const paths = new Set<string>()
  let gapMs = GAP_FIRST_MS
  let count = 0
  let isWaiting = false
  const wait = () => {
    if (isWaiting) return
    isWaiting = true
    window.setTimeout(flush, gapMs)
  }
  const flush = () => {
    isWaiting = false
    if (signal.aborted || document.hidden) return
    gapMs = count > QUIET_COUNT ? Math.min(gapMs * 2, GAP_LAST_MS) : GAP_FIRST_MS
    count = 0
    if (paths.size === 0) return
    refetch(client, teamId, paths)
    paths.clear()
    wait()
  }
  document.addEventListener('visibilitychange', () => paths.size > 0 && wait(), { signal })
  const touch = (type: string) => {
    for (const path of TOUCHED[type.split('.')[0] as Subject] ?? []) paths.add(path)
    count += 1
    wait()
  }
  const touchAll = () => {
    for (const path of Object.values(TOUCHED).flat()) paths.add(path)
    wait()
  }
  return { touch, touchAll }
}

/**
 * Refetches lists only while they show one page. A list with more pages offers a button instead (ReadList.isBehind).
 */
function refetch(client: QueryClient, teamId: string, paths: ReadonlySet<string>): void {
  for (const path of paths) {
    const queryKey = keyOf(teamId, path)
    void client.invalidateQueries({ queryKey, predicate: (query) => !isScrolled(query) })
    void client.invalidateQueries({ queryKey, predicate: isScrolled, refetchType: 'none' })
  }
  if (paths.has('/team')) void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

async function openStream(teamId: string, since: string | null, signal: AbortSignal): Promise<Response> {
  const headers = { accept: 'text/event-stream' }
  const query = since === null ? { from: 'end' } : { after: since }
  return await sendRequest('/events', { teamId, query, headers, signal })
}

/** Yields the type of each event as it arrives (Server-Sent Events). */
async function* readTypes({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('event:')) yield line.slice(6).trim()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
