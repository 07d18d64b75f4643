import { Text, Tooltip } from '@mantine/core'
import { texts } from './texts.ts'
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

/** A time in the user's time zone, with UTC in a tooltip. */
export function Moment({ at, none = '–', isRelative = false, hasSeconds = false }: MomentProps) {
  const date = at === null ? null : readTime(at)
  if (date === null)
    return (
      <Text span c="dimmed" inherit>
        {none}
      </Text>
    )
  return (
    <Tooltip label={texts.moment.hereUtc(showLocal(date), at ?? '')}>
      <time dateTime={date.toISOString()} className="above" style={{ whiteSpace: 'nowrap' }}>
        {isRelative ? showAge(date) : hasSeconds ? showClock(date) : showLocal(date)}
      </time>
    </Tooltip>
  )
}
