import { Button, Text } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import type { Webhook } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
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
  {
    header: 'Added',
    render: ({ created_at }) => <Moment at={created_at} isRelative />,
    isWide: true,
    width: 130,
  },
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
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      Add endpoint
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      description="Sendwright sends events to your application in signed requests and retries each one until it gets a 2xx response."
      actions={mayChange && add}
    >
      <Section isFlush>
        <DataTable
          label="Webhooks"
          columns={COLUMNS}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/webhooks/${id}`}
          empty={
            <EmptyState icon={IconWebhook} title="No endpoints yet" action={mayChange && add}>
              Add a URL of your application to receive deliveries, bounces and complaints. Every request and
              response is shown here.
            </EmptyState>
          }
        />
      </Section>
      <WebhookForm isOpen={creating.isOpen} onClose={creating.close} webhook={null} />
    </Page>
  )
}
