import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { WebhookWhole } from '../../api/records.ts'
import { useGet, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Deliveries } from './deliveries.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { ReplayForm } from './replay-form.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { TestForm } from './test-form.tsx'
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
