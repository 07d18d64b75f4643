import { Group, NumberInput, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { PartInput } from '../../../src/automations/automation-steps.ts'
import { NameSelect } from '../../ui/forms/name-select.tsx'

interface PartFieldsProps {
  part: PartInput
  /** Returns the API's message about a field, by its name. */
  errorOf(field: string): string | undefined
  isFixed: boolean
  onChange(part: PartInput): void
}

type Choice = 'list_id' | 'segment_id' | 'template_id' | 'sender_id'

const CHOICES: Readonly<Record<Choice, { label: string; path: string; placeholder: string }>> = {
  list_id: { label: 'List', path: '/lists', placeholder: 'None yet' },
  segment_id: { label: 'Segment', path: '/segments', placeholder: 'None yet' },
  template_id: {
    label: 'Template',
    path: '/templates',
    placeholder: 'None yet',
  },
  sender_id: { label: 'Sender', path: '/senders', placeholder: 'The template’s' },
}

/** The fields of a trigger or a step, besides its type. */
export function PartFields({ part, errorOf, isFixed, onChange }: PartFieldsProps): ReactNode {
  const choose = (field: Choice) => (
    <NameSelect
      {...CHOICES[field]}
      value={part[field]}
      error={errorOf(field)}
      disabled={isFixed}
      onChange={(id) => onChange({ ...part, [field]: id })}
    />
  )
  switch (part.type) {
    case 'list_joined':
    case 'add_to_list':
    case 'remove_from_list':
      return choose('list_id')
    case 'segment_entered':
    case 'condition':
      return choose('segment_id')
    case 'wait':
      return (
        <WaitField
          seconds={part.seconds ?? 0}
          error={errorOf('seconds')}
          onChange={(seconds) => onChange({ ...part, seconds })}
        />
      )
    case 'update_contact':
      return (
        <SegmentedControl
          aria-label="Subscription"
          disabled={isFixed}
          data={[
            { value: 'true', label: 'Unsubscribed' },
            { value: 'false', label: 'Subscribed' },
          ]}
          value={String(part.unsubscribed ?? true)}
          onChange={(value) => onChange({ ...part, unsubscribed: value === 'true' })}
        />
      )
    case 'send_email':
      return (
        <Stack gap="xs">
          <Group grow gap="xs" align="flex-start" preventGrowOverflow={false}>
            {choose('template_id')}
            {choose('sender_id')}
          </Group>
          <TextInput
            label="Subject"
            placeholder="The template’s"
            value={part.subject ?? ''}
            error={errorOf('subject')}
            onChange={({ currentTarget: { value } }) => onChange({ ...part, subject: value })}
          />
        </Stack>
      )
    default:
      return null
  }
}

interface WaitFieldProps {
  seconds: number
  error: string | undefined
  onChange(seconds: number): void
}

const UNITS = [
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
]

/** Returns the largest unit in which the time is a whole number. */
const unitOf = (seconds: number) => [86_400, 3_600, 60].find((unit) => seconds % unit === 0) ?? 60

/** Edits a duration as a number and a unit. */
function WaitField({ seconds, error, onChange }: WaitFieldProps) {
  const [unit, setUnit] = useState(() => unitOf(seconds))
  const amount = seconds / unit
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <NumberInput
        aria-label="Duration"
        min={1}
        hideControls
        w={110}
        value={amount}
        error={error}
        allowDecimal={seconds % unit !== 0}
        allowNegative={false}
        onChange={(value) => onChange(Math.round(Number(value) * unit))}
      />
      <Select
        aria-label="Unit"
        w={130}
        data={UNITS}
        value={String(unit)}
        allowDeselect={false}
        onChange={(value) => {
          const next = Number(value ?? unit)
          setUnit(next)
          onChange(Math.round(amount * next))
        }}
      />
    </Group>
  )
}
