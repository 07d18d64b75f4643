import { useRef, useState } from 'react'

export interface Selection<T> {
  /** The chosen rows that are loaded, in the order of the list. */
  chosen: readonly T[]
  isChosen(key: string): boolean
  /** Chooses a row, or takes it out. With `isRange`, also all rows since the last one. */
  toggle(key: string, isRange: boolean): void
  toggleAll(): void
  /** Takes rows out, for example those that an action has changed. */
  deselect(rows: readonly T[]): void
  clear(): void
}

/** The rows that the user chose for actions on several. A row that leaves the list is no longer chosen. */
export function useSelection<T>(rows: readonly T[], keyOf: (row: T) => string): Selection<T> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const chosen = keys.size === 0 ? [] : rows.filter((row) => keys.has(keyOf(row)))
  return {
    chosen,
    isChosen: (key) => keys.has(key),
    toggle(key, isRange) {
      const next = new Set(keys)
      const isAdded = !next.delete(key)
      const between = isRange ? rangeOf(rows.map(keyOf), last.current, key) : [key]
      if (isAdded) for (const each of between) next.add(each)
      last.current = key
      setKeys(next)
    },
    toggleAll: () => setKeys(chosen.length === rows.length ? new Set() : new Set(rows.map(keyOf))),
    deselect(rows) {
      const taken = new Set(rows.map(keyOf))
      // The user may have chosen other rows while the action ran.
      setKeys((now) => new Set([...now].filter((key) => !taken.has(key))))
    },
    clear: () => setKeys(new Set()),
  }
}

/** Returns the keys from one to the other, in either direction; only `to` if `from` has left the list. */
function rangeOf(keys: readonly string[], from: string | null, to: string): readonly string[] {
  const ends = [keys.indexOf(from ?? ''), keys.indexOf(to)].sort((one, other) => one - other)
  const [start = -1, end = -1] = ends
  return start === -1 ? [to] : keys.slice(start, end + 1)
}
