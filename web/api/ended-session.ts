import { useSyncExternalStore } from 'react'

/** Whether the session of this page ended: its cookie expired, or it was ended in another place. */
let hasEnded = false
const watchers = new Set<() => void>()

export const hasSessionEnded = (): boolean => hasEnded
export const useSessionEnded = (): boolean => useSyncExternalStore(watch, hasSessionEnded)

/** Records that the session ended, or that its user logged in again. */
export function recordSessionEnd(isEnded: boolean): void {
  if (hasEnded === isEnded) return
  hasEnded = isEnded
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
