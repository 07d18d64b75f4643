import { useSyncExternalStore } from 'react'

/** A fact about this window that components watch. */
export interface Flag {
  isSet(): boolean
  set(value: boolean): void
  /** The value, for components. */
  use(): boolean
}

export function createFlag(): Flag {
  let isSet = false
  const watchers = new Set<() => void>()
  const watch = (watcher: () => void) => {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }
  return {
    isSet: () => isSet,
    set(value) {
      if (isSet === value) return
      isSet = value
      for (const watcher of watchers) watcher()
    },
    use: () => useSyncExternalStore(watch, () => isSet),
  }
}
