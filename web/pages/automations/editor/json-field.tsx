import { Button, JsonInput, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { showJson } from '../graph/json-text.ts'

interface JsonFieldProps {
  label: string
  description?: string
  placeholder?: string
  error: ReactNode
  value: unknown
  onChange(value: unknown): void
}

/** A value as JSON. It is only handed on while it can be parsed. */
export function JsonField({ value, onChange, error, ...rest }: JsonFieldProps) {
  const [text, setText] = useState(() => (isUnset(value) ? '' : showJson(value)))
  const parsed = parse(text)
  return (
    <JsonInput
      {...rest}
      autosize
      minRows={2}
      maxRows={16}
      value={text}
      error={parsed === null ? 'This is not valid JSON.' : error}
      onChange={(next) => {
        setText(next)
        const read = parse(next)
        if (read !== null) onChange(read.value)
      }}
      classNames={{ input: 'code' }}
    />
  )
}

const isUnset = (value: unknown) =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

function parse(text: string): { value: unknown } | null {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

interface JsonInsteadOfRowsProps extends JsonFieldProps {
  /** Null: rows cannot show the value. */
  onRows: (() => void) | null
}

/** A value as JSON, which can be shown as rows again. */
export function JsonInsteadOfRows({ onRows, ...field }: JsonInsteadOfRowsProps) {
  return (
    <Stack gap="xs">
      <JsonField {...field} />
      {onRows !== null && (
        <Button variant="subtle" size="compact-xs" onClick={onRows}>
          Edit as rows
        </Button>
      )}
    </Stack>
  )
}
