import { Text, Tooltip } from '@mantine/core'
import { readTime, showAge, showLocal } from './times.ts'

interface MomentProps {
  /** As the API writes it: `YYYY-MM-DD HH:MM:SS`, UTC. */
  at: string | null
  /** In place of nothing. */
  none?: string
  /** "4 minutes ago" in place of the date. */
  isRelative?: boolean
}

/** A time as it is here; what it is in UTC by hovering or focusing. */
export function Moment({ at, none = '–', isRelative = false }: MomentProps) {
  const date = at === null ? null : readTime(at)
  if (date === null)
    return (
      <Text span c="dimmed" inherit>
        {none}
      </Text>
    )
  return (
    <Tooltip label={`${showLocal(date)} here · ${at} UTC`}>
      <time dateTime={date.toISOString()} className="above" style={{ whiteSpace: 'nowrap' }}>
        {isRelative ? showAge(date) : showLocal(date)}
      </time>
    </Tooltip>
  )
}
