import { ActionIcon, Button, Group, SegmentedControl, Stack, Text, Tooltip } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ConditionRow } from './condition-row.tsx'
import { type ConditionDraft, type GroupDraft, newCondition } from './draft.ts'
import type { Names } from './summary.ts'

interface GroupCardProps {
  group: GroupDraft
  /** Starts at 1. */
  number: number
  names: Names
  /** The API's messages, by the index of the condition. */
  errors: ReadonlyMap<number, string>
  nextKey: number
  onChange(change: (group: GroupDraft) => GroupDraft): void
  /** Undefined for the only group. */
  onRemove: (() => void) | undefined
}

const MATCHES = [
  { value: 'all', label: 'Match all' },
  { value: 'any', label: 'Match any' },
]

/** A group of conditions: all must match, or any. */
export function GroupCard({ group, number, names, errors, nextKey, onChange, onRemove }: GroupCardProps) {
  const replaceCondition = (key: number, next: ConditionDraft | null) =>
    onChange((before) => ({
      ...before,
      conditions: before.conditions.flatMap((each) => (each.key === key ? (next ?? []) : each)),
    }))
  const add = () =>
    onChange((before) => ({ ...before, conditions: [...before.conditions, newCondition(nextKey)] }))
  return (
    <section className="card condition-group" aria-label={`Group ${number}`}>
      <Group justify="space-between" wrap="nowrap">
        <Match
          label={`Conditions of group ${number}`}
          value={group.match_type}
          onChange={(match_type) => onChange((before) => ({ ...before, match_type }))}
          words="of these conditions"
        />
        {onRemove !== undefined && (
          <Tooltip label="Remove group">
            <ActionIcon aria-label={`Remove group ${number}`} onClick={onRemove}>
              <IconX />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Stack gap="sm">
        {group.conditions.map((condition, index) => (
          <ConditionRow
            key={condition.key}
            condition={condition}
            place={`condition ${index + 1} of group ${number}`}
            names={names}
            error={errors.get(index)}
            onChange={(next) => replaceCondition(condition.key, next)}
            onRemove={() => replaceCondition(condition.key, null)}
          />
        ))}
      </Stack>
      <div>
        <Button variant="subtle" size="compact-sm" leftSection={<IconPlus />} onClick={add}>
          Add condition
        </Button>
      </div>
    </section>
  )
}

interface MatchProps {
  label: string
  value: GroupDraft['match_type']
  onChange(value: GroupDraft['match_type']): void
  words: string
}

/** The choice between all and any. */
export function Match({ label, value, onChange, words }: MatchProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <SegmentedControl
        aria-label={label}
        size="xs"
        data={MATCHES}
        value={value}
        onChange={(next) => onChange(next as GroupDraft['match_type'])}
      />
      <Text size="sm">{words}</Text>
    </Group>
  )
}
