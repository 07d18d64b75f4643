import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { type EntryRow, entriesOf, entryRowsOf, repeatedNamesOf } from '../graph/entry-rows.ts'
import { FieldError } from './field-error.tsx'
import { JsonInsteadOfRows } from './json-field.tsx'

interface EntriesFieldProps {
  label: string
  /** The name of an entry, for example. */
  placeholder: string
  error: ReactNode
  value: unknown
  /** Undefined takes the field away. */
  onChange(entries: unknown): void
}

const KINDS = [
  { value: 'value', label: 'Value' },
  { value: 'variable', label: 'Variable' },
]

/** Names with their values as rows; with values of another form as JSON. */
export function EntriesField({ label, placeholder, error, value, onChange }: EntriesFieldProps) {
  const [isJson, setIsJson] = useState(false)
  const read = entryRowsOf(value)
  const [typed, setTyped] = useState(read ?? [])
  const noteId = useId()
  // Rows without a name are only here. Others may be changed elsewhere, as by Undo.
  const rows = JSON.stringify(entriesOf(typed)) === JSON.stringify(value) ? typed : read
  if (isJson || rows === null)
    return (
      <JsonInsteadOfRows
        label={label}
        error={error}
        value={value}
        onChange={onChange}
        onRows={read === null ? null : () => setIsJson(false)}
      />
    )
  const repeated = repeatedNamesOf(rows)
  const change = (next: EntryRow[]) => {
    setTyped(next)
    onChange(entriesOf(next))
  }
  return (
    <fieldset className="graph-fields" aria-describedby={noteId}>
      <legend>{label}</legend>
      <Stack gap="xs">
        <Text id={noteId} size="xs" c="dimmed">
          Numbers, true, false and null are read as such. Put text in quotation marks to keep it text.
        </Text>
        {rows.map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            key={index}
            row={row}
            number={index + 1}
            placeholder={placeholder}
            isRepeated={repeated.has(row.name)}
            onChange={(next) => change(rows.map((each, at) => (at === index ? next : each)))}
            onRemove={() => change(rows.filter((_, at) => at !== index))}
          />
        ))}
        <FieldError>{error}</FieldError>
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconPlus />}
            onClick={() => change([...rows, { name: '', isVariable: false, value: '' }])}
          >
            Add row
          </Button>
          <Button variant="subtle" size="compact-xs" onClick={() => setIsJson(true)}>
            Edit as JSON
          </Button>
        </Group>
      </Stack>
    </fieldset>
  )
}

interface RowProps {
  row: EntryRow
  number: number
  placeholder: string
  /** Whether another row has its name. */
  isRepeated: boolean
  onChange(row: EntryRow): void
  onRemove(): void
}

function Row({ row, number, placeholder, isRepeated, onChange, onRemove }: RowProps) {
  return (
    <Stack gap="xxs">
      <Group gap="xxs" wrap="nowrap" align="start">
        <TextInput
          flex={1}
          error={isRepeated && 'Another row has this name.'}
          aria-label={`Name of row ${number}`}
          placeholder={placeholder}
          value={row.name}
          onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
        />
        <ActionIcon aria-label={`Remove row ${number}`} onClick={onRemove}>
          <IconX />
        </ActionIcon>
      </Group>
      <Group gap="xxs" wrap="nowrap">
        <Select
          w={110}
          aria-label={`Kind of row ${number}`}
          data={KINDS}
          value={row.isVariable ? 'variable' : 'value'}
          allowDeselect={false}
          onChange={(kind) => onChange({ ...row, isVariable: kind === 'variable' })}
        />
        <TextInput
          flex={1}
          aria-label={`Value of row ${number}`}
          placeholder={row.isVariable ? 'event.plan' : 'pro'}
          value={row.value}
          onChange={({ currentTarget }) => onChange({ ...row, value: currentTarget.value })}
        />
      </Group>
    </Stack>
  )
}
