import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { EventType } from '../../src/events/catalogue.ts'
import { askRaw } from './request.ts'
import { isScrolled } from './scrolled.ts'
import { sessionQuery } from './session.ts'
import { keyOf } from './team.ts'
import { inTurns, speakToTabs } from './turns.ts'

type Subject = EventType extends `${infer Word}.${string}` ? Word : never

/** First word of an event's kind to the paths of the API whose answers it may have changed. */
const TOUCHED: Readonly<Record<Subject, readonly string[]>> = {
  email: ['/emails', '/attention', '/usage', '/captured'],
  contact: ['/contacts', '/lists', '/segments'],
  suppression: ['/suppressions'],
  domain: ['/domains', '/attention'],
  webhook: ['/webhooks', '/attention'],
  team: ['/team', '/attention'],
}
/**
 * Between two readings again. While much happens the gap doubles: a page asks for ten things, and a thousand events a second
 * must not use up what a person may ask for (3,000 requests a minute).
 */
const GAP_FIRST_MS = 1_000
const GAP_LAST_MS = 8_000
/** No more than these in a gap are quiet times. */
const QUIET_COUNT = 1
const RETRY_FIRST_MS = 2_000
const RETRY_LAST_MS = 60_000

/** What tabs tell each other in place of an event's kind: anything may have happened. */
const ANYTHING = '*'
/** What a page read so shortly ago needs no reading again. */
const FRESH_MS = 2_000

/**
 * While a page of the team is open: whatever happens there is read again where it is shown. One tab follows the stream and
 * tells the others: a browser opens six connections to a host (HTTP/1.1), and a seventh tab would wait for ever.
 */
export function useLive(teamId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const name = `sendwright-live-${teamId}`
    const { touch, touchAll } = createTouch(client, teamId, stop.signal)
    const hear = (kind: string) => (kind === ANYTHING ? touchAll() : touch(kind))
    const tell = speakToTabs(name, hear, stop.signal)
    const freshUntilMs = performance.now() + FRESH_MS
    void inTurns(name, stop.signal, (turn) => follow(teamId, tell, freshUntilMs, turn))
    return () => stop.abort()
  }, [client, teamId])
}

/** The stream of events from now on; begun again, less and less often, while it cannot be had. */
async function follow(
  teamId: string,
  tell: (kind: string) => void,
  freshUntilMs: number,
  signal: AbortSignal,
): Promise<void> {
  let waitMs = RETRY_FIRST_MS
  while (!signal.aborted) {
    try {
      const stream = await openStream(teamId, signal)
      // Nobody tells what happened while there was no stream.
      if (performance.now() > freshUntilMs) tell(ANYTHING)
      waitMs = RETRY_FIRST_MS
      for await (const kind of readKinds(stream)) tell(kind)
    } catch {
      waitMs = Math.min(waitMs * 2, RETRY_LAST_MS)
    }
    await pause(waitMs, signal)
  }
}

interface Touch {
  touch(kind: string): void
  touchAll(): void
}

/**
 * Gathers what events have touched. Still: nothing is gathered, no timer runs. Gathering: the timer runs; when it ends what
 * was gathered is read again and the timer is set anew, longer if much came. Nothing came: still. A window that nobody sees
 * gathers until it is seen.
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
    readAgain(client, teamId, paths)
    paths.clear()
    wait()
  }
  document.addEventListener('visibilitychange', () => paths.size > 0 && wait(), { signal })
  const touch = (kind: string) => {
    for (const path of TOUCHED[kind.split('.')[0] as Subject] ?? []) paths.add(path)
    count += 1
    wait()
  }
  const touchAll = () => {
    for (const path of Object.values(TOUCHED).flat()) paths.add(path)
    wait()
  }
  return { touch, touchAll }
}

/** A list that is read beyond its first page is left as it is: it says that there is more (ReadList.isBehind). */
function readAgain(client: QueryClient, teamId: string, paths: ReadonlySet<string>): void {
  for (const path of paths) {
    const queryKey = keyOf(teamId, path)
    void client.invalidateQueries({ queryKey, predicate: (query) => !isScrolled(query) })
    void client.invalidateQueries({ queryKey, predicate: isScrolled, refetchType: 'none' })
  }
  if (paths.has('/team')) void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

async function openStream(teamId: string, signal: AbortSignal): Promise<Response> {
  const headers = { accept: 'text/event-stream' }
  return await askRaw('/events', { teamId, query: { from: 'end' }, headers, signal })
}

/** The kinds of what happens, as it does (Server-Sent Events). */
async function* readKinds({ body }: Response): AsyncGenerator<string> {
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
