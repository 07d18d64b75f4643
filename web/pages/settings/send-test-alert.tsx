import { Button } from '@mantine/core'
import { useChange } from '../../api/team.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'

const SEND_TEST = { email: 'Send a test to me', webhook: 'Send a test to the webhook' }

/** Sends a test alert to the user or to the team's webhook. */
export function SendTest({ channel }: { channel: 'email' | 'webhook' }) {
  const test = useChange({
    onDone: () => notifyDone('Test queued. Its result appears below.'),
    onError: notifyError,
  })
  const send = () => test.mutate({ path: '/team/notifications/test', method: 'POST', body: { channel } })
  return (
    <Button variant="subtle" onClick={send} loading={test.isPending}>
      {SEND_TEST[channel]}
    </Button>
  )
}
