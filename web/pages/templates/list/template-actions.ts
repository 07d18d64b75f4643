import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { keyOf } from '../../../api/query-keys.ts'
import type { Template, TemplateSummary } from '../../../api/records.ts'
import { requestJson } from '../../../api/request.ts'
import { useTeam } from '../../../api/team.ts'
import { notifyDone, notifyError } from '../../../ui/notifications.tsx'

/**
 * Actions on a template, for the list and the editor. Their notifications appear even after the menu or dialog has
 * closed.
 */
export function useTemplateActions({ id, folder_id }: Pick<TemplateSummary, 'id' | 'folder_id'>) {
  const { id: teamId } = useTeam()
  const navigate = useNavigate()
  const client = useQueryClient()
  const path = `/templates/${id}`
  const readAgain = () => client.invalidateQueries({ queryKey: keyOf(teamId, '/templates') })
  const move = async (folderId: string | null) => {
    await requestJson<Template>(path, { method: 'PUT', teamId, body: { folder_id: folderId } })
    await readAgain()
  }
  return {
    async duplicate() {
      const copy = await requestJson<Template>(`${path}/duplicate`, { method: 'POST', teamId }).catch(
        notifyError,
      )
      if (copy === undefined) return
      notifyDone('Template copied as a draft.')
      void readAgain()
      await navigate({ to: `/${teamId}/templates/${copy.id}` })
    },
    move: (folderId: string | null) =>
      move(folderId).then(
        () => notifyDone('Template moved.', () => void move(folder_id).catch(notifyError)),
        notifyError,
      ),
    /** @param leave leaves the page of the template, which no longer exists */
    remove: (leave?: () => void) =>
      requestJson(path, { method: 'DELETE', teamId }).then(() => {
        leave?.()
        notifyDone('Template deleted.')
        void readAgain()
      }, notifyError),
  }
}
