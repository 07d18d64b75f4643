import { ActionIcon, Alert, Button, Group, Menu, Select, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconPlus, IconTrash, IconX } from '@tabler/icons-react'
import type { StepKind } from '../../../../src/automations/graph/graph-types.ts'
import { useTeam } from '../../../api/team.ts'
import {
  connect,
  type EditedGraph,
  type Outcome,
  outcomesOf,
  removeBranch,
  type Steps,
  setConfig,
} from '../graph/edit-graph.ts'
import { fieldsOf, valueAt, withValue } from '../graph/step-fields.ts'
import { outcomeWord, STEP_WORDS, stepWord, TRIGGER_WORDS } from '../graph/words.ts'
import { ConfigField } from './config-field.tsx'
import { FieldError } from './field-error.tsx'

interface StepPanelProps {
  graph: EditedGraph
  step: Steps[number]
  /** The messages of the API, by the path in the config; those about the whole step have an empty one. */
  errors: ReadonlyMap<string, string>
  onChange(graph: EditedGraph): void
  onAdd(type: StepKind, at: Outcome): void
  onRemove(): void
  onClose(): void
}

const TRIGGERS = Object.entries(TRIGGER_WORDS).map(([value, label]) => ({ value, label }))

/** The chosen step: its config, and where each of its outcomes leads. */
export function StepPanel(props: StepPanelProps) {
  const { graph, step, errors, onChange, onRemove, onClose } = props
  const { role } = useTeam()
  const trigger = graph.steps.find(({ type }) => type === 'trigger')?.config as { type?: string } | undefined
  const mayBeTransactional =
    (role === 'owner' || role === 'admin') && (trigger?.type === 'event' || trigger?.type === 'api')
  const fields = fieldsOf(step.type, step.config, mayBeTransactional)
  const set = (config: object) => onChange(setConfig(graph, step.key, { ...config }))
  const whole = errors.get('')
  return (
    <Stack gap="sm" component="section" aria-label="Step" key={step.key}>
      <PanelHead step={step} onRemove={onRemove} onClose={onClose} />
      <FieldError>{whole}</FieldError>
      {step.type === 'trigger' && (
        <Select
          label="Begins when"
          data={TRIGGERS}
          searchable
          value={trigger?.type ?? null}
          allowDeselect={false}
          error={errors.get('type')}
          onChange={(type) => type !== null && set({ type })}
        />
      )}
      {fields.map((field) => (
        <ConfigField
          key={field.path}
          field={field}
          value={valueAt(step.config, field.path)}
          error={field.path === '' ? undefined : errorOf(errors, field.path)}
          onChange={(value) => set(withValue(step.config, field.path, value))}
          onRemoveBranch={(index) => onChange(removeBranch(graph, step.key, index))}
        />
      ))}
      {step.type === 'send_email' && 'class' in step.config && step.config.class === 'transactional' && (
        <Alert color="yellow" icon={<IconAlertTriangle />} title="Transactional: no unsubscribe link">
          Use it only for emails that the contact asked for, such as a receipt. Without an unsubscribe link,
          other emails are reported as spam.
        </Alert>
      )}
      <Outcomes {...props} />
    </Stack>
  )
}

function PanelHead({ step, onRemove, onClose }: Pick<StepPanelProps, 'step' | 'onRemove' | 'onClose'>) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>{stepWord(step.type)}</Title>
        <Group gap="xxs" wrap="nowrap">
          <ActionIcon aria-label="Delete step" onClick={onRemove}>
            <IconTrash />
          </ActionIcon>
          <ActionIcon aria-label="Close step" onClick={onClose}>
            <IconX />
          </ActionIcon>
        </Group>
      </Group>
      <Text size="xs" c="dimmed" className="code foreign">
        {step.key}
      </Text>
    </>
  )
}

/** Returns the errors of a field and of the fields inside it. */
function errorOf(errors: ReadonlyMap<string, string>, path: string): string | undefined {
  const found = [...errors].filter(([each]) => each === path || each.startsWith(`${path}.`))
  return found.length === 0 ? undefined : found.map(([, message]) => message).join(' ')
}

function Outcomes({ graph, step, onChange, onAdd }: StepPanelProps) {
  const types = outcomesOf(step)
  const targets = graph.steps
    .filter(({ type, key }) => type !== 'trigger' && key !== step.key)
    .map(({ key, type }) => ({ value: key, label: `${stepWord(type)} (${key})` }))
  return types.map((type) => {
    const word = outcomeWord(type, step.type, types.length === 1)
    const to = graph.connections.find((each) => each.from === step.key && each.type === type)?.to ?? null
    return (
      <Group key={type} gap="xs" align="end" wrap="nowrap">
        <Select
          flex={1}
          label={`Then ${word}`.trim()}
          placeholder="The run ends"
          clearable
          data={targets}
          value={to}
          onChange={(next) => onChange(connect(graph, { from: step.key, type }, next))}
        />
        <AddStep
          label={to === null ? `Add step ${word}`.trim() : `Add step between ${word}`.trim()}
          onAdd={(added) => onAdd(added, { from: step.key, type })}
        />
      </Group>
    )
  })
}

/** A menu of the types of steps. */
export function AddStep({ label, onAdd }: { label: string; onAdd(type: StepKind): void }) {
  const kinds = (Object.keys(STEP_WORDS) as StepKind[]).filter((type) => type !== 'trigger')
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" aria-label={label} px="xs">
          <IconPlus />
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {kinds.map((type) => (
          <Menu.Item key={type} onClick={() => onAdd(type)}>
            {STEP_WORDS[type]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
