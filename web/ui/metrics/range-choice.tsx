import { Group, SegmentedControl, TextInput } from '@mantine/core'
import type { Filters } from '../tables/filters.ts'
import { CUSTOM, RANGES, rangeOf } from './range.ts'

interface RangeChoiceProps {
  range: Filters<'range' | 'start_date' | 'end_date'>
}

const DAY_MS = 24 * 3_600_000
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

/** The time range of the metrics, which is part of the page's address. */
export function RangeChoice({ range: { draft, setFilter } }: RangeChoiceProps) {
  const range = rangeOf(draft)
  return (
    <Group gap="xs" mb="md">
      <SegmentedControl
        size="sm"
        aria-label="Time"
        value={range}
        onChange={(value) => setFilter('range', value)}
        data={[...RANGES.map(({ value, label }) => ({ value, label })), { value: CUSTOM, label: 'Custom' }]}
        className="range-choice"
      />
      {range === CUSTOM && (
        <>
          <TextInput
            type="date"
            aria-label="First day (UTC)"
            value={draft.start_date ?? dayBefore(30)}
            max={draft.end_date ?? dayBefore(0)}
            onChange={(event) => setFilter('start_date', event.currentTarget.value)}
          />
          <TextInput
            type="date"
            aria-label="Last day (UTC)"
            value={draft.end_date ?? dayBefore(0)}
            max={dayBefore(0)}
            onChange={(event) => setFilter('end_date', event.currentTarget.value)}
          />
        </>
      )}
    </Group>
  )
}
