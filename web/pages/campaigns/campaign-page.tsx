import { ActionIcon, Button, Text } from '@mantine/core'
import { IconCalendarClock, IconTrash, IconX } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Campaign } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { NotYet } from '../../ui/not-yet.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { PendingPage } from '../../ui/pending-page.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { CampaignForm } from './campaign-form.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { NOT_YET } from './words.ts'

/** One campaign: what it says and to whom; and its way from draft to scheduled. */
export function CampaignPage() {
  const team = useTeam()
  const { campaignId } = useParams({ from: '/inside/$teamId/campaigns/$campaignId' })
  const { data, error, refetch } = useGet<Campaign>(`/campaigns/${campaignId}`)
  const scheduling = useDialog('schedule')
  const trail = [{ label: 'Campaigns', to: `/${team.id}/campaigns` }]
  const mayChange = useMay().change('Campaigns')
  if (data === undefined)
    return <PendingPage title="Campaign" trail={trail} error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title={data.name}
      trail={trail}
      isNarrow
      badge={<StatusBadge status={data.status} />}
      {...(data.status === 'scheduled'
        ? {
            description: (
              <>
                Scheduled for <Moment at={data.scheduled_at} />
              </>
            ),
          }
        : {})}
      actions={mayChange && <Moves campaign={data} onSchedule={() => scheduling.open()} />}
    >
      <NotYet title="Campaigns are not sent yet">{NOT_YET}</NotYet>
      <CampaignForm key={`${data.id} ${data.status}`} campaign={data} isFixed={!mayChange || isFixed(data)} />
      {mayChange && <ScheduleDialog campaign={data} isOpen={scheduling.isOpen} onClose={scheduling.close} />}
    </Page>
  )
}

/** Once it is canceled or on its way, nothing but its name changes. */
const isFixed = ({ status }: Campaign) => status !== 'draft' && status !== 'scheduled'

function Moves({
  campaign: { id, status, name },
  onSchedule,
}: {
  campaign: Campaign
  onSchedule: () => void
}) {
  const team = useTeam()
  const navigate = useNavigate()
  const move = useChange()
  const moveTo = (next: string, message: string) =>
    move.mutate(
      { path: `/campaigns/${id}`, method: 'PATCH', body: { status: next } },
      { onError: tellError, onSuccess: () => tellDone(message) },
    )
  const remove = useChange({
    onDone: () => {
      tellDone(`The campaign “${name}” is deleted.`)
      void navigate({ to: `/${team.id}/campaigns` })
    },
  })
  const askRemove = () =>
    confirm({
      title: `Delete “${name}”?`,
      children: <Text size="sm">There is no way back.</Text>,
      action: 'Delete the campaign',
      onConfirm: () => remove.mutate({ path: `/campaigns/${id}`, method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <>
      {status === 'draft' && (
        <Button variant="default" leftSection={<IconCalendarClock size={16} />} onClick={onSchedule}>
          Schedule
        </Button>
      )}
      {status === 'scheduled' && (
        <>
          <Button variant="default" onClick={() => moveTo('draft', 'It is a draft again.')}>
            Back to draft
          </Button>
          <Button
            variant="default"
            leftSection={<IconX size={16} />}
            onClick={() => moveTo('canceled', 'It is canceled.')}
          >
            Cancel the campaign
          </Button>
        </>
      )}
      {status === 'canceled' && (
        <Button variant="default" onClick={() => moveTo('draft', 'It is a draft again.')}>
          Make it a draft again
        </Button>
      )}
      <ActionIcon variant="default" size={36} aria-label="Delete the campaign" onClick={askRemove}>
        <IconTrash size={17} />
      </ActionIcon>
    </>
  )
}
