import './captured.css'
import { Anchor, Button } from '@mantine/core'
import { IconArrowLeft, IconInbox, IconTrash } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { CapturedSummary } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { plural } from '../../ui/plural.ts'
import { CapturedList } from './captured-list.tsx'
import { CapturedMessage } from './captured-message.tsx'

/** The mailbox of capture mode: a list of messages next to the chosen one. */
export function CapturedPage() {
  const team = useTeam()
  const { capturedId = null } = useParams({ strict: false }) as { capturedId?: string }
  const list = useList<CapturedSummary>('/captured')
  const isEmpty = !list.isPending && list.rows.length === 0 && list.error === null
  return (
    <Page
      title="Mailbox"
      description="In capture mode, no email leaves this server. Messages appear here instead, one for each recipient. Account emails (invitations, password resets) are not captured: the server prints their links in its terminal and log."
      actions={!isEmpty && <ClearButton count={list.total} />}
    >
      {isEmpty && capturedId === null ? (
        <div className="card">
          <NothingYet />
        </div>
      ) : (
        <div className="card mailbox" data-reading={capturedId === null ? undefined : true}>
          <CapturedList list={list} chosenId={capturedId} />
          <div className="mailbox-message">
            {capturedId === null ? (
              <EmptyState icon={IconInbox} title="No message selected">
                Select a message to see it as its recipient would.
              </EmptyState>
            ) : (
              <>
                <Anchor component={Link} to={`/${team.id}/captured`} size="sm" className="mailbox-back">
                  <IconArrowLeft aria-hidden /> All messages
                </Anchor>
                <CapturedMessage key={capturedId} id={capturedId} />
              </>
            )}
          </div>
        </div>
      )}
    </Page>
  )
}

function ClearButton({ count }: { count: number | null }) {
  const team = useTeam()
  const may = useMay()
  const navigate = useNavigate()
  const clear = useChange<{ count: number }>({
    onError: notifyError,
    onDone({ count }) {
      notifyDone(plural(count, '1 message deleted.', `${count} messages deleted.`))
      void navigate({ to: `/${team.id}/captured` })
    },
  })
  if (!may.change('Captured')) return null
  const all = count === null || count === 1 ? 'All' : `All ${count.toLocaleString()}`
  const ask = () =>
    confirm({
      title: 'Empty mailbox?',
      children: `${all} captured messages of this team are deleted. The emails and their events are kept.`,
      action: 'Empty mailbox',
      onConfirm: () => clear.mutate({ path: '/captured', method: 'DELETE' }),
    })
  return (
    <Button variant="default" leftSection={<IconTrash />} onClick={ask} loading={clear.isPending}>
      Empty mailbox
    </Button>
  )
}

function NothingYet() {
  const team = useTeam()
  const isCapturing = useSession().installation.delivery === 'capture'
  if (!isCapturing)
    return (
      <EmptyState icon={IconInbox} title="This installation delivers email">
        Messages are captured only if SENDWRIGHT_DELIVERY is “capture”. Sent emails are listed under Emails.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={IconInbox}
      title="The mailbox is empty"
      action={
        <Button component={Link} to={`/${team.id}`} search={{ send: 'true' } as never}>
          Send test email
        </Button>
      }
    >
      Send an email to any address. Its messages appear here, as the recipients would see them.
    </EmptyState>
  )
}
