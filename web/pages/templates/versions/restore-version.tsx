import { Button } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { TemplateVersion } from '../../../api/records.ts'
import { requestJson } from '../../../api/request.ts'
import { useChange, useTeam } from '../../../api/team.ts'
import { confirm } from '../../../ui/forms/confirm.tsx'
import { ConflictNote } from '../../../ui/forms/conflict-note.tsx'
import { notifyDone, notifyError } from '../../../ui/notifications.tsx'
import { nameOfContent, readWork, savesDraft, type Work } from '../draft/work.ts'

const RESTORED_AS = {
  version:
    'Its subject, content, variables, sender and Reply-To become a new version. The current version stays in this list.',
  draft:
    'Its subject, content, variables, sender and Reply-To become the draft. Emails keep using the published version until you publish the draft.',
}

interface Restoring {
  isPending: boolean
  /** Asks before it restores the version. */
  ask(version: number): Promise<void>
  /** What someone else saved or published after the user was asked; null without it. */
  theirs: Work | null
  /** Keeps what they saved. */
  takeTheirs(): void
  /** Restores the version in spite of it. */
  overwrite(): void
}

/**
 * Restores versions of a template. In place of a template that emails use, a version becomes the draft, which is compared before
 * it is published.
 */
export function useRestoring(templateId: string): Restoring {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange({ onError: notifyError })
  const [conflict, setConflict] = useState<{ version: number; theirs: Work } | null>(null)
  const read = () => readWork(team.id, templateId).catch(notifyError)
  /** @param work what the user knows of */
  const restore = async (version: number, work: Work) => {
    const now = await read()
    if (now === undefined) return
    // Restoring would overwrite what others saved meanwhile, or go live at once if they published it.
    const isSame = nameOfContent(now) === nameOfContent(work)
    setConflict(isSame ? null : { version, theirs: now })
    if (!isSame) return
    const request = await requestOf(team.id, version, now).catch(notifyError)
    if (request === undefined) return
    change.mutate(request, {
      onSuccess: () => {
        notifyDone(
          savesDraft(now)
            ? `Version ${version} is the draft now. It is not published yet.`
            : `Version ${version} restored.`,
        )
        void navigate({ to: `/${team.id}/templates/${now.id}` })
      },
    })
  }
  return {
    isPending: change.isPending,
    async ask(version) {
      // Others may have saved a draft, or published, since this page was loaded.
      const work = await read()
      if (work === undefined) return
      const words = RESTORED_AS[savesDraft(work) ? 'draft' : 'version']
      confirm({
        title: `Restore version ${version}?`,
        children: work.unpublished === null ? words : `${words} This replaces the current draft.`,
        action: `Restore version ${version}`,
        onConfirm: () => void restore(version, work),
        isDangerous: false,
      })
    },
    theirs: conflict?.theirs ?? null,
    takeTheirs: () => setConflict(null),
    overwrite: () => conflict !== null && void restore(conflict.version, conflict.theirs),
  }
}

/** Returns the request that restores a version, which saves it as the draft if emails may use the template. */
async function requestOf(teamId: string, version: number, work: Work) {
  const { id, live, unpublished } = work
  const path = `/templates/${id}`
  if (!savesDraft(work)) return { method: 'POST', path: `${path}/versions/${version}/restore` } as const
  const content = await requestJson<TemplateVersion>(`${path}/versions/${version}`, { teamId })
  const { subject, html_content, text_content, reply_to, variables, sender } = content
  const body = { subject, html_content, text_content, reply_to, variables }
  const sender_id = sender?.id ?? live.sender.id
  const revision = unpublished?.revision ?? 0
  return {
    method: 'PUT',
    path: `${path}/draft`,
    body: { ...body, sender_id, base_version: live.version, revision },
  } as const
}

export function RestoreButton({ restoring, version }: { restoring: Restoring; version: number }) {
  return (
    <Button
      leftSection={<IconRestore />}
      onClick={() => void restoring.ask(version)}
      loading={restoring.isPending}
    >
      Restore version {version}
    </Button>
  )
}

/** Shown when someone else saved or published the template while the user was asked. */
export function RestoreConflict({ restoring }: { restoring: Restoring }) {
  const { theirs, takeTheirs, overwrite, isPending } = restoring
  if (theirs === null) return null
  const { id, version, status, unpublished, updated_at: at } = theirs
  const versionNow = status === 'published' ? `Version ${version}, which is published,` : `Version ${version}`
  return (
    <ConflictNote
      noun="template"
      theirs={{ what: unpublished === null ? versionNow : 'A draft', at }}
      path={`/templates/${id}`}
      isSaving={isPending}
      onTake={takeTheirs}
      onOverwrite={overwrite}
    />
  )
}
