import { Button } from '@mantine/core'
import { useChange } from '../../api/team.ts'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { texts } from './texts.ts'

/** Sends a test alert to the user or to the team's webhook. */
export function SendTest({ channel }: { channel: 'email' | 'webhook' }) {
  const test = useChange({ onDone: () => notifyDone(texts.notifications.testSent), onError: notifyError })
  const send = () => test.mutate({ path: '/team/notifications/test', method: 'POST', body: { channel } })
  return (
    <Button variant="subtle" onClick={send} loading={test.isPending}>
      {texts.notifications.sendTest[channel]}
    </Button>
  )
}
