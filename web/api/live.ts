import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askRaw } from './request.ts'
import { keyOf } from './team.ts'

/** First word of an event's kind to the paths of the API whose answers it may have changed. */
const TOUCHED: Readonly<Record<string, readonly string[]>> = {
  email: ['/emails', '/attention', '/usage', '/captured'],
  contact: ['/contacts', '/lists', '/segments'],
  suppression: ['/suppressions'],
  domain: ['/domains', '/attention'],
  webhook: ['/webhooks', '/attention'],
  team: ['/team', '/attention'],
  template: ['/templates'],
}
/** A thousand events a second are one reading again a second. */
const TOGETHER_MS = 1_000
const RETRY_FIRST_MS = 2_000
const RETRY_LAST_MS = 60_000

/** While a page of the team is open: whatever happens there is read again where it is shown. */
export function useLive(teamId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    void follow(client, teamId, stop.signal)
    return () => stop.abort()
  }, [client, teamId])
}

/** The stream of events from now on; begun again, less and less often, while it cannot be had. */
async function follow(client: QueryClient, teamId: string, signal: AbortSignal): Promise<void> {
  const touch = createTouch(client, teamId, signal)
  let waitMs = RETRY_FIRST_MS
  while (!signal.aborted) {
    try {
      for await (const kind of readKinds(teamId, signal)) {
        waitMs = RETRY_FIRST_MS
        touch(kind)
      }
    } catch {
      waitMs = Math.min(waitMs * 2, RETRY_LAST_MS)
    }
    await pause(waitMs, signal)
  }
}

function createTouch(client: QueryClient, teamId: string, signal: AbortSignal): (kind: string) => void {
  const paths = new Set<string>()
  let isWaiting = false
  const flush = () => {
    isWaiting = false
    if (signal.aborted) return
    for (const path of paths) void client.invalidateQueries({ queryKey: keyOf(teamId, path) })
    if (paths.has('/team')) void client.invalidateQueries({ queryKey: ['session'] })
    paths.clear()
  }
  return (kind) => {
    for (const path of TOUCHED[kind.split('.')[0] ?? ''] ?? []) paths.add(path)
    if (isWaiting) return
    isWaiting = true
    window.setTimeout(flush, TOGETHER_MS)
  }
}

/** The kinds of what happens, as it does (Server-Sent Events). */
async function* readKinds(teamId: string, signal: AbortSignal): AsyncGenerator<string> {
  const { body } = await askRaw('/events', {
    teamId,
    query: { from: 'end' },
    headers: { accept: 'text/event-stream' },
    signal,
  })
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
