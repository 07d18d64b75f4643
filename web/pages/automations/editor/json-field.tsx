import { Button, Stack, Textarea } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { parseValue, shownText, type TypedJson, typedJson } from '../graph/json-text.ts'

interface JsonFieldProps {
  label: string
  description?: string
  placeholder?: string
  error: ReactNode
  value: unknown
  onChange(value: unknown): void
}

/** A value as JSON. It is only handed on while it can be parsed; until then, its form is not valid. */
export function JsonField({ value, onChange, error, ...rest }: JsonFieldProps) {
  const [typed, setTyped] = useState<TypedJson | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const text = shownText(typed, value)
  const fault = parseValue(text) === null ? 'This is not valid JSON.' : ''
  useEffect(() => input.current?.setCustomValidity(fault), [fault])
  return (
    <Textarea
      {...rest}
      ref={input}
      autosize
      minRows={2}
      maxRows={16}
      value={text}
      error={fault === '' ? error : fault}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(typedJson(next, value))
        const read = parseValue(next)
        if (read !== null) onChange(read.value)
      }}
      classNames={{ input: 'code' }}
    />
  )
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
