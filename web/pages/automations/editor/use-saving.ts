import { useRef, useState } from 'react'
import type { Automation } from '../../../api/records.ts'
import { requestJson } from '../../../api/request.ts'
import { useChange, useTeam } from '../../../api/team.ts'
import { notifyDone, notifyError } from '../../../ui/notifications.tsx'
import { contentOf, type Editing, isDefinition, savedOf, writeContent } from '../graph/editing.ts'
import type { GraphProblem } from '../graph/graph-problems.ts'

export const NOT_A_DEFINITION = 'This is not JSON with lists of steps and connections.'

interface Edited {
  name: string
  editing: Editing
}

interface Listeners {
  onSaved(automation: Automation, sent: Edited): void
  /** Called with what someone else saved, which replaces what is edited. */
  onTake(theirs: Automation): void
}

/** Saves what is edited, unless someone else has saved in the meantime, and keeps the error of the last attempt. */
export function useSaving(automation: Automation, { name, editing }: Edited, { onSaved, onTake }: Listeners) {
  const { id: teamId } = useTeam()
  const path = `/automations/${automation.id}`
  const sent = useRef<Edited>({ name, editing })
  const [failure, setFailure] = useState<GraphProblem | null>(null)
  const [saved, setSaved] = useState(() => contentOf(automation))
  const [theirs, setTheirs] = useState<Automation | null>(null)
  const { mutateAsync, isPending } = useChange<Automation>({
    onDone(answer) {
      setFailure(null)
      setTheirs(null)
      setSaved(contentOf(answer))
      onSaved(answer, sent.current)
      notifyDone(answer.status === 'active' ? `Saved. Version ${answer.version} begins new runs.` : 'Saved.')
    },
    onError: (error) => setFailure({ error, ...savedOf(sent.current.editing) }),
  })
  const isValid = editing.text === null || isDefinition(editing.text)
  const content = writeContent(name, editing.definition)
  const isChanged = !isValid || saved !== content
  const take = (now: Automation) => {
    setFailure(null)
    setTheirs(null)
    setSaved(contentOf(now))
    onTake(now)
  }
  /** Returns whether it may be saved. Otherwise shows what someone else has saved. */
  const isUpToDate = async () => {
    const now = await requestJson<Automation>(path, { teamId })
    // A request whose response was lost may have saved the same.
    if ([saved, content].includes(contentOf(now))) return true
    if (isChanged) setTheirs(now)
    else take(now)
    return false
  }
  /** Resolves to whether it was saved. */
  const save = async (isForced = false) => {
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
  }
  const takeTheirs = () => theirs !== null && take(theirs)
  return { save, isSaving: isPending, failure, isValid, isChanged, theirs, takeTheirs }
}
