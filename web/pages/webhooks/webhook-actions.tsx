import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconDots,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { WebhookWhole } from '../../api/records.ts'
import { useChange, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'

interface WebhookActionsProps {
  webhook: WebhookWhole
  onEdit(): void
  onTest(): void
  onReplay(): void
}

/** What can be done with an endpoint. */
export function WebhookActions({ webhook, onEdit, onTest, onReplay }: WebhookActionsProps) {
  const team = useTeam()
  const mayChange = useMay().change('Webhooks')
  const navigate = useNavigate()
  const toggle = useChange<WebhookWhole>({
    touches: ['/attention'],
    onDone: ({ status }) =>
      tellDone(status === 'enabled' ? 'It is told again of what happens.' : 'It is switched off.'),
  })
  const remove = useChange({
    touches: ['/attention'],
    onDone: () => {
      tellDone('The endpoint is removed.')
      void navigate({ to: `/${team.id}/webhooks` })
    },
  })
  if (!mayChange) return null
  const path = `/webhooks/${webhook.id}`
  const isEnabled = webhook.status === 'enabled'
  const switchIt = () =>
    toggle.mutate(
      { path, method: 'PATCH', body: { status: isEnabled ? 'disabled' : 'enabled' } },
      { onError: tellError },
    )
  const ask = () =>
    confirm({
      title: 'Remove this endpoint?',
      children: 'Nothing is sent to it any more, and what was sent can no longer be looked at.',
      action: 'Remove the endpoint',
      onConfirm: () => remove.mutate({ path, method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <>
      <Button leftSection={<IconSend size={16} />} onClick={onTest}>
        Send a test
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={15} />} onClick={onEdit}>
            Change
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory size={15} />} onClick={onReplay}>
            Replay events
          </Menu.Item>
          <Menu.Item
            leftSection={isEnabled ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
            onClick={switchIt}
          >
            {isEnabled ? 'Disable' : 'Enable'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={ask}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
