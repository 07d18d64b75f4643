import { Group, Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { variablePathOf } from '../graph/entry-rows.ts'

interface ValueFieldProps {
  label: string
  error: ReactNode
  value: unknown
  /** Undefined takes the field away. */
  onChange(value: unknown): void
}

const KINDS = [
  { value: 'keep', label: 'Keep' },
  { value: 'text', label: 'Set to' },
  { value: 'variable', label: 'Set to variable' },
  { value: 'clear', label: 'Clear' },
]

/** A text of the contact: kept, set to a text or to the value of a variable, or cleared. */
export function ValueField({ label, error, value, onChange }: ValueFieldProps) {
  /** The choice while there is no value. */
  const [chosen, setChosen] = useState('keep')
  const path = variablePathOf(value)
  const kind = value === undefined ? chosen : kindOf(value)
  const choose = (next: string | null) => {
    setChosen(next ?? 'keep')
    if (next === 'variable') onChange({ var: path ?? 'event.' })
    else onChange(next === 'clear' ? null : undefined)
  }
  return (
    <Group gap="xxs" align="end" wrap="nowrap">
      <Select
        label={label}
        flex={kind === 'keep' || kind === 'clear' ? 1 : undefined}
        w={160}
        data={KINDS}
        value={kind}
        allowDeselect={false}
        error={kind === 'keep' || kind === 'clear' ? error : undefined}
        onChange={choose}
      />
      {kind === 'text' && (
        <TextInput
          flex={1}
          aria-label={`New value of ${label}`}
          error={error}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => {
            // The field stays open while its text is replaced.
            setChosen('text')
            onChange(currentTarget.value === '' ? undefined : currentTarget.value)
          }}
        />
      )}
      {kind === 'variable' && (
        <TextInput
          flex={1}
          aria-label={`Variable for ${label}`}
          placeholder="event.name"
          error={error}
          value={path ?? ''}
          onChange={({ currentTarget }) => onChange({ var: currentTarget.value })}
        />
      )}
    </Group>
  )
}

function kindOf(value: unknown): string {
  if (value === null) return 'clear'
  return variablePathOf(value) === null ? 'text' : 'variable'
}

/** Kept, or set to yes or no. */
export function FlagField({ label, error, value, onChange }: ValueFieldProps) {
  const path = variablePathOf(value)
  const choices = [
    { value: 'keep', label: 'Keep' },
    { value: 'true', label: 'Set to yes' },
    { value: 'false', label: 'Set to no' },
    ...(path === null ? [] : [{ value: 'variable', label: `Set to ${path}` }]),
  ]
  const current = path === null ? String(value ?? 'keep') : 'variable'
  return (
    <Select
      label={label}
      error={error}
      data={choices}
      value={current}
      allowDeselect={false}
      onChange={(next) => {
        if (next !== 'variable') onChange(next === 'keep' ? undefined : next === 'true')
      }}
    />
  )
}
