import { NumberInput, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { NameSelect } from '../../../ui/forms/name-select.tsx'
import type { StepField } from '../graph/step-fields.ts'
import { BranchFields } from './branch-fields.tsx'
import { EntriesField } from './entries-field.tsx'
import { RuleFields } from './rule-fields.tsx'
import { MomentField, WeekdaysField, ZoneField } from './time-fields.tsx'
import { FlagField, ValueField } from './value-field.tsx'

interface ConfigFieldProps {
  field: StepField
  value: unknown
  error: ReactNode
  /** Undefined takes the field away. */
  onChange(value: unknown): void
  /** Of the branches of a split. */
  onRemoveBranch(index: number): void
}

const FIELDS = {
  weekdays: WeekdaysField,
  moment: MomentField,
  zone: ZoneField,
  value: ValueField,
  flag: FlagField,
}

/** One field of the config of a step. */
export function ConfigField({ field, value, error, onChange, onRemoveBranch }: ConfigFieldProps) {
  const { label, description, placeholder = '' } = field
  const common = { label, error, ...(description === undefined ? {} : { description }) }
  switch (field.kind) {
    case 'text':
      return (
        <TextInput
          {...common}
          placeholder={placeholder}
          value={value === undefined || value === null ? '' : String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...common}
          min={1}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(next === '' ? undefined : Number(next))}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          data={[...(field.choices ?? [])]}
          value={typeof value === 'string' ? value : (field.choices?.[0]?.value ?? null)}
          allowDeselect={false}
          onChange={(next) => onChange(next ?? undefined)}
        />
      )
    case 'record':
      return (
        <NameSelect
          {...common}
          path={field.list ?? ''}
          placeholder="Choose"
          {...(field.namedBy !== undefined && { namedBy: field.namedBy })}
          value={typeof value === 'string' ? value : null}
          onChange={(id) => onChange(id === '' ? undefined : id)}
        />
      )
    case 'rule':
      return <RuleFields label={label} error={error} value={value} onChange={onChange} />
    case 'branches':
      return <BranchFields error={error} value={value} onChange={onChange} onRemove={onRemoveBranch} />
    case 'entries':
      return <EntriesField {...common} placeholder={placeholder} value={value} onChange={onChange} />
    default: {
      const Field = FIELDS[field.kind]
      return <Field {...common} value={value} onChange={onChange} />
    }
  }
}
