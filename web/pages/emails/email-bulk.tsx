import { Button } from '@mantine/core'
import { IconRepeat, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { EmailSummary } from '../../api/records.ts'
import { type Change, useMay } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { plural } from '../../ui/plural.ts'
import { useEach } from '../../ui/tables/use-each.ts'

/** The API changes one email per request. A larger choice is refused rather than left half done. */
const CHANGED_MAX = 500

interface EmailBulkProps {
  emails: readonly EmailSummary[]
  /** Called with the emails that an action has changed or sent again. */
  onDone(emails: readonly EmailSummary[]): void
}

/** The actions on the chosen emails: cancels those that are scheduled, and sends the others again. */
export function EmailBulk({ emails, onDone }: EmailBulkProps) {
  const may = useMay()
  const each = useEach()
  const [keys] = useState(() => new Map<string, string>())
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
          changeOf: ({ id }) => resend(id, keys),
          describe: (count) => plural(count, '1 email sent again.', `${count} emails sent again.`),
          onDone(sent) {
            for (const { id } of sent) keys.delete(id)
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

/**
 * Returns the request that sends an email again. Its idempotency key stays in `keys` until a response says that it was
 * sent: if only the response was lost, another attempt sends nothing.
 */
function resend(id: string, keys: Map<string, string>): Change {
  const key = keys.get(id) ?? newKey()
  keys.set(id, key)
  return { path: `/emails/${id}/resend`, method: 'POST', body: {}, headers: { 'idempotency-key': key } }
}

/** Not `randomUUID`, which browsers offer only over HTTPS. */
const newKey = () => `resend-${crypto.getRandomValues(new BigUint64Array(2)).join('-')}`
