import './fields.css'
import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Automation } from '../../../api/records.ts'
import { useChange } from '../../../api/team.ts'
import { CodeEditor } from '../../../ui/code/code-editor.tsx'
import { LeaveGuard } from '../../../ui/forms/leave-guard.tsx'
import { notifyDone, notifyError } from '../../../ui/notifications.tsx'
import {
  type GraphProblem,
  problemsByStep,
  type StepProblems,
  settingsProblemsOf,
} from '../graph/graph-problems.ts'
import { parseObject, showJson } from '../graph/json-text.ts'
import { type Definition, GraphEditor } from './graph-editor.tsx'
import { ProblemList } from './problem-list.tsx'

const UNDO_MAX = 100
const NO_PROBLEMS: ReadonlyMap<string, string> = new Map()
const NOT_A_DEFINITION = 'This is not JSON with lists of steps and connections.'

/** Keeps what is edited, as a graph or as text, and what it was before each change. */
function useDefinition(automation: Automation) {
  const [past, setPast] = useState<readonly Definition[]>([])
  const [definition, setDefinition] = useState<Definition>(() => definitionOf(automation))
  /** Null while the graph is shown. */
  const [text, setText] = useState<string | null>(null)
  const show = (next: Definition) => {
    setDefinition(next)
    if (text !== null) setText(showJson(next))
  }
  const change = (next: Definition) => {
    setPast([...past, definition].slice(-UNDO_MAX))
    setDefinition(next)
  }
  const last = past.at(-1)
  const undo = () => {
    setPast(past.slice(0, -1))
    if (last !== undefined) show(last)
  }
  return { definition, text, setText, show, change, undo: last === undefined ? null : undo }
}

interface Edited {
  name: string
  definition: Definition
  /** Whether the text is a definition. */
  isValid: boolean
}

/** Saves what is edited, and keeps the error of the last attempt. */
function useSaving(
  automation: Automation,
  { name, definition, isValid }: Edited,
  onSaved: (automation: Automation) => void,
) {
  const [failure, setFailure] = useState<GraphProblem | null>(null)
  const [saved, setSaved] = useState(() => JSON.stringify([automation.name, definition]))
  const { mutateAsync, isPending } = useChange<Automation>({
    onDone(answer) {
      setFailure(null)
      setSaved(JSON.stringify([answer.name, definitionOf(answer)]))
      onSaved(answer)
      notifyDone(answer.status === 'active' ? `Saved. Version ${answer.version} begins new runs.` : 'Saved.')
    },
    onError: (error) => setFailure({ error, ...definition }),
  })
  /** Resolves to whether it was saved. */
  const save = async () => {
    if (!isValid) {
      notifyError(NOT_A_DEFINITION)
      return false
    }
    const body = { name, ...definition }
    return mutateAsync({ path: `/automations/${automation.id}`, method: 'PATCH', body }).then(
      () => true,
      () => false,
    )
  }
  return { save, isPending, failure, isChanged: !isValid || saved !== JSON.stringify([name, definition]) }
}

interface AutomationEditorProps {
  automation: Automation
  /** Why the automation could not be activated. */
  problem: GraphProblem | null
}

/** Edits the name, the graph and the settings of an automation: as a graph, or as JSON in the form of the API. */
export function AutomationEditor({ automation, problem }: AutomationEditorProps) {
  const [name, setName] = useState(automation.name)
  const { definition, text, setText, show, change, undo } = useDefinition(automation)
  const isValid = text === null || isDefinition(parseObject(text))
  const edited = { name, definition, isValid }
  const { save, isPending, isChanged, failure } = useSaving(automation, edited, (saved) => {
    setName(saved.name)
    show(definitionOf(saved))
  })
  const type = (next: string) => {
    setText(next)
    const parsed = parseObject(next)
    if (isDefinition(parsed)) change({ ...definition, ...parsed, connections: withTypes(parsed.connections) })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard noun="automation" isChanged={isChanged} isSaving={isPending} save={save} tab="view" />
      <Stack gap="sm">
        <EditorTools
          name={name}
          onName={setName}
          isGraph={text === null}
          onView={(isGraph) => setText(isGraph ? null : showJson(definition))}
          isValid={isValid}
          isSaving={isPending}
          onUndo={undo}
        />
        {failure !== null && <ProblemList {...failure} />}
        {text === null ? (
          <GraphEditor
            definition={definition}
            problems={problemsOf([problem, failure], definition)}
            settingsProblems={failure === null ? NO_PROBLEMS : settingsProblemsOf(failure)}
            onChange={change}
          />
        ) : (
          <CodeEditor
            label="Definition"
            language="text"
            height="560px"
            value={text}
            onChange={type}
            error={isValid ? undefined : NOT_A_DEFINITION}
          />
        )}
      </Stack>
    </form>
  )
}

/** Returns the messages by step. Those of later problems win. */
function problemsOf(all: readonly (GraphProblem | null)[], now: Definition): Map<string, StepProblems> {
  return new Map(all.flatMap((each) => (each === null ? [] : [...problemsByStep(each, now)])))
}

interface EditorToolsProps {
  name: string
  onName(name: string): void
  isGraph: boolean
  onView(isGraph: boolean): void
  isValid: boolean
  isSaving: boolean
  /** Null: there is nothing to undo. */
  onUndo: (() => void) | null
}

function EditorTools({ name, onName, isGraph, onView, isValid, isSaving, onUndo }: EditorToolsProps) {
  return (
    <Group align="end" gap="sm">
      <TextInput
        label="Name"
        flex="1 1 12rem"
        maw={420}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Edit as"
        data={[
          { value: 'graph', label: 'Graph' },
          { value: 'json', label: 'JSON' },
        ]}
        disabled={!isValid}
        value={isGraph ? 'graph' : 'json'}
        onChange={(view) => onView(view === 'graph')}
      />
      <Button
        variant="default"
        leftSection={<IconArrowBackUp />}
        disabled={onUndo === null}
        onClick={() => onUndo?.()}
      >
        Undo
      </Button>
      <Button type="submit" loading={isSaving} disabled={!isValid}>
        Save
      </Button>
    </Group>
  )
}

function definitionOf({ steps, connections, settings }: Automation): Definition {
  return { steps, connections, settings }
}

/** Returns whether the editor can show it as a graph; the API checks the rest. */
function isDefinition(value: Record<string, unknown> | null): value is Record<string, unknown> & Definition {
  if (value === null) return false
  const { steps, connections } = value
  const isStep = (step: unknown) =>
    typeof (step as { key?: unknown } | null)?.key === 'string' &&
    typeof (step as { config?: unknown } | null)?.config === 'object'
  return Array.isArray(steps) && steps.every(isStep) && Array.isArray(connections)
}

/** The API lets a connection leave out its type. */
function withTypes(connections: Definition['connections']): Definition['connections'] {
  return connections.map((connection) => ({ ...connection, type: connection.type ?? 'default' }))
}
