import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconEye, IconRefresh } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { WebhookDelivery, WebhookWhole } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { Deliveries } from './deliveries.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { EVENT_CHOICES } from './event-types.ts'
import { ReplayForm } from './replay-form.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookStatus } from './webhook-status.tsx'

/** One endpoint and its deliveries. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/inside/$teamId/webhooks/$webhookId' })
  const team = useTeam()
  const { data, error, refetch } = useGet<WebhookWhole>(`/webhooks/${webhookId}`)
  const mayChange = useMay().change('Webhooks')
  const editing = useDialog('edit', mayChange)
  const testing = useDialog('test', mayChange)
  const replaying = useDialog('replay', mayChange)
  const looking = useDialog('delivery')
  const trail = [{ label: 'Webhooks', to: `/${team.id}/webhooks` }]
  if (data === undefined)
    return <PendingPage title="Webhook" trail={trail} error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title={data.url}
      trail={trail}
      badge={<WebhookStatus webhook={data} />}
      description={
        <>
          {data.description !== null && <span className="foreign">{data.description}. </span>}
          {data.events === null ? 'Receives all events.' : `Receives ${data.events.join(', ')}.`}
        </>
      }
      actions={
        <WebhookActions
          webhook={data}
          onEdit={() => editing.open()}
          onTest={() => testing.open()}
          onReplay={() => replaying.open()}
        />
      }
    >
      <StateNote webhook={data} />
      <Deliveries webhookId={data.id} onOpen={(id) => looking.open(id)} />
      <SigningSecret webhook={data} />
      <WebhookForm isOpen={editing.isOpen} onClose={editing.close} webhook={data} />
      <TestForm
        isOpen={testing.isOpen}
        onClose={testing.close}
        webhook={data}
        onSent={(id) => looking.open(id)}
      />
      <ReplayForm isOpen={replaying.isOpen} onClose={replaying.close} webhook={data} />
      <DeliveryDrawer
        webhookId={data.id}
        deliveryId={looking.value}
        onClose={looking.close}
        onOpen={looking.open}
      />
    </Page>
  )
}

function StateNote({ webhook }: { webhook: WebhookWhole }) {
  if (webhook.status === 'disabled')
    return (
      <Alert color="red" icon={<IconAlertTriangle />} title="This endpoint is disabled" mb="md">
        {webhook.disabled_reason !== null && (
          <Text size="sm" className="foreign">
            {webhook.disabled_reason}
          </Text>
        )}
        <Text size="sm">
          An enabled endpoint receives new events only. You can replay the events that it missed.
        </Text>
      </Alert>
    )
  if (webhook.failing_since === null) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title="This endpoint is failing" mb="md">
      No request has succeeded since <Moment at={webhook.failing_since} />. Requests are retried at growing
      intervals. After five days, the endpoint is disabled.
    </Alert>
  )
}

interface TestFormProps {
  isOpen: boolean
  onClose(): void
  webhook: WebhookWhole
  /** Called with the id of the delivery. */
  onSent(id: string): void
}

/** Sends an example event to an endpoint. */
function TestForm({ isOpen, onClose, webhook, onSent }: TestFormProps) {
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

/** The secret by which an endpoint verifies requests. Only users who may change webhooks can see it. */
function SigningSecret({ webhook }: { webhook: WebhookWhole }) {
  const mayChange = useMay().change('Webhooks')
  const [isShown, setShown] = useState(false)
  const rotate = useChange({
    onDone: () => notifyDone('Secret replaced. The old secret also signs requests for 24 hours.'),
    onError: notifyError,
  })
  if (!mayChange || typeof webhook.signing_secret !== 'string') return null
  const ask = () =>
    confirm({
      title: 'Replace signing secret?',
      children:
        'For 24 hours, every request has both signatures, so that you have time to update your application.',
      action: 'Replace secret',
      isDangerous: false,
      onConfirm: () =>
        rotate.mutate({ path: `/webhooks/${webhook.id}/rotate-secret`, method: 'POST', body: {} }),
    })
  return (
    <Section
      title="Signing secret"
      description="Requests are signed according to Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Verify them with a Standard Webhooks or Svix library."
      actions={
        <Button variant="default" leftSection={<IconRefresh />} onClick={ask}>
          Replace
        </Button>
      }
    >
      {isShown ? (
        <CodeBlock text={webhook.signing_secret} label="Copy secret" />
      ) : (
        <Group>
          <Button variant="default" leftSection={<IconEye />} onClick={() => setShown(true)}>
            Show secret
          </Button>
        </Group>
      )}
      {webhook.previous_secret_until !== null && (
        <Text size="sm" c="dimmed" mt="xs">
          The old secret also signs requests until <Moment at={webhook.previous_secret_until} />.
        </Text>
      )}
    </Section>
  )
}
