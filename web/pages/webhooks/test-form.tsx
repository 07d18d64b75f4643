import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import type { WebhookDelivery, WebhookWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { notifyError } from '../../ui/page/notifications.tsx'
import { EVENT_CHOICES } from './event-types.ts'
import { texts } from './texts.ts'

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
    <Modal opened={isOpen} onClose={onClose} title={texts.testForm.sendATest}>
      <Stack>
        <Select
          label={texts.testForm.event}
          description={texts.testForm.sendsSignedExampleEvent}
          data={EVENT_CHOICES}
          value={type}
          onChange={(value) => setType(value ?? type)}
          allowDeselect={false}
          searchable
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.testForm.cancel}
          </Button>
          <Button onClick={send}>{texts.testForm.send}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
