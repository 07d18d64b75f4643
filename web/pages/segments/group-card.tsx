import { ActionIcon, Button, Group, SegmentedControl, Stack, Text, Tooltip } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ConditionRow } from './condition-row.tsx'
import { type ConditionDraft, type GroupDraft, newCondition } from './draft.ts'
import type { Names } from './summary.ts'
import { texts } from './texts.ts'

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
  { value: 'all', label: texts.groupCard.all },
  { value: 'any', label: texts.groupCard.any },
]

/** A group of conditions: all must match, or any. */
export function GroupCard({ group, number, names, errors, nextKey, onChange, onRemove }: GroupCardProps) {
  const put = (key: number, next: ConditionDraft | null) =>
    onChange((before) => ({
      ...before,
      conditions: before.conditions.flatMap((each) => (each.key === key ? (next ?? []) : each)),
    }))
  const add = () =>
    onChange((before) => ({ ...before, conditions: [...before.conditions, newCondition(nextKey)] }))
  return (
    <section className="card condition-group" aria-label={texts.groupCard.group(number)}>
      <Group justify="space-between" wrap="nowrap">
        <Match
          label={texts.groupCard.conditionsOfGroup(number)}
          value={group.match_type}
          onChange={(match_type) => onChange((before) => ({ ...before, match_type }))}
          words={texts.groupCard.ofTheseHold}
        />
        {onRemove !== undefined && (
          <Tooltip label={texts.groupCard.removeTheGroup}>
            <ActionIcon aria-label={texts.groupCard.removeGroup(number)} onClick={onRemove}>
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
            place={texts.groupCard.conditionOfGroup(index + 1, number)}
            names={names}
            error={errors.get(index)}
            onChange={(next) => put(condition.key, next)}
            onRemove={() => put(condition.key, null)}
          />
        ))}
      </Stack>
      <div>
        <Button variant="subtle" size="compact-sm" leftSection={<IconPlus />} onClick={add}>
          {texts.groupCard.addACondition}
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
