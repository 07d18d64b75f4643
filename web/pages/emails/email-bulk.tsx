import { Button } from '@mantine/core'
import { IconRepeat, IconX } from '@tabler/icons-react'
import type { EmailSummary } from '../../api/records.ts'
import { useMay } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useEach } from '../../ui/tables/use-each.ts'

/** The API changes one email per request. A larger choice is refused rather than left half done. */
const CHANGED_MAX = 500

/** The actions on the chosen emails: cancels those that are scheduled, and sends the others again. */
export function EmailBulk({ emails, onDone }: { emails: readonly EmailSummary[]; onDone(): void }) {
  const may = useMay()
  const each = useEach()
  if (!may.change('Emails')) return null
  const scheduled = emails.filter(({ status }) => status === 'scheduled')
  const others = emails.filter(({ status }) => status !== 'scheduled')
  const askCancel = () =>
    confirm({
      title: scheduled.length === 1 ? 'Cancel this email?' : `Cancel ${scheduled.length} emails?`,
      children:
        'Scheduled emails are not sent and do not count toward your quota. You cannot schedule them again.',
      action: 'Cancel emails',
      onConfirm: () =>
        each.run(
          scheduled.map(({ id }) => ({ path: `/emails/${id}/cancel`, method: 'POST' })),
          (count: number) => (count === 1 ? 'Email canceled.' : `${count} emails canceled.`),
          onDone,
        ),
    })
  const askResend = () =>
    confirm({
      title: others.length === 1 ? 'Send this email again?' : `Send ${others.length} emails again?`,
      children:
        'Each email is sent as a new email to all of its recipients. Suppressed addresses are skipped.',
      action: 'Send again',
      onConfirm: () =>
        each.run(
          others.map(({ id }) => ({ path: `/emails/${id}/resend`, method: 'POST', body: {} })),
          (count: number) => (count === 1 ? '1 email sent again.' : `${count} emails sent again.`),
          onDone,
        ),
    })
  return (
    <>
      {scheduled.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconX />}
          loading={each.isRunning}
          disabled={scheduled.length > CHANGED_MAX}
          onClick={askCancel}
        >
          Cancel {scheduled.length.toLocaleString()}
        </Button>
      )}
      {others.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconRepeat />}
          loading={each.isRunning}
          disabled={others.length > CHANGED_MAX}
          onClick={askResend}
        >
          Send {others.length.toLocaleString()} again
        </Button>
      )}
    </>
  )
}
