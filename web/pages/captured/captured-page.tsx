import { texts } from './texts.ts'
import './captured.css'
import { Anchor, Button } from '@mantine/core'
import { IconArrowLeft, IconInbox, IconTrash } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { CapturedSummary } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
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
      title={texts.page.mailbox}
      description={texts.page.captureModeNoEmail}
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
              <EmptyState icon={IconInbox} title={texts.page.noMessageSelected}>
                {texts.page.selectMessageSeeRecipient}
              </EmptyState>
            ) : (
              <>
                <Anchor component={Link} to={`/${team.id}/captured`} size="sm" className="mailbox-back">
                  <IconArrowLeft aria-hidden /> {texts.page.allMessages}
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
    onDone({ count: gone }) {
      notifyDone(texts.page.messagesDeleted(gone))
      void navigate({ to: `/${team.id}/captured` })
    },
  })
  if (!may.change('Captured')) return null
  const ask = () =>
    confirm({
      title: texts.page.emptyQuestion,
      children: texts.page.capturedMessagesTeamDeleted(
        count === null || count === 1 ? texts.page.all : texts.page.allCount(count.toLocaleString()),
      ),
      action: texts.page.emptyMailbox,
      onConfirm: () => clear.mutate({ path: '/captured', method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <Button variant="default" leftSection={<IconTrash />} onClick={ask} loading={clear.isPending}>
      {texts.page.emptyTheMailboxText}
    </Button>
  )
}

function NothingYet() {
  const team = useTeam()
  const isCapturing = useSession().installation.delivery === 'capture'
  if (!isCapturing)
    return (
      <EmptyState icon={IconInbox} title={texts.page.thisInstallationDeliversEmail}>
        {texts.page.messagesCapturedOnlyIf}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={IconInbox}
      title={texts.page.theMailboxIsEmpty}
      action={
        <Button component={Link} to={`/${team.id}`} search={{ send: 'true' } as never}>
          {texts.page.sendATestEmail}
        </Button>
      }
    >
      {texts.page.sendEmailAnyAddress}
    </EmptyState>
  )
}
