import { JsonInput } from '@mantine/core'
import { errorText } from './graph/json-text.ts'

interface PayloadFieldProps {
  value: string
  onChange(text: string): void
}

/** The payload of an event or a call of the API, as JSON. */
export function PayloadField({ value, onChange }: PayloadFieldProps) {
  return (
    <JsonInput
      label="Payload (optional)"
      description="JSON that rules and templates see as event."
      placeholder={'{"plan": "pro"}'}
      autosize
      minRows={3}
      maxRows={12}
      formatOnBlur
      value={value}
      onChange={onChange}
      error={errorText(value)}
      classNames={{ input: 'code' }}
    />
  )
}
