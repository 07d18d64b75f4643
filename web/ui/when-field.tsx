import { Text, TextInput } from '@mantine/core'
import { ApiError } from '../api/errors.ts'

interface WhenFieldProps {
  /** As an `<input type="datetime-local">` has it. */
  value: string
  onChange(value: string): void
  /** What the API said of `scheduled_at`. */
  error: unknown
}

/** The time that a field of this kind names; null: none. */
export function readWhen(value: string): Date | null {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

/** When something is to be sent: as clocks show it here, and in UTC below. */
export function WhenField({ value, onChange, error }: WhenFieldProps) {
  const date = readWhen(value)
  return (
    <>
      <TextInput
        type="datetime-local"
        label="When"
        description={`In your own time (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}
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
