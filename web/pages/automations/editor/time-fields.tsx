import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { timeZonesWith } from '../../../ui/time-zones.ts'
import { LOCAL_TIME, toLocalInput } from '../../../ui/times.ts'
import { WEEKDAYS } from '../graph/words.ts'

interface TimeFieldProps {
  label: string
  error: ReactNode
  value: unknown
  /** Undefined takes the field away. */
  onChange(value: unknown): void
}

const OF_CONTACT = 'contact'

/** Days of the week, as numbers from 1, Monday. */
export function WeekdaysField({ value, onChange, ...rest }: TimeFieldProps) {
  const days = Array.isArray(value) ? value.map(String) : []
  return (
    <Checkbox.Group
      {...rest}
      value={days}
      onChange={(next) => onChange(next.length === 0 ? undefined : next.map(Number).sort((a, b) => a - b))}
    >
      <Group gap="sm" my="xxs">
        {WEEKDAYS.map((name, index) => (
          <Checkbox key={name} value={String(index + 1)} label={name} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

/** An instant, in local time. */
export function MomentField({ value, onChange, ...rest }: TimeFieldProps) {
  const date = typeof value === 'string' ? new Date(value) : null
  const isValid = date !== null && !Number.isNaN(date.getTime())
  return (
    <TextInput
      {...rest}
      {...LOCAL_TIME}
      description={`In your time zone (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}
      value={isValid ? toLocalInput(date) : ''}
      onChange={({ currentTarget }) => {
        const next = new Date(currentTarget.value)
        onChange(Number.isNaN(next.getTime()) ? undefined : next.toISOString())
      }}
    />
  )
}

/** A time zone, or that of the contact. */
export function ZoneField({ value, onChange, ...rest }: TimeFieldProps) {
  const zone = typeof value === 'string' ? value : null
  const names = timeZonesWith(zone === null || zone === OF_CONTACT ? '' : zone)
  return (
    <Select
      {...rest}
      placeholder="Contact’s time zone"
      data={[
        { value: OF_CONTACT, label: 'Contact’s time zone' },
        ...names.map((name) => ({ value: name, label: name })),
      ]}
      searchable
      clearable
      nothingFoundMessage="No results."
      value={zone}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}
