import { Skeleton, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTeam } from '../../../api/team.ts'
import { PendingPage } from '../../../ui/page/pending-page.tsx'
import { useWork } from '../draft/work.ts'
import { Editor } from './editor.tsx'

/** One template: its editor, which is read-only for users who may not change it. */
export function TemplatePage() {
  const team = useTeam()
  const { templateId = '' } = useParams({ strict: false }) as { templateId?: string }
  const { data, error, refetch } = useWork(templateId)
  if (data !== undefined) return <Editor key={data.id} latest={data} />
  const trail = [{ label: 'Templates', to: `/${team.id}/templates` }]
  return (
    <PendingPage title="Template" trail={trail} error={error} onRetry={() => void refetch()}>
      <Stack aria-busy>
        <Skeleton height={130} />
        <Skeleton height={480} />
      </Stack>
    </PendingPage>
  )
}
