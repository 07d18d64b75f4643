import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ContactList } from '../../api/records.ts'
import { useAll } from '../../api/whole-lists.ts'

interface ListChoiceProps {
  value: string[]
  onChange(ids: string[]): void
  error?: ReactNode
  label?: string
  /** Ids of lists that are not offered. */
  leftOut?: readonly string[]
}

/** Selects any number of the team's lists. Renders nothing if the team has no lists to offer. */
export function ListChoice({ label = 'Lists', leftOut = [], ...props }: ListChoiceProps) {
  const { data } = useAll<ContactList>('/lists')
  const options = (data ?? [])
    .filter(({ id }) => !leftOut.includes(id))
    .map(({ id, name }) => ({ value: id, label: name }))
  if (data !== undefined && options.length === 0) return null
  return (
    <MultiSelect
      label={label}
      placeholder={props.value.length === 0 ? 'None' : ''}
      data={options}
      searchable
      clearable
      nothingFoundMessage="No results."
      {...props}
    />
  )
}
