import { ActionIcon, Badge, Box, Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Section } from '../../ui/section.tsx'
import type { PartProps } from './editor-fields.tsx'
import { compareVariables, VARIABLE_COUNT_MAX, type Values, type Variable } from './variables.ts'

interface PanelProps extends PartProps {
  values: Values
  setValue(key: string, value: string): void
}

/** What stands for what differs from reader to reader: described for those who send, tried out by those who write. */
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
      actions={
        !isReadOnly && (
          <>
            {undeclared.length > 1 && (
              <Button variant="default" size="compact-sm" onClick={() => describe(undeclared)}>
                Describe all
              </Button>
            )}
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              disabled={isFull}
              onClick={() => describe([''])}
            >
              Add
            </Button>
          </>
        )
      }
    >
      <Box id="template-variables" tabIndex={-1} style={{ outline: 'none' }}>
        {draft.variables.length === 0 && undeclared.length === 0 && (
          <Text size="sm" c="dimmed">
            None yet. Write {'{{NAME}}'} in subject, html or text where something differs from reader to
            reader.
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
          <Box key={key} className="variable">
            <Group gap={8} className="variable-key">
              <Text span className="code foreign" fw={600}>
                {key}
              </Text>
              <Badge color="orange">Not described</Badge>
              {!isReadOnly && (
                <Button
                  variant="subtle"
                  size="compact-xs"
                  onClick={() => describe([key])}
                  aria-label={`Describe ${key}`}
                >
                  Describe
                </Button>
              )}
            </Group>
            <TestValue
              name={key}
              value={values[key] ?? ''}
              error={undefined}
              onChange={(value) => setValue(key, value)}
            />
          </Box>
        ))}
      </Box>
    </Section>
  )
}

const errorOf = (errors: PartProps['errors'], index: number) => ({
  key: errors[`definitions.${index}.key`],
  fallback: errors[`definitions.${index}.fallback_value`],
})

interface RowProps {
  variable: Variable
  isUnused: boolean
  isReadOnly: boolean
  error: { key: string | undefined; fallback: string | undefined }
  value: string
  valueError: string | undefined
  onChange(changes: Partial<Variable>): void
  onValue(value: string): void
  onRemove(): void
}

const TYPES = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
]

function VariableRow({
  variable,
  isUnused,
  isReadOnly,
  error,
  value,
  valueError,
  onChange,
  onValue,
  onRemove,
}: RowProps) {
  const { key, type, fallback } = variable
  const name = key === '' ? 'the new variable' : key
  return (
    <Box className="variable" role="group" aria-label={`Variable ${name}`}>
      <Group gap={8} align="flex-start" className="variable-key">
        <TextInput
          aria-label={`Name of ${name}`}
          placeholder="NAME"
          className="grow"
          classNames={{ input: 'code' }}
          maxLength={64}
          readOnly={isReadOnly}
          value={key}
          error={error.key}
          onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
          {...(isUnused ? { rightSection: <Badge color="gray">Unused</Badge>, rightSectionWidth: 74 } : {})}
        />
        <Select
          aria-label={`Type of ${name}`}
          w={96}
          style={{ flex: 'none' }}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={TYPES}
          value={type}
          onChange={(next) => onChange({ type: next === 'number' ? 'number' : 'string' })}
        />
        <Checkbox
          size="xs"
          mt={10}
          label="Required"
          aria-label={`${name} is required`}
          checked={fallback === null}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => onChange({ fallback: currentTarget.checked ? null : '' })}
        />
        {!isReadOnly && (
          <ActionIcon size={36} aria-label={`Remove ${name}`} onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Group>
      <Box className="variable-values">
        <TextInput
          aria-label={`Fallback of ${name}`}
          leftSection={<Caption>Fallback</Caption>}
          leftSectionWidth={72}
          placeholder={fallback === null ? 'none' : 'empty'}
          maxLength={2000}
          readOnly={isReadOnly}
          disabled={fallback === null}
          value={fallback ?? ''}
          error={error.fallback}
          onChange={({ currentTarget }) => onChange({ fallback: currentTarget.value })}
        />
        <TestValue name={name} value={value} error={valueError} onChange={onValue} />
      </Box>
    </Box>
  )
}

/** What a field is, in front of what stands in it. */
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
