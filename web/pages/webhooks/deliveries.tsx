import { Anchor, Group, Select, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { WebhookDelivery } from '../../api/records.ts'
import { useList } from '../../api/team.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'
import { ListTools } from '../../ui/tables/list-tools.tsx'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { showDuration } from '../../ui/times.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { EVENT_CHOICES } from './event-types.ts'

const REFRESH_MS = 5_000
/** The type of calls by automations. Like tests, they have no event. */
const CALL = 'automation.webhook'
const TYPES = [
  ...EVENT_CHOICES,
  { group: 'Automation', items: [{ value: CALL, label: `${CALL} · Call by an automation` }] },
]
const STATUSES = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
]

/** The deliveries to an endpoint, newest first. */
export function Deliveries({ webhookId, onOpen }: { webhookId: string; onOpen(id: string): void }) {
  const filters = useFilters(['status', 'type'])
  const columns: readonly Column<WebhookDelivery>[] = [
    {
      header: 'Event',
      render: ({ id, type, event_id }) => (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onOpen(id)}>
          {type}
          {event_id === null && type !== CALL && ' (test)'}
        </Anchor>
      ),
    },
    ...FACTS,
  ]
  const view = useListView('deliveries', columns, ['status', 'type'])
  const path = `/webhooks/${webhookId}/deliveries`
  const list = useList<WebhookDelivery>(path, {
    query: filters.filters,
    refetchIntervalMs: REFRESH_MS,
    isOldestFirst: view.isOldestFirst,
  })
  return (
    <Section title="Deliveries" isFlush>
      <FilterBar filters={filters} tools={<ListTools view={view} />} />
      <DataTable
        label="Deliveries"
        view={view}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon={IconSend}
            title={filters.isFiltered ? 'No matching deliveries' : 'No deliveries yet'}
          >
            <Text size="sm">Send a test to see the request and your application’s response.</Text>
          </EmptyState>
        }
      />
    </Section>
  )
}

const FACTS: readonly Column<WebhookDelivery>[] = [
  {
    header: 'Status',
    render: (delivery) => <DeliveryStatus delivery={delivery} />,
    width: 130,
  },
  {
    header: 'Response',
    render: ({ response_status: status }) => status ?? 'none',
    width: 90,
    isWide: true,
  },
  {
    header: 'Duration',
    render: ({ latency_ms: ms }) => (ms === null ? '–' : showDuration(ms)),
    width: 100,
    isWide: true,
  },
  { header: 'Attempts', render: ({ attempt_count: count }) => count, width: 70, isWide: true },
  momentColumn('Time', ({ created_at: at }) => at, { isRelative: true, width: 130, isListOrder: true }),
]

function FilterBar({
  filters: { choice },
  tools,
}: {
  filters: Filters<'status' | 'type'>
  tools: ReactNode
}) {
  return (
    <Group px="md" pb="sm" gap="sm">
      <Select aria-label="Status" placeholder="Any status" data={STATUSES} {...choice('status')} w={160} />
      <Select
        aria-label="Event"
        placeholder="Any event"
        searchable
        data={TYPES}
        {...choice('type')}
        w={260}
      />
      {tools}
    </Group>
  )
}
