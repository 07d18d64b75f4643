import { useNavigate } from '@tanstack/react-router'
import type { Template, TemplateSummary } from '../../api/records.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { tellDone, tellError } from '../../ui/notices.tsx'

/** What can be done with a template as a whole, wherever it is shown. */
export function useTemplateActions({ id, folder_id }: Pick<TemplateSummary, 'id' | 'folder_id'>) {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange<Template>()
  const move = (folderId: string | null, onDone: () => void = () => {}) =>
    change.mutate(
      { method: 'PUT', path: `/templates/${id}`, body: { folder_id: folderId } },
      { onError: tellError, onSuccess: onDone },
    )
  return {
    duplicate: () =>
      change.mutate(
        { method: 'POST', path: `/templates/${id}/duplicate` },
        {
          onError: tellError,
          onSuccess: (copy) => {
            tellDone('This is the copy, a draft.')
            void navigate({ to: `/${team.id}/templates/${copy.id}` })
          },
        },
      ),
    move: (folderId: string | null) =>
      move(folderId, () => tellDone('The template is moved.', () => move(folder_id))),
    /** @param onDone before the answer to its page would be that there is none */
    remove: (onDone?: () => void) =>
      change.mutate(
        { method: 'DELETE', path: `/templates/${id}` },
        {
          onError: tellError,
          onSuccess: () => {
            onDone?.()
            tellDone('The template is deleted.')
          },
        },
      ),
  }
}
