import { ActionIcon, Button, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { NameSelect } from '../../../ui/forms/name-select.tsx'
import {
  hasValue,
  OPERATORS,
  type RuleRow,
  type RuleRows,
  ruleOf,
  shownRows,
  withOperator,
} from '../graph/rule-rows.ts'
import { FieldError } from './field-error.tsx'
import { JsonInsteadOfRows } from './json-field.tsx'

interface RuleFieldsProps {
  label: string
  error: ReactNode
  value: unknown
  /** Undefined takes the rule away. */
  onChange(rule: object | undefined): void
}

/** Returns the rows of a rule, as they were typed; null if it has another form. */
function useRows(rule: unknown, onChange: RuleFieldsProps['onChange']) {
  const [typed, setTyped] = useState<RuleRows | null>(null)
  const change = (next: RuleRows) => {
    setTyped(next)
    onChange(ruleOf(next))
  }
  return { rows: shownRows(typed, rule), change }
}

/** A rule as rows of field, operator and value; a rule of another form as JSON. */
export function RuleFields({ label, error, value, onChange }: RuleFieldsProps) {
  const [isJson, setIsJson] = useState(false)
  const { rows, change } = useRows(value, onChange)
  const segment = value as { type?: string; segment_id?: string } | null | undefined
  if (segment?.type === 'segment')
    return <SegmentRule segmentId={segment.segment_id} error={error} onChange={onChange} />
  if (isJson || rows === null)
    return (
      <JsonInsteadOfRows
        label={label}
        error={error}
        value={value}
        onChange={(rule) => onChange(rule as object | undefined)}
        onRows={rows === null ? null : () => setIsJson(false)}
      />
    )
  const setRow = (index: number, row: RuleRow) =>
    change({ ...rows, rows: rows.rows.map((each, at) => (at === index ? row : each)) })
  return (
    <fieldset className="graph-fields">
      <legend>{label}</legend>
      <Stack gap="xs">
        {rows.rows.length > 1 && <Combination rows={rows} onChange={change} />}
        {rows.rows.map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            key={index}
            row={row}
            number={index + 1}
            onChange={(next) => setRow(index, next)}
            onRemove={() => change({ ...rows, rows: rows.rows.filter((_, at) => at !== index) })}
          />
        ))}
        <FieldError>{error}</FieldError>
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconPlus />}
            onClick={() =>
              change({ ...rows, rows: [...rows.rows, { field: 'event.', operator: 'eq', value: '' }] })
            }
          >
            Add row
          </Button>
          {rows.rows.length === 0 && (
            <Button variant="subtle" size="compact-xs" onClick={() => onChange({ type: 'segment' })}>
              Ask for a segment
            </Button>
          )}
          <Button variant="subtle" size="compact-xs" onClick={() => setIsJson(true)}>
            Edit as JSON
          </Button>
        </Group>
      </Stack>
    </fieldset>
  )
}

interface RowProps {
  row: RuleRow
  number: number
  onChange(row: RuleRow): void
  onRemove(): void
}

function Row({ row, number, onChange, onRemove }: RowProps) {
  return (
    <Stack gap="xxs">
      <Group gap="xxs" wrap="nowrap">
        <TextInput
          flex={1}
          aria-label={`Field of row ${number}`}
          placeholder="contact.first_name"
          value={row.field}
          onChange={(event) => onChange({ ...row, field: event.currentTarget.value })}
        />
        <ActionIcon aria-label={`Remove row ${number}`} onClick={onRemove}>
          <IconX />
        </ActionIcon>
      </Group>
      <Group gap="xxs" wrap="nowrap">
        <Select
          w={130}
          aria-label={`Operator of row ${number}`}
          data={OPERATORS}
          value={row.operator}
          allowDeselect={false}
          onChange={(operator) => onChange(withOperator(row, operator ?? 'eq'))}
        />
        {hasValue(row.operator) && (
          <TextInput
            flex={1}
            aria-label={`Value of row ${number}`}
            placeholder="pro"
            value={row.value}
            onChange={(event) => onChange({ ...row, value: event.currentTarget.value })}
          />
        )}
      </Group>
    </Stack>
  )
}

interface SegmentRuleProps {
  segmentId: string | undefined
  error: ReactNode
  onChange(rule: object | undefined): void
}

function SegmentRule({ segmentId, error, onChange }: SegmentRuleProps) {
  return (
    <Stack gap="xs">
      <NameSelect
        label="The contact is in the segment"
        path="/segments"
        placeholder="Choose"
        clearable={false}
        error={error}
        value={segmentId}
        onChange={(id) => onChange({ type: 'segment', segment_id: id })}
      />
      <Button variant="subtle" size="compact-xs" onClick={() => onChange(undefined)}>
        Compare fields instead
      </Button>
    </Stack>
  )
}

function Combination({ rows, onChange }: { rows: RuleRows; onChange(rows: RuleRows): void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="How rows combine"
      data={[
        { value: 'and', label: 'All hold' },
        { value: 'or', label: 'Any holds' },
      ]}
      value={rows.type}
      onChange={(type) => onChange({ ...rows, type: type as 'and' | 'or' })}
    />
  )
}
