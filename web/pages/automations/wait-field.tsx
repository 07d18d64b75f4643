import { Group, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'

interface WaitFieldProps {
  seconds: number
  error: string | undefined
  onChange(seconds: number): void
}

const UNITS = [
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
]

/** Returns the largest unit in which the time is a whole number. */
const unitOf = (seconds: number) => [86_400, 3_600, 60].find((unit) => seconds % unit === 0) ?? 60

/** Edits a duration as a number and a unit. */
export function WaitField({ seconds, error, onChange }: WaitFieldProps) {
  const [unit, setUnit] = useState(() => unitOf(seconds))
  const amount = seconds / unit
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <NumberInput
        aria-label="Duration"
        min={1}
        hideControls
        w={110}
        value={amount}
        error={error}
        allowDecimal={seconds % unit !== 0}
        allowNegative={false}
        onChange={(value) => onChange(Math.round(Number(value) * unit))}
      />
      <Select
        aria-label="Unit"
        w={130}
        data={UNITS}
        value={String(unit)}
        allowDeselect={false}
        onChange={(value) => {
          const next = Number(value ?? unit)
          setUnit(next)
          onChange(Math.round(amount * next))
        }}
      />
    </Group>
  )
}
