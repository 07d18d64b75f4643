import { Button } from '@mantine/core'
import { IconRepeat, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { EmailSummary } from '../../api/records.ts'
import { useMay } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { plural } from '../../ui/plural.ts'
import { useEach } from '../../ui/tables/use-each.ts'
import { forgetResendKey, type ResendKeys, resendChangeOf } from './resend-change.ts'

/** The API changes one email per request. A larger choice is refused rather than left half done. */
const CHANGED_MAX = 500
/** The body that sends an email again to all of its recipients. */
const TO_ALL = {}

interface EmailBulkProps {
  emails: readonly EmailSummary[]
  /** Called with the emails that an action has changed or sent again. */
  onDone(emails: readonly EmailSummary[]): void
}

/** The actions on the chosen emails: cancels those that are scheduled, and sends the others again. */
export function EmailBulk({ emails, onDone }: EmailBulkProps) {
  const may = useMay()
  const each = useEach()
  const [keys] = useState((): ResendKeys => new Map())
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
        each.run(scheduled, {
          changeOf: ({ id }) => ({ path: `/emails/${id}/cancel`, method: 'POST' }),
          describe: (count) => plural(count, 'Email canceled.', `${count} emails canceled.`),
          onDone,
        }),
    })
  const askResend = () =>
    confirm({
      title: others.length === 1 ? 'Send this email again?' : `Send ${others.length} emails again?`,
      children:
        'Each email is sent as a new email to all of its recipients. Suppressed addresses are skipped.',
      action: 'Send again',
      onConfirm: () =>
        each.run(others, {
          changeOf: ({ id }) => resendChangeOf(id, TO_ALL, keys),
          describe: (count) => plural(count, '1 email sent again.', `${count} emails sent again.`),
          onDone(sent) {
            for (const { id } of sent) forgetResendKey(id, TO_ALL, keys)
            onDone(sent)
          },
        }),
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
