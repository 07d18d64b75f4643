import { useSyncExternalStore } from 'react'
import { readTime, showAge, showClock, showLocal } from './times.ts'

interface MomentProps {
  /** As the API returns it: `YYYY-MM-DD HH:MM:SS`, UTC. */
  at: string | null
  /** Shown when there is no time. */
  none?: string
  /** Whether to show "4 minutes ago" instead of the date. */
  isRelative?: boolean
  hasSeconds?: boolean
}

/** A time in the user's time zone, with UTC in a tooltip (hints.tsx). */
export function Moment({ at, none = '–', isRelative = false, hasSeconds = false }: MomentProps) {
  const date = at === null ? null : readTime(at)
  if (at === null || date === null) return <span className="dimmed">{none}</span>
  if (isRelative) return <Age at={at} date={date} />
  return (
    <time dateTime={date.toISOString()} data-at={at} className="above">
      {hasSeconds ? showClock(date) : showLocal(date)}
    </time>
  )
}

/** A time in words that change while it is shown. Only the text is drawn again, not the row around it. */
function Age({ at, date }: { at: string; date: Date }) {
  const text = useSyncExternalStore(watchHalfMinutes, () => showAge(date))
  return (
    <time ref={makeFocusable} dateTime={date.toISOString()} data-at={at} className="above">
      {text}
    </time>
  )
}

const HALF_MINUTE_MS = 30_000
const watchers = new Set<() => void>()
let timer = 0

/** Calls `watcher` every half minute. One timer serves all; without watchers there is none. */
function watchHalfMinutes(watcher: () => void): () => void {
  if (watchers.size === 0)
    timer = window.setInterval(() => {
      for (const each of watchers) each()
    }, HALF_MINUTE_MS)
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) window.clearInterval(timer)
  }
}

/** Lets the keyboard reach the exact time. In a row or a link, it appears with the focus of that (hints.tsx). */
function makeFocusable(element: HTMLElement | null): void {
  if (element !== null && element.closest('tr, a, button') === null) element.tabIndex = 0
}
