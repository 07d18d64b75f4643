import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import {
  IconCalendarClock,
  IconCopy,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Campaign } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { LeaveGuard } from '../../ui/forms/leave-guard.tsx'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { CampaignChecks } from './campaign-checks.tsx'
import { useCampaignEdits } from './campaign-edits.ts'
import { CampaignForm } from './campaign-form.tsx'
import { CampaignPace } from './campaign-pace.tsx'
import { CampaignPreview } from './campaign-preview.tsx'
import { CampaignProgress } from './campaign-progress.tsx'
import { CampaignRecipients } from './campaign-recipients.tsx'
import { CampaignReport } from './campaign-report.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'

/** While it is being sent. */
const REFRESH_MS = 1000

/** One campaign: its content and audience, and the actions that schedule it. */
export function CampaignPage() {
  const team = useTeam()
  const { campaignId } = useParams({ from: '/inside/$teamId/campaigns/$campaignId' })
  const { data, error, refetch } = useGet<Campaign>(`/campaigns/${campaignId}`, {
    refetchIntervalMs: REFRESH_MS,
    refetchWhile: ({ status }) => status === 'sending',
  })
  const scheduling = useDialog('schedule')
  const { edits, saveFirst, guard } = useCampaignEdits(closedBy(data))
  const trail = [{ label: 'Campaigns', to: `/${team.id}/campaigns` }]
  const mayChange = useMay().change('Campaigns')
  if (data === undefined)
    return <PendingPage title="Campaign" trail={trail} error={error} onRetry={() => void refetch()} />
  const schedule = async () => {
    if (await saveFirst()) scheduling.open()
  }
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
      actions={
        mayChange && <Moves campaign={data} saveFirst={saveFirst} onSchedule={() => void schedule()} />
      }
    >
      <LeaveGuard {...guard} />
      <CampaignProgress campaign={data} />
      {data.started_at !== null && (
        <>
          <CampaignReport campaign={data} />
          <CampaignRecipients campaign={data} />
        </>
      )}
      <CampaignForm
        // The form stays when the status changes, with its edits, as long as they can be saved.
        key={`${data.id} ${isFixed(data)}`}
        campaign={data}
        isFixed={!mayChange || isFixed(data)}
        edits={edits}
      />
      <CampaignPreview campaign={data} />
      {mayChange && !isFixed(data) && <CampaignChecks campaign={data} />}
      {mayChange && mayBePaced(data) && (
        <CampaignPace key={`pace of ${data.id}`} campaign={data} edits={edits} />
      )}
      {mayChange && (
        <ScheduleDialog
          campaign={data}
          isOpen={scheduling.isOpen}
          onClose={scheduling.close}
          saveFirst={saveFirst}
        />
      )}
    </Page>
  )
}

/** A campaign that is canceled, sent or being sent can only be renamed. */
const isFixed = ({ status }: Campaign) => !['draft', 'scheduled', 'paused'].includes(status)

const mayBePaced = ({ status }: Campaign) => !['sent', 'canceled'].includes(status)

/** Returns the forms that do not take edits. */
const closedBy = (campaign: Campaign | undefined) => ({
  content: campaign !== undefined && isFixed(campaign),
  pace: campaign !== undefined && !mayBePaced(campaign),
})

interface RetryProps {
  campaign: Campaign
  /** Saves what the page shows, so that this is what is sent. Resolves to whether it succeeded. */
  saveFirst(): Promise<boolean>
}

interface MovesProps extends RetryProps {
  onSchedule(): void
}

interface Move {
  to: 'draft' | 'sending' | 'paused' | 'canceled'
  label: string
  /** Shown when it is done. */
  done: string
  icon?: ReactNode
  /** Asked before; absent: nothing. */
  question?: { title: string; text: string }
}

const DRAFT: Move = { to: 'draft', label: 'Return to draft', done: 'The campaign is a draft again.' }
const PAUSE: Move = {
  to: 'paused',
  label: 'Pause',
  done: 'Campaign paused. Unsent emails wait.',
  icon: <IconPlayerPause />,
}
const RESUME: Move = {
  to: 'sending',
  label: 'Resume',
  done: 'The campaign is being sent.',
  icon: <IconPlayerPlay />,
}

