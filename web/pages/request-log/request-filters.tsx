import { Button, Group, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay } from '../../api/team.ts'
import { NameSelect } from '../../ui/forms/name-select.tsx'
import type { Filters } from '../../ui/tables/filters.ts'

export const FILTER_NAMES = [
  'method',
  'status',
  'endpoint',
  'api_key_id',
  'request_id',
  'start_date',
  'end_date',
] as const

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const STATUSES = [
  { value: '2xx', label: '2xx: succeeded' },
  { value: '4xx', label: '4xx: rejected' },
  { value: '5xx', label: '5xx: failed' },
  { value: '403', label: '403: not allowed' },
  { value: '404', label: '404: not found' },
  { value: '409', label: '409: conflict' },
  { value: '422', label: '422: invalid' },
  { value: '429', label: '429: rate limit' },
]

type RequestLogFilters = Filters<(typeof FILTER_NAMES)[number]>

interface RequestFiltersProps {
  filters: RequestLogFilters
  /** The tools of the list, at the right. */
  tools: ReactNode
}

export function RequestFilters({
  filters: { filters, draft, setFilter, clear, isFiltered },
  tools,
}: RequestFiltersProps) {
  const mayReadKeys = useMay().read('API keys')
  return (
    <Group p="sm" gap="sm" align="flex-end">
      <TextInput
        label="Request ID"
        placeholder="x-request-id"
        value={draft.request_id ?? ''}
        onChange={(event) => setFilter('request_id', event.currentTarget.value)}
        w={190}
      />
      <Select
        label="Method"
        placeholder="Any method"
        data={METHODS}
        value={filters.method ?? null}
        onChange={(value) => setFilter('method', value ?? '')}
        clearable
        w={130}
      />
      <Select
        label="Status"
        placeholder="Any status"
        data={STATUSES}
        value={filters.status ?? null}
        onChange={(value) => setFilter('status', value ?? '')}
        clearable
        w={170}
      />
      <TextInput
        label="Path"
        placeholder="/emails"
        value={draft.endpoint ?? ''}
        onChange={(event) => setFilter('endpoint', event.currentTarget.value)}
        w={170}
      />
      {mayReadKeys && (
        <NameSelect
          label="API key"
          path="/api-keys"
          placeholder="Any key"
          value={filters.api_key_id}
          onChange={(id) => setFilter('api_key_id', id)}
        />
      )}
      <DateRange draft={draft} setFilter={setFilter} />
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
      {tools}
    </Group>
  )
}

function DateRange({ draft, setFilter }: Pick<RequestLogFilters, 'draft' | 'setFilter'>) {
  return (
    <>
      <TextInput
        type="date"
        label="From"
        value={draft.start_date ?? ''}
        onChange={(event) => setFilter('start_date', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="To"
        value={draft.end_date ?? ''}
        onChange={(event) => setFilter('end_date', event.currentTarget.value)}
      />
    </>
  )
}
