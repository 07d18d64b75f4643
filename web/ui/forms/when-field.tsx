import { Text, TextInput } from '@mantine/core'
import { ApiError } from '../../api/errors.ts'
import { LOCAL_TIME } from '../times.ts'

interface WhenFieldProps {
  /** As the value of an `<input type="datetime-local">`. */
  value: string
  onChange(value: string): void
  /** Its message about `scheduled_at` is shown. */
  error: unknown
}

/** Returns the time that the field's value stands for; null when it is empty or invalid. */
export function readWhen(value: string): Date | null {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

/** A field for the time of sending: in local time, with UTC below. */
export function WhenField({ value, onChange, error }: WhenFieldProps) {
  const date = readWhen(value)
  return (
    <>
      <TextInput
        {...LOCAL_TIME}
        label="Time"
        description={`In your time zone (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}
        required
        data-autofocus
        value={value}
        error={error instanceof ApiError ? error.fields.scheduled_at?.join(' ') : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {date !== null && (
        <Text size="sm" c="dimmed">
          {date.toISOString().slice(0, 16).replace('T', ' ')} UTC
        </Text>
      )}
    </>
  )
}