/** Returns the changes of status that are possible now. */
function movesOf({ name, status, started_at }: Campaign): Move[] {
  const send: Move = {
    to: 'sending',
    label: 'Send now',
    done: 'The campaign is being sent.',
    icon: <IconSend />,
    question: {
      title: `Send “${name}” now?`,
      text: 'It goes to every contact that is in its audience now. You can pause it at any time.',
    },
  }
  const cancel: Move = {
    to: 'canceled',
    label: 'Cancel campaign',
    done: 'Campaign canceled.',
    icon: <IconX />,
    ...(started_at !== null && {
      question: { title: `Cancel “${name}”?`, text: 'Unsent emails are canceled. You can’t undo this.' },
    }),
  }
  switch (status) {
    case 'draft':
      return [send]
    case 'scheduled':
      return [send, DRAFT, cancel]
    case 'sending':
      return [PAUSE, cancel]
    case 'paused':
      return [RESUME, cancel]
    default:
      return status === 'canceled' && started_at === null ? [DRAFT] : []
  }
}

/** The buttons for what can be done with the campaign now. */
function Moves({ campaign, saveFirst, onSchedule }: MovesProps) {
  const { id, status } = campaign
  const change = useChange({ onError: notifyError })
  const make = async ({ to, done }: Move) => {
    // Nothing delays a stop while emails are being sent, and nothing prevents a cancellation.
    if (status !== 'sending' && !(await saveFirst()) && to !== 'canceled') return
    change.mutate(
      { path: `/campaigns/${id}`, method: 'PATCH', body: { status: to } },
      { onSuccess: () => notifyDone(done) },
    )
  }
  const ask = (move: Move) => {
    if (move.question === undefined) return void make(move)
    const { title, text } = move.question
    confirm({
      title,
      action: move.label,
      onConfirm: () => void make(move),
      children: <Text size="sm">{text}</Text>,
    })
  }
  return (
    <>
      {movesOf(campaign).map((move) => (
        <Button key={move.label} variant="default" leftSection={move.icon} onClick={() => ask(move)}>
          {move.label}
        </Button>
      ))}
      {status === 'draft' && (
        <Button variant="default" leftSection={<IconCalendarClock />} onClick={onSchedule}>
          Schedule
        </Button>
      )}
      <Retry campaign={campaign} saveFirst={saveFirst} />
      <Duplicate campaign={campaign} />
      {status !== 'sending' && <Delete campaign={campaign} />}
    </>
  )
}

/** Sends to those again that got no email, for example because a value was missing. */
function Retry({ campaign: { id, status, recipients }, saveFirst }: RetryProps) {
  const onDone = () => notifyDone('Sending to the failed recipients again.')
  const change = useChange({ onDone, onError: notifyError })
  if (recipients.failed === 0 || !['paused', 'sent'].includes(status)) return null
  const retry = async () => {
    if (await saveFirst()) change.mutate({ path: `/campaigns/${id}/retry`, method: 'POST' })
  }
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh />}
      onClick={() => void retry()}
      loading={change.isPending}
    >
      Retry {recipients.failed.toLocaleString()} failed
    </Button>
  )
}

function Duplicate({ campaign: { id } }: { campaign: Campaign }) {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange<Campaign>({
    onError: notifyError,
    onDone: (copy) => {
      notifyDone('Campaign duplicated. This is the copy.')
      void navigate({ to: `/${team.id}/campaigns/${copy.id}` })
    },
  })
  const duplicate = () => change.mutate({ path: `/campaigns/${id}/duplicate`, method: 'POST' })
  return (
    <Tooltip label="Duplicate">
      <ActionIcon variant="default" size={36} aria-label="Duplicate" onClick={duplicate}>
        <IconCopy />
      </ActionIcon>
    </Tooltip>
  )
}

function Delete({ campaign: { id, name } }: { campaign: Campaign }) {
  const ask = useDelete({
    path: `/campaigns/${id}`,
    title: `Delete “${name}”?`,
    children: <Text size="sm">This can’t be undone.</Text>,
    action: 'Delete campaign',
    done: `Campaign “${name}” deleted.`,
    leaveTo: '/campaigns',
  })
  return (
    <ActionIcon variant="default" size={36} aria-label="Delete campaign" onClick={ask}>
      <IconTrash />
    </ActionIcon>
  )
}
