import { Select } from '@mantine/core'
import { type ListOf, useGet } from '../../api/team.ts'

interface Named {
  id: string
  name: string
}

interface NameSelectProps {
  label: string
  /** A list of the API whose records have names. */
  path: string
  value: string | undefined
  onChange(id: string): void
}

/** As many as a page of the API holds: those after them are found by their own pages. */
const NAMES_MAX = 100

/** One of the team's records, chosen by its name. */
export function NameSelect({ label, path, value, onChange }: NameSelectProps) {
  const { data } = useGet<ListOf<Named>>(path, { query: { limit: NAMES_MAX } })
  const options = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  // A link may name one that is not among them, or is gone.
  if (value !== undefined && !options.some((option) => option.value === value))
    options.push({ value, label: value })
  return (
    <Select
      label={label}
      placeholder="Any"
      searchable
      clearable
      data={options}
      value={value ?? null}
      onChange={(id) => onChange(id ?? '')}
      nothingFoundMessage="None has that name."
    />
  )
}
