import { Modal, MultiSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { Webhook } from '../../api/records.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
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

function Fields({ webhook, onClose }: Omit<WebhookFormProps, 'isOpen'>) {
  const team = useTeam()
  const navigate = useNavigate()
  const form = useForm({ initialValues: draftOf(webhook) })
  const change = useChange<Webhook>({
    touches: ['/attention'],
    onError: (error) => showFieldErrors(form, error, { endpoint: 'url' }),
    onDone: ({ id }) => {
      if (webhook === null) return void navigate({ to: `/${team.id}/webhooks/${id}` })
      notifyDone('Endpoint changed.')
      onClose()
    },
  })
  const submit = form.onSubmit(({ url, events, description }) => {
    const body = {
      url,
      events: events.length === 0 ? null : events,
      description: description === '' ? null : description,
    }
    if (webhook === null) change.mutate({ path: '/webhooks', method: 'POST', body })
    else change.mutate({ path: `/webhooks/${webhook.id}`, method: 'PATCH', body })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
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
        <ErrorNote error={change.error} shownFields={['url', 'endpoint', 'events', 'description']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {webhook === null ? 'Add endpoint' : 'Save'}
        </FormFooter>
      </Stack>
    </form>
  )
}
