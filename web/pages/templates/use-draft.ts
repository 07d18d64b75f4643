import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import type { Template } from '../../api/records.ts'
import { ask } from '../../api/request.ts'
import { keyOf, useChange, useTeam } from '../../api/team.ts'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { type Draft, draftOf, draftToJson, isSameDraft } from './draft.ts'

export interface Editing {
  draft: Draft
  /** Changes some of its fields. */
  edit(changes: Partial<Draft>): void
  isChanged: boolean
  isSaving: boolean
  /** Why the last saving was refused. */
  error: unknown
  /** What somebody else saved since this draft was begun; null: nothing. */
  theirs: Template | null
  takeTheirs(): void
  /**
   * Saves the draft, unless somebody else saved meanwhile; resolves to whether it did.
   * @param isForced over theirs
   */
  save(status?: Template['status'], isForced?: boolean): Promise<boolean>
}

/** A template as it is being edited: from what was read when it began to what is saved. */
export function useDraft(latest: Template): Editing {
  const { id: teamId } = useTeam()
  const client = useQueryClient()
  const [base, setBase] = useState(latest)
  const [draft, setDraft] = useState(() => draftOf(latest))
  const [isAsking, setAsking] = useState(false)
  const path = `/templates/${latest.id}`
  const isChanged = !isSameDraft(draft, draftOf(base))
  const theirs = isNewer(latest, base) ? latest : null
  const adopt = (template: Template) => {
    setBase(template)
    setDraft(draftOf(template))
  }
  const change = useChange<Template>({
    onDone(saved) {
      client.setQueryData(keyOf(teamId, path, {}), saved)
      setBase(saved)
    },
  })
  useEffect(() => {
    // Nothing of one's own is lost by it.
    if (theirs === null || isChanged) return
    setBase(theirs)
    setDraft(draftOf(theirs))
  }, [theirs, isChanged])

  const save = async (status?: Template['status'], isForced = false) => {
    setAsking(true)
    try {
      const now = await ask<Template>(path, { teamId })
      if (isNewer(now, base) && !isForced) {
        client.setQueryData(keyOf(teamId, path, {}), now)
        return false
      }
      const body = { ...draftToJson(draft), ...(status === undefined ? {} : { status }) }
      await change.mutateAsync({ method: 'PUT', path, body })
      tellDone(describeSaved(status))
      return true
    } catch (error) {
      const isBeside = error instanceof ApiError && Object.keys(error.fields).length > 0
      tellError(isBeside ? 'Not saved: what is wrong stands beside the fields.' : error)
      return false
    } finally {
      setAsking(false)
    }
  }
  return {
    draft,
    edit: (changes) => setDraft((before) => ({ ...before, ...changes })),
    isChanged,
    isSaving: isAsking || change.isPending,
    error: change.error,
    theirs: isChanged ? theirs : null,
    takeTheirs: () => theirs !== null && adopt(theirs),
    save,
  }
}

/** Of another content, and later: an answer that was on its way while this one was saved is not. */
function isNewer(one: Template, base: Template): boolean {
  if (one.version < base.version || one.updated_at < base.updated_at) return false
  return !isSameDraft(draftOf(one), draftOf(base))
}

function describeSaved(status: Template['status'] | undefined): string {
  if (status === 'published') return 'Published: emails can be made from it now.'
  return status === 'draft' ? 'Saved as a draft.' : 'Saved.'
}
