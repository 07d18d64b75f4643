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
  if (date === null) return <span className="dimmed">{none}</span>
  return (
    <time dateTime={date.toISOString()} data-at={at} className="above">
      {isRelative ? showAge(date) : hasSeconds ? showClock(date) : showLocal(date)}
    </time>
  )
}
