import { useRef, useState } from 'react'
import type { Automation } from '../../../api/records.ts'
import { requestJson } from '../../../api/request.ts'
import { useChange, useTeam } from '../../../api/team.ts'
import { useOneAttempt } from '../../../ui/forms/one-attempt.ts'
import { notifyDone, notifyError } from '../../../ui/notifications.tsx'
import {
  afterSave,
  contentOf,
  definitionOf,
  type Editing,
  editingOf,
  isDefinition,
  savedOf,
  take,
  writeContent,
} from '../graph/editing.ts'
import type { GraphProblem } from '../graph/graph-problems.ts'

export const NOT_A_DEFINITION = 'This is not JSON with lists of steps and connections.'

interface Edited {
  name: string
  editing: Editing
}

/**
 * What is edited, and what saves it unless someone else has saved in the meantime. Keeps the error of the last attempt.
 */
export function useAutomationDraft(automation: Automation) {
  const [name, setName] = useState(automation.name)
  const [editing, setEditing] = useState<Editing>(() => editingOf(automation))
  const [saved, setSaved] = useState(() => contentOf(automation))
  const [theirs, setTheirs] = useState<Automation | null>(null)
  const [failure, setFailure] = useState<GraphProblem | null>(null)
  const sent = useRef<Edited>({ name, editing })
  const remember = (now: Automation) => {
    setFailure(null)
    setTheirs(null)
    setSaved(contentOf(now))
  }
  const { mutateAsync } = useChange<Automation>({
    onDone(answer) {
      remember(answer)
      setName((now) => (now === sent.current.name ? answer.name : now))
      setEditing((now) => afterSave(now, sent.current.editing, definitionOf(answer)))
      notifyDone(answer.status === 'active' ? `Saved. Version ${answer.version} begins new runs.` : 'Saved.')
    },
    onError: (error) => setFailure({ error, ...savedOf(sent.current.editing) }),
  })
  const takeOver = (now: Automation) => {
    remember(now)
    setName(now.name)
    setEditing((before) => take(before, definitionOf(now)))
  }
  const { id: teamId } = useTeam()
  const path = `/automations/${automation.id}`
  const content = writeContent(name, editing.definition)
  const isValid = editing.text === null || isDefinition(editing.text)
  const isChanged = !isValid || saved !== content
  /** Returns whether it may be saved. Otherwise shows what someone else has saved. */
  const isUpToDate = async () => {
    const now = await requestJson<Automation>(path, { teamId })
    // A request whose response was lost may have saved the same.
    if ([saved, content].includes(contentOf(now))) return true
    if (isChanged) setTheirs(now)
    else takeOver(now)
    return false
  }
  const { isRunning, attempt } = useOneAttempt()
  /** Resolves to whether it was saved. */
  const save = (isForced = false) =>
    attempt(async () => {
      if (!isValid) {
        notifyError(NOT_A_DEFINITION)
        return false
      }
      if (!isForced && !(await isUpToDate().catch(notifyError))) return false
      sent.current = { name, editing }
      const body = { name, ...savedOf(editing) }
      return mutateAsync({ path, method: 'PATCH', body }).then(
        () => true,
        () => false,
      )
    })
  const takeTheirs = () => theirs !== null && takeOver(theirs)
  const edited = { name, setName, editing, setEditing }
  return { ...edited, save, isSaving: isRunning, failure, isValid, isChanged, theirs, takeTheirs }
}
