import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import type { WebhookDelivery, WebhookWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { notifyError } from '../../ui/notifications.tsx'
import { EVENT_CHOICES } from './event-types.ts'

interface TestFormProps {
  isOpen: boolean
  onClose(): void
  webhook: WebhookWhole
  /** Called with the id of the delivery. */
  onSent(id: string): void
}

/** Sends an example event to an endpoint. */
export function TestForm({ isOpen, onClose, webhook, onSent }: TestFormProps) {
  const [type, setType] = useState<string>(webhook.events?.[0] ?? 'email.delivered')
  const change = useChange<WebhookDelivery>({ onDone: ({ id }) => onSent(id), onError: notifyError })
  const send = () => {
    onClose()
    change.mutate({ path: `/webhooks/${webhook.id}/test`, method: 'POST', body: { type } })
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="Send test">
      <Stack>
        <Select
          label="Event"
          description="Sends a signed example of this event."
          data={EVENT_CHOICES}
          value={type}
          onChange={(value) => setType(value ?? type)}
          allowDeselect={false}
          searchable
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={send}>Send</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
