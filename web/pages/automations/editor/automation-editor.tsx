import './fields.css'
import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import type { Automation } from '../../../api/records.ts'
import { CodeEditor } from '../../../ui/code/code-editor.tsx'
import { ConflictNote } from '../../../ui/forms/conflict-note.tsx'
import { LeaveGuard } from '../../../ui/forms/leave-guard.tsx'
import { change, type Definition, typeText, undo, view } from '../graph/editing.ts'
import {
  type GraphProblem,
  problemsByStep,
  type StepProblems,
  settingsProblemsOf,
} from '../graph/graph-problems.ts'
import { GraphEditor } from './graph-editor.tsx'
import { ProblemList } from './problem-list.tsx'
import { NOT_A_DEFINITION, useAutomationDraft } from './use-automation-draft.ts'

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map()

interface AutomationEditorProps {
  automation: Automation
  /** Why the automation could not be activated. */
  problem: GraphProblem | null
  /** Gets a function that saves unsaved changes, and resolves to whether none are left. */
  saveChanges: RefObject<SaveChanges>
}

export type SaveChanges = () => Promise<boolean>

/** Edits the name, the graph and the settings of an automation: as a graph, or as JSON in the form of the API. */
export function AutomationEditor({ automation, problem, saveChanges }: AutomationEditorProps) {
  const form = useRef<HTMLFormElement>(null)
  const edited = useAutomationDraft(automation)
  const { name, setName, editing, setEditing, isSaving, isValid, isChanged, failure } = edited
  const { definition, text, past } = editing
  // A field that cannot be read keeps its last value, which nobody sees any more.
  const isReadable = () => form.current?.reportValidity() !== false
  const save = async () => isReadable() && edited.save()
  useEffect(() => {
    saveChanges.current = async () => isReadable() && (!isChanged || edited.save())
    return () => {
      saveChanges.current = async () => true
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <LeaveGuard noun="automation" isChanged={isChanged} isSaving={isSaving} save={save} tab="view" />
      <TheirChanges edited={edited} onOverwrite={() => isReadable() && void edited.save(true)} />
      <Stack gap="sm">
        <EditorTools
          name={name}
          onName={setName}
          isGraph={text === null}
          onView={(isGraph) => setEditing((now) => view(now, isGraph))}
          isValid={isValid}
          isSaving={isSaving}
          onUndo={past.length === 0 ? null : () => setEditing(undo)}
        />
        {failure !== null && <ProblemList {...failure} />}
        {text === null ? (
          <GraphEditor
            definition={definition}
            problems={problemsOf([problem, failure], definition)}
            settingsProblems={failure === null ? NO_PROBLEMS : settingsProblemsOf(failure)}
            onChange={(next) => setEditing((now) => change(now, next))}
          />
        ) : (
          <CodeEditor
            label="Definition"
            language="text"
            height="560px"
            value={text}
            onChange={(next) => setEditing((now) => typeText(now, next))}
            error={isValid ? undefined : NOT_A_DEFINITION}
          />
        )}
      </Stack>
    </form>
  )
}

interface TheirChangesProps {
  edited: ReturnType<typeof useAutomationDraft>
  onOverwrite(): void
}

function TheirChanges({ edited: { theirs, takeTheirs, isSaving }, onOverwrite }: TheirChangesProps) {
  if (theirs === null) return null
  return (
    <ConflictNote
      noun="automation"
      theirs={{ at: theirs.updated_at }}
      path={`/automations/${theirs.id}`}
      isSaving={isSaving}
      onTake={takeTheirs}
      onOverwrite={onOverwrite}
    />
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
