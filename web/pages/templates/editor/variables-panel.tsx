import { ActionIcon, Badge, Box, Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { lookOf } from '../../../ui/forms/read-only.ts'
import { Section } from '../../../ui/page/section.tsx'
import { State } from '../../../ui/status-badge.tsx'
import { compareVariables, VARIABLE_COUNT_MAX, type Values, type Variable } from '../checks/variables.ts'
import type { PartProps } from './editor-fields.tsx'

interface PanelProps extends PartProps {
  values: Values
  setValue(key: string, value: string): void
}

/** The variables of the template: their declarations, and the test values of this browser. */
export function VariablesPanel({ values, setValue, ...part }: PanelProps) {
  const { draft, edit, errors, isReadOnly } = part
  const { undeclared, unused } = compareVariables(draft)
  const describe = (keys: readonly string[]) =>
    edit({
      variables: [
        ...draft.variables,
        ...keys.map((key) => ({ key, type: 'string' as const, fallback: null })),
      ],
    })
  const change = (index: number, changes: Partial<Variable>) =>
    edit({ variables: draft.variables.map((each, at) => (at === index ? { ...each, ...changes } : each)) })
  const isFull = draft.variables.length >= VARIABLE_COUNT_MAX
  return (
    <Section
      title="Variables"
      description="Test values stay in this browser and fill the preview."
      actions={!isReadOnly && <PanelActions undeclared={undeclared} isFull={isFull} onDescribe={describe} />}
    >
      <Box id="template-variables" tabIndex={-1} style={{ outline: 'none' }}>
        {draft.variables.length === 0 && undeclared.length === 0 && (
          <Text size="sm" c="dimmed">
            {
              'No variables yet. Write {{NAME}} in the subject, HTML or text where the content differs by recipient.'
            }
          </Text>
        )}
        {draft.variables.map((variable, index) => (
          <VariableRow
            key={String(index)}
            variable={variable}
            isUnused={unused.includes(variable.key)}
            isReadOnly={isReadOnly}
            error={errorOf(errors, index)}
            value={values[variable.key] ?? ''}
            valueError={errors[`values.${variable.key}`]}
            onChange={(changes) => change(index, changes)}
            onValue={(value) => setValue(variable.key, value)}
            onRemove={() => edit({ variables: draft.variables.filter((_, at) => at !== index) })}
          />
        ))}
        {undeclared.map((key) => (
          <UndeclaredRow
            key={key}
            name={key}
            isReadOnly={isReadOnly}
            value={values[key] ?? ''}
            onDescribe={() => describe([key])}
            onValue={(value) => setValue(key, value)}
          />
        ))}
      </Box>
    </Section>
  )
}

interface PanelActionsProps {
  undeclared: readonly string[]
  isFull: boolean
  onDescribe(keys: readonly string[]): void
}

function PanelActions({ undeclared, isFull, onDescribe }: PanelActionsProps) {
  return (
    <>
      {undeclared.length > 1 && (
        <Button variant="default" size="compact-sm" onClick={() => onDescribe(undeclared)}>
          Declare all
        </Button>
      )}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus />}
        disabled={isFull}
        onClick={() => onDescribe([''])}
      >
        Add
      </Button>
    </>
  )
}

interface UndeclaredRowProps {
  name: string
  isReadOnly: boolean
  value: string
  onDescribe(): void
  onValue(value: string): void
}

/** A variable that the template uses but does not declare. */
function UndeclaredRow({ name, isReadOnly, value, onDescribe, onValue }: UndeclaredRowProps) {
  return (
    <Box className="variable">
      <Group gap="xs" className="variable-key">
        <Text span className="code foreign" fw={600}>
          {name}
        </Text>
        <State tone="amber">Undeclared</State>
        {!isReadOnly && (
          <Button variant="subtle" size="compact-xs" onClick={onDescribe} aria-label={`Declare ${name}`}>
            {' '}
            Declare{' '}
          </Button>
        )}
      </Group>
      <TestValue name={name} value={value} error={undefined} onChange={onValue} />
    </Box>
  )
}

const errorOf = (errors: PartProps['errors'], index: number) => ({
  key: errors[`definitions.${index}.key`],
  fallback: errors[`definitions.${index}.fallback_value`],
})

interface DefinitionProps {
  variable: Variable
  isUnused: boolean
  isReadOnly: boolean
  error: { key: string | undefined; fallback: string | undefined }
  onChange(changes: Partial<Variable>): void
  onRemove(): void
}

interface RowProps extends DefinitionProps {
  value: string
  valueError: string | undefined
  onValue(value: string): void
}

const TYPES = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
]

const nameOf = ({ key }: Variable) => (key === '' ? 'the new variable' : key)

function VariableRow({ value, valueError, onValue, ...definition }: RowProps) {
  const { variable, isReadOnly, error, onChange } = definition
  const { fallback } = variable
  const name = nameOf(variable)
  return (
    <Box className="variable" role="group" aria-label={`Variable ${name}`}>
      <Definition {...definition} />
      <Box className="variable-values">
        <TextInput
          aria-label={`Fallback of ${name}`}
          leftSection={<Caption>Fallback</Caption>}
          leftSectionWidth={72}
          placeholder={fallback === null ? 'none' : 'empty'}
          maxLength={2000}
          disabled={fallback === null}
          value={fallback ?? ''}
          error={error.fallback}
          onChange={({ currentTarget }) => onChange({ fallback: currentTarget.value })}
          {...lookOf(isReadOnly)}
        />
        <TestValue name={name} value={value} error={valueError} onChange={onValue} />
      </Box>
    </Box>
  )
}

/** Name, type, and whether every request must give a value. */
function Definition({ variable, isUnused, isReadOnly, error, onChange, onRemove }: DefinitionProps) {
  const { key, type, fallback } = variable
  const name = nameOf(variable)
  return (
    <Group gap="xs" align="flex-start" className="variable-key">
      <TextInput
        aria-label={`Name of ${name}`}
        placeholder="NAME"
        className="grow"
        classNames={{ input: 'code' }}
        maxLength={64}
        value={key}
        error={error.key}
        onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
        {...(isUnused ? { rightSection: <Badge>Unused</Badge>, rightSectionWidth: 74 } : {})}
        {...lookOf(isReadOnly)}
      />
      <Select
        aria-label={`Type of ${name}`}
        w={96}
        style={{ flex: 'none' }}
        allowDeselect={false}
        data={TYPES}
        value={type}
        onChange={(next) => onChange({ type: next === 'number' ? 'number' : 'string' })}
        {...lookOf(isReadOnly)}
      />
      <Checkbox
        size="xs"
        mt="sm"
        label="Required"
        aria-label={`${name} is required`}
        checked={fallback === null}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => onChange({ fallback: currentTarget.checked ? null : '' })}
      />
      {!isReadOnly && (
        <ActionIcon size={36} aria-label={`Remove ${name}`} onClick={onRemove}>
          <IconTrash />
        </ActionIcon>
      )}
    </Group>
  )
}

/** Names a field inside its box, before its value. */
function Caption({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" span aria-hidden>
      {children}
    </Text>
  )
}

interface ValueProps {
  name: string
  value: string
  error: string | undefined
  onChange(value: string): void
}

function TestValue({ name, value, error, onChange }: ValueProps) {
  return (
    <TextInput
      aria-label={`Test value of ${name}`}
      leftSection={<Caption>Test</Caption>}
      leftSectionWidth={48}
      placeholder="value for the preview"
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
