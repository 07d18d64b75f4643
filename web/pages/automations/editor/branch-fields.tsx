import { ActionIcon, Button, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FieldError } from './field-error.tsx'
import { RuleFields } from './rule-fields.tsx'

const BRANCHES_MAX = 10

interface Branch {
  name?: string
  rule?: object
  weight?: number
}

interface BranchFieldsProps {
  error: ReactNode
  value: unknown
  onChange(branches: Branch[]): void
  onRemove(index: number): void
}

/** The branches of a split, each with a rule, or at random with a weight. */
export function BranchFields({ error, value, onChange, onRemove }: BranchFieldsProps) {
  const branches = (Array.isArray(value) ? value : []).map((each) => (each ?? {}) as Branch)
  const isRandom = branches.some(({ weight }) => weight !== undefined)
  const set = (index: number, branch: Branch) =>
    onChange(branches.map((each, at) => (at === index ? branch : each)))
  return (
    <Stack gap="xs">
      {branches.map((branch, index) => (
        <BranchField
          // biome-ignore lint/suspicious/noArrayIndexKey: a branch is its position
          key={index}
          branch={branch}
          number={index + 1}
          isRandom={isRandom}
          onChange={(next) => set(index, next)}
          onRemove={() => onRemove(index)}
        />
      ))}
      <FieldError>{error}</FieldError>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconPlus />}
        disabled={branches.length >= BRANCHES_MAX}
        onClick={() => onChange([...branches, isRandom ? { weight: 1 } : {}])}
      >
        Add branch
      </Button>
    </Stack>
  )
}

interface BranchFieldProps {
  branch: Branch
  number: number
  isRandom: boolean
  onChange(branch: Branch): void
  onRemove(): void
}

function BranchField({ branch, number, isRandom, onChange, onRemove }: BranchFieldProps) {
  return (
    <fieldset className="graph-fields">
      <legend>Branch {number}</legend>
      <Stack gap="xs">
        <Group gap="xxs" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={`Name of branch ${number}`}
            placeholder="Name (optional)"
            value={branch.name ?? ''}
            onChange={(event) => {
              const { name: _, ...rest } = branch
              const name = event.currentTarget.value
              onChange(name === '' ? rest : { ...rest, name })
            }}
          />
          {isRandom && (
            <NumberInput
              w={80}
              aria-label={`Weight of branch ${number}`}
              min={1}
              max={1000}
              value={branch.weight ?? 1}
              onChange={(weight) => onChange({ ...branch, weight: Number(weight) || 1 })}
            />
          )}
          <ActionIcon aria-label={`Remove branch ${number}`} onClick={onRemove}>
            <IconX />
          </ActionIcon>
        </Group>
        {!isRandom && (
          <RuleFields
            label="Taken if"
            error={undefined}
            value={branch.rule}
            onChange={(rule) => {
              const { rule: _, ...rest } = branch
              onChange(rule === undefined ? rest : { ...rest, rule })
            }}
          />
        )}
      </Stack>
    </fieldset>
  )
}
