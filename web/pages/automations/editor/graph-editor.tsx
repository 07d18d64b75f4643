import '../canvas/graph.css'
import { Button, Group } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useState } from 'react'
import type { StepKind } from '../../../../src/automations/graph/graph-types.ts'
import { LazyGraphCanvas } from '../canvas/lazy-canvas.tsx'
import { addStep, type Outcome, removeStep, withoutLeftovers } from '../graph/edit-graph.ts'
import type { Definition } from '../graph/editing.ts'
import type { StepProblems } from '../graph/graph-problems.ts'
import { useRecordNames } from '../graph/use-record-names.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { StepPanel } from './step-panel.tsx'

interface GraphEditorProps {
  definition: Definition
  problems: ReadonlyMap<string, StepProblems>
  /** The messages about settings, by field. */
  settingsProblems: ReadonlyMap<string, string>
  onChange(definition: Definition): void
}

const NO_PROBLEMS: StepProblems = new Map()

/** The graph beside the chosen step, or beside the settings. */
export function GraphEditor({ definition, problems, settingsProblems, onChange }: GraphEditorProps) {
  const [selected, setSelected] = useState<string | null>(null)
  const names = useRecordNames()
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
    <div className="graph-beside">
      <LazyGraphCanvas
        label="Graph"
        graph={withoutLeftovers(definition)}
        names={names}
        selected={selected}
        faulty={new Set(problems.keys())}
        onSelect={setSelected}
        onRemove={remove}
      />
      {step === undefined ? (
        <SettingsPanel
          settings={definition.settings}
          errors={settingsProblems}
          onChange={(settings) => onChange({ ...definition, settings })}
        />
      ) : (
        <StepPanel
          key={step.key}
          graph={definition}
          step={step}
          errors={problems.get(step.key) ?? NO_PROBLEMS}
          onChange={(graph) => onChange({ ...definition, ...graph })}
          onAdd={add}
          onRemove={() => remove(step.key)}
          onClose={() => setSelected(null)}
        />
      )}
    </div>
  )
}
