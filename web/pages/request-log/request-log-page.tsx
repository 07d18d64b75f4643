import { Anchor, Text } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'
import type { RequestLog } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { useList, useTeamId } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { withLocalDays } from '../../ui/tables/days.ts'
import type { ExportOf } from '../../ui/tables/export-rows.ts'
import { useFilters } from '../../ui/tables/filters.ts'
import { ListTools } from '../../ui/tables/list-tools.tsx'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { ResourcePage } from '../../ui/tables/resource-page.tsx'
import { showDuration } from '../../ui/times.ts'
import { RequestDrawer } from './request-drawer.tsx'
import { FILTER_NAMES, RequestFilters } from './request-filters.tsx'
import { ResponseStatus } from './response-status.tsx'

const REFRESH_MS = 5_000

/** The request log: what programs asked of the API, and how it responded. */
export function RequestLogPage() {
  const filters = useFilters(FILTER_NAMES)
  const looking = useDialog('request')
  const columns: readonly Column<RequestLog>[] = [
    {
      header: 'Request',
      render: (request) => <Asked request={request} onOpen={() => looking.open(request.id)} />,
    },
    ...FACTS,
  ]
  const view = useListView('requests', columns, FILTER_NAMES)
  const query = queryOf(filters.filters)
  const list = useList<RequestLog>('/logs', {
    query,
    refetchIntervalMs: REFRESH_MS,
    isOldestFirst: view.isOldestFirst,
  })
  const logExport = { path: '/logs', query, teamId: useTeamId(false), file: 'requests', fields: FIELDS }
  return (
    <ResourcePage
      title="Request log"
      description="Requests with API keys, without their bodies. Changes in the dashboard are in the audit log."
      filters={<RequestFilters filters={filters} tools={<ListTools view={view} exported={logExport} />} />}
      label="Requests"
      view={view}
      list={list}
      empty={{
        icon: IconTerminal2,
        title: filters.isFiltered ? 'No matching requests' : 'No requests yet',
        children: filters.isFiltered
          ? 'Clear a filter to see more.'
          : 'Every request with an API key appears here within a second of its response.',
      }}
    >
      <RequestDrawer requestId={looking.value} onClose={looking.close} />
    </ResourcePage>
  )
}

/** An id that is not complete yet matches nothing, and the API rejects it. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function queryOf({ request_id: id, ...rest }: Partial<Record<(typeof FILTER_NAMES)[number], string>>): Query {
  const query = withLocalDays(rest)
  return id !== undefined && UUID.test(id.trim()) ? { ...query, request_id: id.trim() } : query
}

/** The columns of the CSV file. */
const FIELDS: ExportOf<RequestLog>['fields'] = [
  { name: 'id', read: ({ id }) => id },
  { name: 'created_at', read: ({ created_at: at }) => at },
  { name: 'method', read: ({ method }) => method },
  { name: 'endpoint', read: ({ endpoint }) => endpoint },
  { name: 'response_status', read: ({ response_status: status }) => status },
  { name: 'duration_ms', read: ({ duration_ms: ms }) => ms },
  { name: 'api_key', read: ({ api_key: key }) => key.name ?? key.id },
  { name: 'ip_address', read: ({ ip_address: address }) => address },
]

const FACTS: readonly Column<RequestLog>[] = [
  {
    header: 'Status',
    render: (request) => <ResponseStatus status={request.response_status} />,
    width: 90,
  },
  {
    header: 'Duration',
    render: ({ duration_ms: ms }) => showDuration(ms),
    width: 100,
    isWide: true,
  },
  {
    header: 'Key',
    render: ({ api_key: key }) => (
      <Text size="sm" truncate className="foreign">
        {key.name ?? key.id}
      </Text>
    ),
    width: 180,
    isWide: true,
  },
  momentColumn('Time', ({ created_at: at }) => at, { isRelative: true, width: 130, isListOrder: true }),
]

function Asked({ request, onOpen }: { request: RequestLog; onOpen(): void }) {
  const { method, endpoint, response_body: error } = request
  return (
    <>
      <Anchor component="button" type="button" size="sm" ta="left" className="code foreign" onClick={onOpen}>
        {method} {endpoint}
      </Anchor>
      {error !== null && (
        <Text size="xs" c="dimmed" truncate className="foreign">
          {error.message}
        </Text>
      )}
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        <Moment at={request.created_at} isRelative />
      </Text>
    </>
  )
}
