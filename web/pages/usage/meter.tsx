import { Progress, Text } from '@mantine/core'
import { Moment } from '../../ui/moment.tsx'

interface MeterProps {
  used: number
  /** Null when there is no limit. */
  limit: number | null
  unit: string
  resetsAt: string | null
}

/** Thresholds of the warning colours, in percent. */
const NEAR = 80
const VERY_NEAR = 95

/** Shows how much of a limit is used. */
export function Meter({ used, limit, unit, resetsAt }: MeterProps) {
  const percent = limit === null || limit === 0 ? 0 : Math.min(100, (100 * used) / limit)
  const color = percent >= VERY_NEAR ? 'red' : percent >= NEAR ? 'orange' : 'sea'
  return (
    <>
      <Text className="figure-value">
        {used.toLocaleString()}
        <Text span size="sm" c="dimmed" fw={400}>
          {' '}
          {limit === null ? `${unit}, no limit` : `of ${limit.toLocaleString()} ${unit}`}
        </Text>
      </Text>
      {limit !== null && (
        <Progress
          value={percent}
          color={color}
          mt="sm"
          aria-label={`${Math.round(percent)} % of ${unit} used`}
        />
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {limit !== null && `${Math.round(percent)} % used. `}
        {resetsAt !== null && (
          <>
            Resets <Moment at={resetsAt} isRelative />.
          </>
        )}
      </Text>
    </>
  )
}
