import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAll } from '../api/whole-lists.ts'

interface Named {
  id: string
  name: string
}

interface NameSelectProps {
  label: string
  /** A list of the API whose records have names. */
  path: string
  value: string | null | undefined
  /** Empty: none is chosen. */
  onChange(id: string): void
  placeholder?: string
  description?: string
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** The label is for those who hear it. */
  isLabelHidden?: boolean
  /** Whether there may be none. */
  clearable?: boolean
}

/** One of the team's records, chosen by its name. */
export function NameSelect({
  label,
  path,
  value,
  onChange,
  placeholder = 'Any',
  isLabelHidden = false,
  clearable = true,
  ...rest
}: NameSelectProps) {
  const { data } = useAll<Named>(path)
  const options = (data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const chosen = value === undefined || value === '' ? null : value
  // A link may name one that is not among them, or is gone.
  if (chosen !== null && data !== undefined && !options.some((option) => option.value === chosen))
    options.push({ value: chosen, label: chosen })
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      placeholder={placeholder}
      searchable
      clearable={clearable}
      allowDeselect={clearable}
      data={options}
      value={chosen}
      onChange={(id) => onChange(id ?? '')}
      nothingFoundMessage="None has that name."
      {...rest}
    />
  )
}
