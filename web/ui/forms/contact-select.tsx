import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { Contact } from '../../api/records.ts'
import { type ListOf, useGet } from '../../api/team.ts'
import { fullName } from '../full-name.ts'

interface ContactSelectProps {
  label: string
  description?: string
  placeholder: string
  /** Whether only screen readers get the label. */
  isLabelHidden?: boolean
  w?: number
  /** The id of the contact. */
  value: string | undefined
  /** Called with an empty string when the choice is cleared. */
  onChange(id: string): void
}

const TYPING_MS = 250
const OFFERED_MAX = 20

/** A choice of one of the team's contacts, which the server finds by the start of an address or name. */
export function ContactSelect({
  label,
  isLabelHidden = false,
  value,
  onChange,
  ...rest
}: ContactSelectProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, TYPING_MS)
  const { data: current } = useGet<Contact>(`/contacts/${value}`, { enabled: value !== undefined })
  // The box shows the address of the chosen contact, which is no search.
  const query = { limit: OFFERED_MAX, ...(search !== '' && search !== current?.email && { q: search }) }
  const { data: page } = useGet<ListOf<Contact>>('/contacts', { query })
  const contacts = page?.data ?? []
  const choices =
    current === undefined || contacts.some(({ id }) => id === current.id) ? contacts : [current, ...contacts]
  const names = new Map(choices.map((contact) => [contact.id, fullName(contact)]))
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      searchable
      clearable
      data={choices.map(({ id, email }) => ({ value: id, label: email }))}
      // The server has searched.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div style={{ minWidth: 0 }}>
          <Text size="sm" className="one-line">
            <bdi>{option.label}</bdi>
          </Text>
          <Text size="xs" c="dimmed" className="one-line">
            <bdi>{names.get(option.value)}</bdi>
          </Text>
        </div>
      )}
      value={value ?? null}
      onChange={(id) => onChange(id ?? '')}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage="No results."
      {...rest}
    />
  )
}
