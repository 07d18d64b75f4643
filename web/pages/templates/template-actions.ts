import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Template, TemplateSummary } from '../../api/records.ts'
import { ask } from '../../api/request.ts'
import { keyOf, useTeam } from '../../api/team.ts'
import { tellDone, tellError } from '../../ui/notices.tsx'

/**
 * What can be done with a template as a whole, wherever it is shown. What becomes of it is told even when the menu or
 * dialog that began it is closed by then.
 */
export function useTemplateActions({ id, folder_id }: Pick<TemplateSummary, 'id' | 'folder_id'>) {
  const { id: teamId } = useTeam()
  const navigate = useNavigate()
  const client = useQueryClient()
  const path = `/templates/${id}`
  const readAgain = () => client.invalidateQueries({ queryKey: keyOf(teamId, '/templates') })
  const move = async (folderId: string | null) => {
    await ask<Template>(path, { method: 'PUT', teamId, body: { folder_id: folderId } })
    await readAgain()
  }
  return {
    async duplicate() {
      const copy = await ask<Template>(`${path}/duplicate`, { method: 'POST', teamId }).catch(tellError)
      if (copy === undefined) return
      tellDone('The copy is made, a draft.')
      void readAgain()
      await navigate({ to: `/${teamId}/templates/${copy.id}` })
    },
    move: (folderId: string | null) =>
      move(folderId).then(
        () => tellDone('The template is moved.', () => void move(folder_id).catch(tellError)),
        tellError,
      ),
    /** @param leave away from what would be a page of nothing */
    remove: (leave?: () => void) =>
      ask(path, { method: 'DELETE', teamId }).then(() => {
        leave?.()
        tellDone('The template is deleted.')
        void readAgain()
      }, tellError),
  }
}
