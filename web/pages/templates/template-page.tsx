import { Skeleton, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Template } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Page } from '../../ui/page.tsx'
import { Editor } from './editor.tsx'

/** One template: its editor, or what it says for those who may not change it. */
export function TemplatePage() {
  const team = useTeam()
  const { templateId = '' } = useParams({ strict: false }) as { templateId?: string }
  const { data, error, refetch } = useGet<Template>(`/templates/${encodeURIComponent(templateId)}`)
  if (data !== undefined) return <Editor key={data.id} latest={data} />
  return (
    <Page title="Template" trail={[{ label: 'Templates', to: `/${team.id}/templates` }]}>
      {error === null ? (
        <Stack aria-busy>
          <Skeleton height={130} />
          <Skeleton height={480} />
        </Stack>
      ) : (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}
