import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef } from 'react'
import type { Property } from '../../api/records.ts'
import { timeZonesWith } from '../../ui/time-zones.ts'
import type { PropertyDraft } from './property-values.ts'

/** The values of a contact form. */
export interface ContactDraft {
  email: string
  first_name: string
  last_name: string
  user_id: string
  time_zone: string
  list_ids: string[]
  properties: PropertyDraft
}

interface FieldsProps {
  form: UseFormReturnType<ContactDraft>
  properties: readonly Property[]
}

const HINTS = {
  string: 'Text',
  number: 'A number',
  date: 'A date (2026-01-31) or a time in UTC (2026-01-31 09:30)',
}

/** Fields for the address, the names, and the team's properties by their types. */
export function ContactFields({ form, properties }: FieldsProps) {
  const first = useRef<HTMLInputElement>(null)
  // The form may appear after its dialog has moved the focus.
  useEffect(() => first.current?.focus(), [])
  return (
    <>
      <TextInput
        label="Address"
        type="email"
        required
        data-autofocus
        ref={first}
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label="First name" {...form.getInputProps('first_name')} />
        <TextInput label="Last name" {...form.getInputProps('last_name')} />
      </SimpleGrid>
      <TextInput
        label="User ID"
        description="The ID of this person in your application."
        {...form.getInputProps('user_id')}
      />
      <Select
        label="Time zone"
        description="Campaigns can be sent by the clock of this person."
        data={timeZonesWith(form.values.time_zone)}
        searchable
        clearable
        {...form.getInputProps('time_zone')}
        value={form.values.time_zone === '' ? null : form.values.time_zone}
        onChange={(zone) => form.setFieldValue('time_zone', zone ?? '')}
      />
      {properties.map(({ id, key, type, fallback_value: fallback }) => (
        <TextInput
          key={id}
          label={<span className="code">{key}</span>}
          description={fallback === null ? HINTS[type] : `${HINTS[type]}. Without a value: ${fallback}`}
          inputMode={type === 'number' ? 'decimal' : 'text'}
          {...form.getInputProps(`properties.${key}`)}
        />
      ))}
    </>
  )
}

/** Returns the fields that show their own errors. */
export const shownFieldsOf = (properties: readonly Property[]): string[] => [
  ...['email', 'first_name', 'last_name', 'user_id', 'time_zone', 'list_ids'],
  ...properties.map(({ key }) => `properties.${key}`),
]
