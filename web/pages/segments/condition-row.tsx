import { ActionIcon, Select, TextInput, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { SegmentField, ValueType } from '../../../src/audience/segments/segment-operators.ts'
import { type ConditionDraft, withField, withOperator } from './draft.ts'
import { FIELD_WORDS, operatorsOf, takesDuration, takesValue, typeOf } from './operators.ts'
import type { Names } from './summary.ts'

interface ConditionRowProps {
  condition: ConditionDraft
  /** For screen readers, for example "condition 2 of group 1". */
  place: string
  names: Names
  /** The API's message. */
  error: string | undefined
  onChange(condition: ConditionDraft): void
  onRemove(): void
}

const PROPERTY = 'property:'

/** One condition: a field, an operator, a value. */
export function ConditionRow({ condition, place, names, error, onChange, onRemove }: ConditionRowProps) {
  const type = typeOf(condition, names.properties)
  const isProperty = condition.field === 'property'
  const option = isProperty ? PROPERTY + (condition.property_id ?? '') : condition.field
  const pick = (value: string | null) => {
    if (value === null) return
    const field = value.startsWith(PROPERTY)
      ? { field: 'property' as const, property_id: value.slice(PROPERTY.length) }
      : { field: value as SegmentField, property_id: null }
    onChange(withField(condition, field, names.properties))
  }
  return (
    <div className="condition">
      <div data-part="field">
        <Select
          aria-label={`Field of ${place}`}
          data={fieldOptions(names)}
          value={option}
          allowDeselect={false}
          searchable
          onChange={pick}
          error={type === null ? 'This property no longer exists.' : undefined}
        />
      </div>
      <div data-part="operator">
        <Select
          aria-label={`Comparison of ${place}`}
          data={Object.entries(operatorsOf(type ?? 'string')).map(([value, label]) => ({ value, label }))}
          value={condition.operator}
          allowDeselect={false}
          onChange={(operator) => onChange(withOperator(condition, operator ?? condition.operator))}
        />
      </div>
      <div data-part="value">
        {takesValue(condition.operator) && (
          <ValueField
            type={takesDuration(condition.operator) ? 'duration' : (type ?? 'string')}
            label={`Value of ${place}`}
            value={condition.value}
            names={names}
            error={error}
            onChange={(value) => onChange({ ...condition, value })}
          />
        )}
      </div>
      <Tooltip label="Remove condition">
        <ActionIcon aria-label={`Remove ${place}`} onClick={onRemove} size={36}>
          <IconTrash />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

function fieldOptions({ properties }: Names) {
  const fields = Object.entries(FIELD_WORDS)
    .filter(([field]) => field !== 'property')
    .map(([value, label]) => ({ value, label }))
  const items = properties.map(({ id, key }) => ({ value: PROPERTY + id, label: key }))
  return [
    { group: 'Contact', items: fields },
    ...(items.length === 0 ? [] : [{ group: 'Properties', items }]),
  ]
}

interface ValueFieldProps {
  type: ValueType | 'duration'
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
function ValueField({ type, label, value, names, error, onChange }: ValueFieldProps) {
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
          onChange={(option) => onChange(option ?? value)}
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
          onChange={(option) => onChange(option ?? '')}
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
    case 'duration':
      return <TextInput {...common} placeholder="For example 30 days" value={value} onChange={write} />
    case 'string':
      return <TextInput {...common} placeholder="Text" value={value} onChange={write} />
  }
}
