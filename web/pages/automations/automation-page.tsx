import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { Automation } from '../../api/records.ts'
import { useGet, useMay, useTeam } from '../../api/team.ts'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { NotYet } from '../../ui/page/not-yet.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { AutomationForm } from './automation-form.tsx'
import { NOT_YET } from './words.ts'

/** One automation. */
export function AutomationPage() {
  const team = useTeam()
  const { automationId } = useParams({ from: '/inside/$teamId/automations/$automationId' })
  const { data, error, refetch } = useGet<Automation>(`/automations/${automationId}`)
  const mayChange = useMay().change('Automations')
  const trail = [{ label: 'Automations', to: `/${team.id}/automations` }]
  if (data === undefined)
    return <PendingPage title="Automation" trail={trail} error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title={data.name}
      trail={trail}
      isNarrow
      badge={<StatusBadge status={data.status} />}
      actions={mayChange && <Remove automation={data} />}
    >
      <NotYet title="Automations do not run yet">{NOT_YET}</NotYet>
      <AutomationForm key={data.id} automation={data} isFixed={!mayChange} />
    </Page>
  )
}

function Remove({ automation: { id, name } }: { automation: Automation }) {
  const ask = useDelete({
    path: `/automations/${id}`,
    title: `Delete “${name}”?`,
    children: 'This can’t be undone. Its templates, lists and segments are kept.',
    action: 'Delete automation',
    done: `Automation “${name}” deleted.`,
    leaveTo: '/automations',
  })
  return (
    <ActionIcon variant="default" size={36} aria-label="Delete automation" onClick={ask}>
      <IconTrash />
    </ActionIcon>
  )
}
