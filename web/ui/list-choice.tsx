import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ContactList } from '../api/records.ts'
import { type ListOf, useGet } from '../api/team.ts'

interface ListChoiceProps {
  value: string[]
  onChange(ids: string[]): void
  error?: ReactNode
  label?: string
  /** Ids of those that are not offered. */
  leftOut?: readonly string[]
}

const COUNT_MAX = 100

/** Lists of the team, any number of them. */
export function ListChoice({ label = 'Lists', leftOut = [], ...props }: ListChoiceProps) {
  const { data } = useGet<ListOf<ContactList>>('/lists', { query: { limit: COUNT_MAX } })
  const options = (data?.data ?? [])
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
      nothingFoundMessage="None has that name."
      {...props}
    />
  )
}
