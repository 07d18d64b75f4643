import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../api/errors.ts'
import { keyOf } from '../../../api/query-keys.ts'
import { useTeam } from '../../../api/team.ts'
import { notifyDone, notifyError } from '../../../ui/notifications.tsx'
import { type Draft, draftOf, isSameDraft } from '../draft/draft.ts'
import {
  discardWork,
  isNewer,
  nameOfState,
  publishWork,
  readWork,
  savesDraft,
  storeWork,
  type Work,
  workKeyOf,
} from '../draft/work.ts'
import { confirmWarnings } from './confirm-warnings.tsx'

export interface Editing {
  draft: Draft
  /** Names what the server had when the draft was started. */
  base: string
  /** Changes some fields of the draft. */
  edit(changes: Partial<Draft>): void
  isChanged: boolean
  isSaving: boolean
  /** The error of the last save. */
  error: unknown
  /** What someone else saved since this draft was started; null without it. */
  theirs: Work | null
  takeTheirs(): void
  /**
   * Saves the draft, unless someone else has saved in the meantime. Resolves to whether it saved.
   * @param isForced overwrite what they saved
   */
  save(isForced?: boolean): Promise<boolean>
  /** Reads what others did since the template was loaded. */
  refresh(): Promise<void>
  /**
   * Saves what is not saved yet, and publishes it, unless the published version is not the one that the user sees. Asks
   * first if something looks like a placeholder and is none. Resolves to whether it published.
   */
  publish(): Promise<boolean>
  /** Discards the changes that are not published, and those that are not saved. */
  discard(): Promise<void>
}

/** The state of editing a template, from what was loaded to what is published. */
export function useDraft(latest: Work): Editing {
  const { id: teamId } = useTeam()
  const client = useQueryClient()
  const { base, setBase, draft, setDraft, isChanged, theirs, adopt } = useContent(latest)
  const queryKey = workKeyOf(teamId, latest.id)
  const { attempt, isSaving, error } = useAttempt(queryKey)
  /** Responses that were requested before must not replace what is stored now. */
  const remember = async (work: Work) => {
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, work)
    setBase(work)
    void client.invalidateQueries({ queryKey: keyOf(teamId, '/templates') })
  }
  /** @returns null if someone else saved in the meantime */
  const store = async (isForced: boolean): Promise<Work | null> => {
    const now = await readWork(teamId, latest.id)
    if (isNewer(now, base) && !isForced) {
      client.setQueryData(queryKey, now)
      return null
    }
    const work = isForced || isChanged ? await storeWork(teamId, now, draft) : now
    await remember(work)
    return work
  }
  return {
    draft,
    base: nameOfState(base),
    edit: (changes) => setDraft((before) => ({ ...before, ...changes })),
    isChanged,
    isSaving,
    error,
    theirs: isChanged ? theirs : null,
    takeTheirs: () => theirs !== null && adopt(theirs),
    save: (isForced = false) =>
      attempt(async () => {
        const work = await store(isForced)
        if (work === null) return null
        return savesDraft(work) ? 'Saved as a draft. Emails use the published version.' : 'Saved.'
      }),
    refresh: () => client.invalidateQueries({ queryKey }),
    publish: () =>
      attempt(async () => {
        const work = await store(false)
        if (work === null) return null
        // Saving a template that is not live makes a new version of it; that of a live one stays.
        if (savesDraft(work) && work.live.version !== latest.live.version) return null
        if (!(await confirmWarnings(work.warnings))) return null
        await remember(await publishWork(teamId, work))
        return 'Published. Emails can now use this template.'
      }),
    discard: async () => {
      await attempt(async () => {
        if (base.unpublished !== null) await discardWork(teamId, base)
        const now = await readWork(teamId, latest.id)
        await remember(now)
        setDraft(draftOf(now))
        return 'Draft discarded.'
      })
    },
  }
}

/** Tells the user the outcome of saving: `work` resolves to a message, or to null when a conflict is shown instead. */
function useAttempt(queryKey: QueryKey) {
  const client = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const attempt = async (work: () => Promise<string | null>): Promise<boolean> => {
    setSaving(true)
    setError(null)
    try {
      const message = await work()
      if (message !== null) notifyDone(message)
      return message !== null
    } catch (failure) {
      setError(failure)
      void client.invalidateQueries({ queryKey })
      const isBeside = failure instanceof ApiError && Object.keys(failure.fields).length > 0
      notifyError(isBeside ? 'Not saved. Correct the marked fields.' : failure)
      return false
    } finally {
      setSaving(false)
    }
  }
  return { attempt, isSaving, error }
}

/** The content in the editor, and what it was started from. */
function useContent(latest: Work) {
  const [base, setBase] = useState(latest)
  const [draft, setDraft] = useState(() => draftOf(latest))
  const isChanged = !isSameDraft(draft, draftOf(base))
  const theirs = isNewer(latest, base) ? latest : null
  const adopt = (work: Work) => {
    setBase(work)
    setDraft(draftOf(work))
  }
  useEffect(() => {
    // Without own changes, the other version replaces the draft.
    if (theirs === null || isChanged) return
    setBase(theirs)
    setDraft(draftOf(theirs))
  }, [theirs, isChanged])
  return { base, setBase, draft, setDraft, isChanged, theirs, adopt }
}
