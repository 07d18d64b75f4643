import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAll } from '../../api/whole-lists.ts'

interface Named {
  id: string
  name: string
  endpoint?: string
}

interface NameSelectProps {
  label: string
  /** API path of a list whose records have names. */
  path: string
  /** The field that names a record. Default: `name`. */
  namedBy?: 'name' | 'endpoint'
  value: string | null | undefined
  /** Called with an empty string when the choice is cleared. */
  onChange(id: string): void
  placeholder?: string
  description?: string
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** Whether only screen readers get the label. */
  isLabelHidden?: boolean
  /** Whether the choice may be empty. */
  clearable?: boolean
}

/** A choice of one of the team's records by name. */
export function NameSelect({
  label,
  path,
  namedBy = 'name',
  value,
  onChange,
  placeholder = 'Any',
  isLabelHidden = false,
  clearable = true,
  ...rest
}: NameSelectProps) {
  const { data } = useAll<Named>(path)
  const options = (data ?? []).map((record) => ({ value: record.id, label: record[namedBy] ?? record.id }))
  const selection = value === undefined || value === '' ? null : value
  // A link may name a record that was deleted or is not in the list.
  if (selection !== null && data !== undefined && !options.some((option) => option.value === selection))
    options.push({ value: selection, label: selection })
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      placeholder={placeholder}
      searchable
      clearable={clearable}
      allowDeselect={clearable}
      data={options}
      value={selection}
      onChange={(id) => onChange(id ?? '')}
      nothingFoundMessage="No results."
      {...rest}
    />
  )
}
