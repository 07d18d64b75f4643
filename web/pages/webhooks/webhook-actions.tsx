import { Button, Menu } from '@mantine/core'
import {
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import type { WebhookWhole } from '../../api/records.ts'
import { useChange, useMay } from '../../api/team.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'

interface WebhookActionsProps {
  webhook: WebhookWhole
  onEdit(): void
  onTest(): void
  onReplay(): void
}

/** The actions on an endpoint. */
export function WebhookActions({ webhook, onEdit, onTest, onReplay }: WebhookActionsProps) {
  const mayChange = useMay().change('Webhooks')
  const toggle = useToggle(webhook)
  const remove = useRemove(webhook)
  if (!mayChange) return null
  const isEnabled = webhook.status === 'enabled'
  return (
    <>
      <Button leftSection={<IconSend />} onClick={onTest}>
        Send test
      </Button>
      <DotsMenu label="More" isFramed>
        <Menu.Item leftSection={<IconPencil />} onClick={onEdit}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory />} onClick={onReplay}>
          Replay events
        </Menu.Item>
        <Menu.Item leftSection={isEnabled ? <IconPlayerPause /> : <IconPlayerPlay />} onClick={toggle}>
          {isEnabled ? 'Disable' : 'Enable'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash />} onClick={remove}>
          Delete
        </Menu.Item>
      </DotsMenu>
    </>
  )
}

/** Returns a function that enables the endpoint, or disables it. */
function useToggle({ id, status }: WebhookWhole): () => void {
  const change = useChange<WebhookWhole>({
    touches: ['/attention'],
    onDone: ({ status }) => notifyDone(status === 'enabled' ? 'Endpoint enabled.' : 'Endpoint disabled.'),
    onError: notifyError,
  })
  const body = { status: status === 'enabled' ? 'disabled' : 'enabled' }
  return () => change.mutate({ path: `/webhooks/${id}`, method: 'PATCH', body })
}

/** Returns a function that removes the endpoint after confirmation, and leads back to the list. */
function useRemove({ id }: WebhookWhole): () => void {
  return useDelete({
    path: `/webhooks/${id}`,
    touches: ['/attention'],
    title: 'Delete this endpoint?',
    children: 'It receives no more events, and its delivery history is deleted.',
    action: 'Delete endpoint',
    done: 'Endpoint deleted.',
    leaveTo: '/webhooks',
  })
}
