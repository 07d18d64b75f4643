import { Text } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import type { Webhook } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import type { Column } from '../../ui/tables/column.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookStatus } from './webhook-status.tsx'

const COLUMNS: readonly Column<Webhook>[] = [
  { header: 'Endpoint', render: (webhook) => <Endpoint webhook={webhook} /> },
  {
    header: 'Events',
    render: ({ events }) => describeEvents(events),
    isWide: true,
    width: '28%',
  },
  { header: 'Status', render: (webhook) => <WebhookStatus webhook={webhook} />, width: 130 },
  momentColumn('Added', ({ created_at: at }) => at, { isRelative: true, width: 130 }),
]

function describeEvents(events: Webhook['events']): string {
  if (events === null) return 'All'
  return events.length > 3
    ? `${events.slice(0, 3).join(', ')} and ${events.length - 3} more`
    : events.join(', ')
}

function Endpoint({ webhook: { url, description } }: { webhook: Webhook }) {
  return (
    <>
      <span className="foreign">{url}</span>
      {description !== null && (
        <Text size="xs" c="dimmed" fw={400} className="foreign">
          {description}
        </Text>
      )}
    </>
  )
}

/** The team's webhook endpoints. */
export function WebhooksPage() {
  const team = useTeam()
  const mayChange = useMay().change('Webhooks')
  const creating = useDialog('new', mayChange)
  const list = useList<Webhook>('/webhooks')
  return (
    <ResourcePage
      title="Webhooks"
      description="Sendwright sends events to your application in signed requests and retries each one until it gets a 2xx response."
      add={mayChange && <AddButton dialog={creating}>Add endpoint</AddButton>}
      columns={COLUMNS}
      list={list}
      linkOf={({ id }) => `/${team.id}/webhooks/${id}`}
      empty={{
        icon: IconWebhook,
        title: 'No endpoints yet',
        children:
          'Add a URL of your application to receive deliveries, bounces and complaints. Every request and response is shown here.',
      }}
    >
      <WebhookForm isOpen={creating.isOpen} onClose={creating.close} webhook={null} />
    </ResourcePage>
  )
}
