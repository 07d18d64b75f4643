import { Button, Group } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useState } from 'react'
import type { StepKind } from '../../../../src/automations/graph/graph-types.ts'
import type { Automation } from '../../../api/records.ts'
import { addStep, type Outcome, removeStep } from '../graph/edit-graph.ts'
import { useRecordNames } from '../graph/use-record-names.ts'
import { LazyGraphCanvas } from './lazy-canvas.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { StepPanel } from './step-panel.tsx'

export type Definition = Pick<Automation, 'steps' | 'connections' | 'settings'>

interface GraphEditorProps {
  definition: Definition
  /** The messages of the API, by path. */
  fields: Readonly<Record<string, string[]>>
  onChange(definition: Definition): void
}

/** The graph beside the chosen step, or beside the settings. */
export function GraphEditor({ definition, fields, onChange }: GraphEditorProps) {
  const [selected, setSelected] = useState<string | null>(null)
  const names = useRecordNames(true)
  const step = definition.steps.find(({ key }) => key === selected)
  const add = (type: StepKind, at: Outcome | null) => {
    const { graph, key } = addStep(definition, type, at)
    onChange({ ...definition, ...graph })
    setSelected(key)
  }
  const remove = (key: string) => {
    onChange({ ...definition, ...removeStep(definition, key) })
    if (key === selected) setSelected(null)
  }
  if (!definition.steps.some(({ type }) => type === 'trigger'))
    return (
      <Group>
        <Button variant="default" leftSection={<IconBolt />} onClick={() => add('trigger', null)}>
          Add trigger
        </Button>
      </Group>
    )
  return (
    <div className="graph-editor">
      <LazyGraphCanvas
        label="Graph"
        graph={definition}
        names={names}
        selected={selected}
        faulty={new Set(faultyKeys(definition, fields))}
        onSelect={setSelected}
        onRemove={remove}
      />
      {step === undefined ? (
        <SettingsPanel
          settings={definition.settings}
          errors={errorsBelow(fields, 'settings')}
          onChange={(settings) => onChange({ ...definition, settings })}
        />
      ) : (
        <StepPanel
          key={step.key}
          graph={definition}
          step={step}
          errors={errorsOfStep(fields, definition.steps.indexOf(step))}
          onChange={(graph) => onChange({ ...definition, ...graph })}
          onAdd={add}
          onRemove={() => remove(step.key)}
          onClose={() => setSelected(null)}
        />
      )}
    </div>
  )
}

type Fields = GraphEditorProps['fields']

/** Returns the keys of the steps that errors are about. */
function faultyKeys({ steps }: Definition, fields: Fields): string[] {
  return Object.keys(fields).flatMap((path) => {
    const [, index] = /^steps\.(\d+)/.exec(path) ?? []
    const key = index === undefined ? undefined : steps[Number(index)]?.key
    return key === undefined ? [] : [key]
  })
}

function errorsBelow(fields: Fields, path: string): Map<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([each, messages]) =>
      each.startsWith(`${path}.`) ? [[each.slice(path.length + 1), messages.join(' ')] as const] : [],
    ),
  )
}

function errorsOfStep(fields: Fields, index: number): Map<string, string> {
  const path = `steps.${index}`
  const errors = errorsBelow(fields, `${path}.config`)
  for (const each of [path, `${path}.config`]) {
    const messages = fields[each]
    if (messages !== undefined) errors.set('', messages.join(' '))
  }
  return errors
}
