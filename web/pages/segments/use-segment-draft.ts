import { hashKey } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Segment } from '../../api/records.ts'
import { requestJson } from '../../api/request.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { useOneAttempt } from '../../ui/forms/one-attempt.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { draftOf, filtersOf, type SegmentDraft } from './draft.ts'
import type { Names } from './summary.ts'

export interface SegmentEditorProps {
  initial: SegmentDraft
  /** Null for a new segment. */
  id: string | null
  names: Names
  /** Called when the segment is saved, unless the user leaves for another page. */
  onDone(segment: Segment): void
  onCancel(): void
}

/** What is edited, and what saves it, unless someone else has saved other conditions in the meantime. */
export function useSegmentDraft({ initial, id, names, onDone }: SegmentEditorProps) {
  const { id: teamId } = useTeam()
  const [before, setBefore] = useState(initial)
  const [draft, setDraft] = useState(before)
  const [theirs, setTheirs] = useState<Segment | null>(null)
  const isLeaving = useRef(false)
  const { mutateAsync, error } = useChange<Segment>({
    onDone(segment) {
      notifyDone(`Segment “${segment.name}” ${id === null ? 'created' : 'changed'}.`)
      if (!isLeaving.current) onDone(segment)
    },
  })
  const conditionsOf = (one: SegmentDraft) => ({
    match_type: one.match_type,
    filters: filtersOf(one, names.properties),
  })
  const isAlike = (one: SegmentDraft, other: SegmentDraft) =>
    hashKey([conditionsOf(one)]) === hashKey([conditionsOf(other)])
  const conditions = conditionsOf(draft)
  /** Returns the request that saves what the user changed; null if someone else saved other conditions. */
  const requestOf = async (isForced: boolean) => {
    if (id === null)
      return { path: '/segments', method: 'POST', body: { name: draft.name, ...conditions } } as const
    const path = `/segments/${id}`
    const isSame = !isForced && isAlike(draft, before)
    if (!isSame && !isForced) {
      const segment = await requestJson<Segment>(path, { teamId })
      const now = draftOf(segment)
      if (!isAlike(now, before) && !isAlike(now, draft)) {
        setTheirs(segment)
        return null
      }
    }
    const name = draft.name === before.name ? {} : { name: draft.name }
    return { path, method: 'PUT', body: { ...name, ...(isSame ? {} : conditions) } } as const
  }
  const { isRunning, attempt } = useOneAttempt()
  /** Resolves to whether it was saved. */
  const save = (isForced = false) =>
    attempt(async () => {
      const request = await requestOf(isForced).catch(notifyError)
      if (!request) return false
      return mutateAsync(request).then(
        () => true,
        () => false,
      )
    })
  const saveAndLeave = async () => {
    isLeaving.current = true
    isLeaving.current = await save()
    return isLeaving.current
  }
  const takeTheirs = () => {
    if (theirs === null) return
    setBefore(draftOf(theirs))
    setDraft(draftOf(theirs))
    setTheirs(null)
  }
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before)
  return {
    draft,
    setDraft,
    conditions,
    error,
    isPending: isRunning,
    isChanged,
    save,
    saveAndLeave,
    theirs,
    takeTheirs,
  }
}
