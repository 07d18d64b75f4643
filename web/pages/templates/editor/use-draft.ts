import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../api/errors.ts'
import type { Template } from '../../../api/records.ts'
import { requestJson } from '../../../api/request.ts'
import { keyOf, useChange, useTeam } from '../../../api/team.ts'
import { notifyDone, notifyError } from '../../../ui/page/notifications.tsx'
import { texts } from '../texts.ts'
import { type Draft, draftOf, draftToJson, isSameDraft } from './draft.ts'

export interface Editing {
  draft: Draft
  /** Changes some fields of the draft. */
  edit(changes: Partial<Draft>): void
  isChanged: boolean
  isSaving: boolean
  /** The error of the last save. */
  error: unknown
  /** The version that someone else saved since this draft was started; null without one. */
  theirs: Template | null
  takeTheirs(): void
  /**
   * Saves the draft, unless someone else has saved in the meantime. Resolves to whether it saved.
   * @param isForced overwrite their version
   */
  save(status?: Template['status'], isForced?: boolean): Promise<boolean>
}

/** The state of editing a template, from the loaded version to the saved one. */
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
    // Without own changes, the other version replaces the draft.
    if (theirs === null || isChanged) return
    setBase(theirs)
    setDraft(draftOf(theirs))
  }, [theirs, isChanged])

  const save = async (status?: Template['status'], isForced = false) => {
    setAsking(true)
    try {
      const now = await requestJson<Template>(path, { teamId })
      if (isNewer(now, base) && !isForced) {
        client.setQueryData(keyOf(teamId, path, {}), now)
        return false
      }
      const body = { ...draftToJson(draft), ...(status === undefined ? {} : { status }) }
      await change.mutateAsync({ method: 'PUT', path, body })
      notifyDone(describeSaved(status))
      return true
    } catch (error) {
      const isBeside = error instanceof ApiError && Object.keys(error.fields).length > 0
      notifyError(isBeside ? texts.draft.notSavedCorrectMarked : error)
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

/** Returns whether `one` is newer and differs. A response that was sent before the last save is not newer. */
function isNewer(one: Template, base: Template): boolean {
  if (one.version < base.version || one.updated_at < base.updated_at) return false
  return !isSameDraft(draftOf(one), draftOf(base))
}

function describeSaved(status: Template['status'] | undefined): string {
  if (status === 'published') return texts.draft.publishedEmailsNowUse
  return status === 'draft' ? texts.draft.savedAsADraft : texts.draft.saved
}
