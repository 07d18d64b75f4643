import { ActionIcon, Button, Text } from '@mantine/core'
import { IconCalendarClock, IconTrash, IconX } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Campaign } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { NotYet } from '../../ui/page/not-yet.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { CampaignForm } from './campaign-form.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { texts } from './texts.ts'
import { NOT_YET } from './words.ts'

/** One campaign: its content and audience, and the actions that schedule it. */
export function CampaignPage() {
  const team = useTeam()
  const { campaignId } = useParams({ from: '/inside/$teamId/campaigns/$campaignId' })
  const { data, error, refetch } = useGet<Campaign>(`/campaigns/${campaignId}`)
  const scheduling = useDialog('schedule')
  const trail = [{ label: texts.page.campaigns, to: `/${team.id}/campaigns` }]
  const mayChange = useMay().change('Campaigns')
  if (data === undefined)
    return (
      <PendingPage title={texts.page.campaign} trail={trail} error={error} onRetry={() => void refetch()} />
    )
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
                {texts.page.scheduledFor} <Moment at={data.scheduled_at} />
              </>
            ),
          }
        : {})}
      actions={mayChange && <Moves campaign={data} onSchedule={() => scheduling.open()} />}
    >
      <NotYet title={texts.page.campaignsNotSentYet}>{NOT_YET}</NotYet>
      <CampaignForm key={`${data.id} ${data.status}`} campaign={data} isFixed={!mayChange || isFixed(data)} />
      {mayChange && <ScheduleDialog campaign={data} isOpen={scheduling.isOpen} onClose={scheduling.close} />}
    </Page>
  )
}

/** A campaign that is canceled or being sent can only be renamed. */
const isFixed = ({ status }: Campaign) => status !== 'draft' && status !== 'scheduled'

interface MovesProps {
  campaign: Campaign
  onSchedule(): void
}

function Moves({ campaign, onSchedule }: MovesProps) {
  const { id, status } = campaign
  const move = useChange()
  const moveTo = (next: string, message: string) =>
    move.mutate(
      { path: `/campaigns/${id}`, method: 'PATCH', body: { status: next } },
      { onError: notifyError, onSuccess: () => notifyDone(message) },
    )
  return (
    <>
      {status === 'draft' && (
        <Button variant="default" leftSection={<IconCalendarClock />} onClick={onSchedule}>
          {texts.page.schedule}
        </Button>
      )}
      {status === 'scheduled' && (
        <>
          <Button variant="default" onClick={() => moveTo('draft', texts.page.campaignDraftAgain)}>
            {texts.page.returnToDraft}
          </Button>
          <Button
            variant="default"
            leftSection={<IconX />}
            onClick={() => moveTo('canceled', texts.page.campaignCanceled)}
          >
            {texts.page.cancelTheCampaign}
          </Button>
        </>
      )}
      {status === 'canceled' && (
        <Button variant="default" onClick={() => moveTo('draft', texts.page.campaignDraftAgain)}>
          {texts.page.returnToDraft}
        </Button>
      )}
      <Delete campaign={campaign} />
    </>
  )
}

function Delete({ campaign: { id, name } }: { campaign: Campaign }) {
  const team = useTeam()
  const navigate = useNavigate()
  const remove = useChange({
    onDone: () => {
      notifyDone(texts.page.campaignDeleted(name))
      void navigate({ to: `/${team.id}/campaigns` })
    },
  })
  const ask = () =>
    confirm({
      title: texts.page.deleteQuestion(name),
      children: <Text size="sm">{texts.page.youCannotUndoThis}</Text>,
      action: texts.page.deleteTheCampaign,
      onConfirm: () =>
        remove.mutate({ path: `/campaigns/${id}`, method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <ActionIcon variant="default" size={36} aria-label={texts.page.deleteTheCampaign} onClick={ask}>
      <IconTrash />
    </ActionIcon>
  )
}
