import { useSyncExternalStore } from 'react'

/** Whether the server was away at the last request. */
let isAway = false
const watchers = new Set<() => void>()

/** Records whether a request reached the server. */
export function recordConnection(hasReached: boolean): void {
  if (isAway !== hasReached) return
  isAway = !hasReached
  for (const watcher of watchers) watcher()
}

/** Returns whether the server is away, for example while it restarts. */
export function useIsAway(): boolean {
  return useSyncExternalStore(watch, () => isAway)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** Returns whether the response is that of a proxy whose server is away: those of the API are JSON. */
export function isOfProxy({ status, headers }: Response): boolean {
  const isJson = headers.get('content-type')?.includes('json') === true
  return [502, 503, 504].includes(status) && !isJson
}

/** Returns whether the server would answer a reload. Without it, a reload ends at the error page of the browser. */
export async function isServerUp(): Promise<boolean> {
  const response = await fetch('/app/', { cache: 'no-store' }).catch(() => null)
  return response?.ok === true
}
