import { Button } from '@mantine/core'
import { IconRepeat, IconX } from '@tabler/icons-react'
import type { EmailSummary } from '../../api/records.ts'
import { useMay } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useEach } from '../../ui/tables/use-each.ts'
import { texts } from './texts.ts'

/** The API changes one email per request. A larger choice is refused rather than left half done. */
const CHANGED_MAX = 500

/** The actions on the chosen emails: cancels those that are scheduled, and sends the others again. */
export function EmailBulk({ chosen, onDone }: { chosen: readonly EmailSummary[]; onDone(): void }) {
  const may = useMay()
  const each = useEach()
  if (!may.change('Emails')) return null
  const scheduled = chosen.filter(({ status }) => status === 'scheduled')
  const others = chosen.filter(({ status }) => status !== 'scheduled')
  const askCancel = () =>
    confirm({
      title: texts.bulk.cancelTitle(scheduled.length),
      children: texts.bulk.cancelNote,
      action: texts.bulk.cancelAction,
      onConfirm: () =>
        each.run(
          scheduled.map(({ id }) => ({ path: `/emails/${id}/cancel`, method: 'POST' })),
          texts.bulk.cancelled,
          onDone,
        ),
    })
  const askResend = () =>
    confirm({
      title: texts.bulk.resendTitle(others.length),
      children: texts.bulk.resendNote,
      action: texts.bulk.resendAction,
      onConfirm: () =>
        each.run(
          others.map(({ id }) => ({ path: `/emails/${id}/resend`, method: 'POST', body: {} })),
          texts.bulk.resent,
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
          {texts.bulk.cancel(scheduled.length)}
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
          {texts.bulk.resend(others.length)}
        </Button>
      )}
    </>
  )
}
