import { Select, TextInput } from '@mantine/core'
import type { ValueType } from '../../../src/audience/segments/segment-operators.ts'
import type { Names } from './summary.ts'
import { texts } from './texts.ts'

interface ValueFieldProps {
  type: ValueType
  label: string
  value: string
  names: Names
  error: string | undefined
  onChange(value: string): void
}

const YES_NO = [
  { value: 'true', label: texts.valueField.true },
  { value: 'false', label: texts.valueField.false },
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
          placeholder={texts.valueField.chooseAList}
          searchable
          data={[...names.lists].map(([id, name]) => ({ value: id, label: name }))}
          value={value === '' ? null : value}
          onChange={(chosen) => onChange(chosen ?? '')}
          nothingFoundMessage={texts.valueField.noResults}
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
      return (
        <TextInput
          {...common}
          inputMode="decimal"
          placeholder={texts.valueField.number}
          value={value}
          onChange={write}
        />
      )
    case 'string':
      return <TextInput {...common} placeholder={texts.valueField.text} value={value} onChange={write} />
  }
}
