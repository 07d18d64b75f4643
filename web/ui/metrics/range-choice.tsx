import { Group, SegmentedControl, TextInput } from '@mantine/core'
import type { Filters } from '../tables/filters.ts'
import { CUSTOM, customDays, RANGES, rangeOf } from './range.ts'

interface RangeChoiceProps {
  range: Filters<'range' | 'start_date' | 'end_date'>
}

/** The time range of the metrics, which is part of the page's address. */
export function RangeChoice({ range: { draft, setFilter } }: RangeChoiceProps) {
  const range = rangeOf(draft)
  const { start_date: first, end_date: last } = customDays(draft, Date.now())
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
            value={first}
            max={last}
            onChange={(event) => setFilter('start_date', event.currentTarget.value)}
          />
          <TextInput
            type="date"
            aria-label="Last day (UTC)"
            value={last}
            max={customDays({}, Date.now()).end_date}
            onChange={(event) => setFilter('end_date', event.currentTarget.value)}
          />
        </>
      )}
    </Group>
  )
}
