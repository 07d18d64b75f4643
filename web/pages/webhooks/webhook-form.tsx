import { Modal, MultiSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Webhook } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { saveRequest } from '../../ui/forms/save-request.ts'
import { EVENT_CHOICES } from './event-types.ts'

interface WebhookFormProps {
  isOpen: boolean
  onClose(): void
  /** Null for a new endpoint. */
  webhook: Webhook | null
}

export function WebhookForm({ isOpen, onClose, webhook }: WebhookFormProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={webhook === null ? 'Add endpoint' : 'Edit endpoint'}
      size="lg"
    >
      <Fields webhook={webhook} onClose={onClose} />
    </Modal>
  )
}

const draftOf = (webhook: Webhook | null) => ({
  url: webhook?.url ?? '',
  events: webhook?.events ?? [],
  description: webhook?.description ?? '',
})
const bodyOf = ({ url, events, description }: ReturnType<typeof draftOf>) => ({
  url,
  events: events.length === 0 ? null : events,
  description: description === '' ? null : description,
})

function Fields({ webhook, onClose }: Omit<WebhookFormProps, 'isOpen'>) {
  const team = useTeam()
  const navigate = useNavigate()
  const { form, frame } = useDialogForm({
    initialValues: draftOf(webhook),
    requestOf: (draft, before) =>
      saveRequest({ path: '/webhooks', id: webhook?.id ?? null }, bodyOf(draft), bodyOf(before)),
    touches: ['/attention'],
    onDone:
      webhook === null
        ? ({ id }: Webhook) => void navigate({ to: `/${team.id}/webhooks/${id}` })
        : 'Endpoint changed.',
    onClose,
    names: { endpoint: 'url' },
  })
  return (
    <DialogForm {...frame} action={webhook === null ? 'Add endpoint' : 'Save'}>
      <TextInput
        label="URL"
        description="The HTTPS URL of your application."
        placeholder="https://shop.example.com/hooks/email"
        type="url"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <MultiSelect
        label="Events"
        description="Leave empty for all events."
        data={EVENT_CHOICES}
        searchable
        clearable
        hidePickedOptions
        clearButtonProps={{ 'aria-label': 'Clear events' }}
        {...form.getInputProps('events')}
      />
      <TextInput
        label="Description (optional)"
        description="For your team."
        {...form.getInputProps('description')}
      />
    </DialogForm>
  )
}
