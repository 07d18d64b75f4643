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
  filters: { field, choice, clear, isFiltered },
  tools,
}: RequestFiltersProps) {
  const mayReadKeys = useMay().read('API keys')
  return (
    <Group p="sm" gap="sm" align="flex-end">
      <TextInput label="Request ID" placeholder="x-request-id" {...field('request_id')} w={190} />
      <Select label="Method" placeholder="Any method" data={METHODS} {...choice('method')} w={130} />
      <Select label="Status" placeholder="Any status" data={STATUSES} {...choice('status')} w={170} />
      <TextInput label="Path" placeholder="/emails" {...field('endpoint')} w={170} />
      {mayReadKeys && (
        <NameSelect label="API key" path="/api-keys" placeholder="Any key" {...choice('api_key_id')} />
      )}
      <TextInput type="date" label="From" {...field('start_date')} />
      <TextInput type="date" label="To" {...field('end_date')} />
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
      {tools}
    </Group>
  )
}
