import { Select, TextInput } from '@mantine/core'
import type { ValueType } from '../../../src/audience/segments/segment-operators.ts'
import type { Names } from './summary.ts'

interface ValueFieldProps {
  type: ValueType
  label: string
  value: string
  names: Names
  error: string | undefined
  onChange(value: string): void
}

const YES_NO = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
]
const DAY = /^\d{4}-\d\d-\d\d$/

/** A field for the value of a condition, by its type. */
export function ValueField({ type, label, value, names, error, onChange }: ValueFieldProps) {
  const common = { 'aria-label': label, error }
  const write = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  switch (type) {
    case 'boolean':
      return (
        <Select
          {...common}
          data={YES_NO}
          value={value}
          allowDeselect={false}
          onChange={(chosen) => onChange(chosen ?? value)}
        />
      )
    case 'list':
      return (
        <Select
          {...common}
          placeholder="Choose a list"
          searchable
          data={[...names.lists].map(([id, name]) => ({ value: id, label: name }))}
          value={value === '' ? null : value}
          onChange={(chosen) => onChange(chosen ?? '')}
          nothingFoundMessage="No results."
        />
      )
    case 'date':
      // A time set through the API is kept. Users choose days, which are in UTC.
      return value === '' || DAY.test(value) ? (
        <TextInput {...common} type="date" value={value} onChange={write} />
      ) : (
        <TextInput {...common} value={value} onChange={write} />
      )
    case 'number':
      return <TextInput {...common} inputMode="decimal" placeholder="Number" value={value} onChange={write} />
    case 'string':
      return <TextInput {...common} placeholder="Text" value={value} onChange={write} />
  }
}
