import { Button, Group, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay } from '../../api/team.ts'
import { NameSelect } from '../../ui/forms/name-select.tsx'
import type { Filters } from '../../ui/tables/filters.ts'
import { texts } from './texts.ts'

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
  { value: '2xx', label: texts.requestFilters.succeeded },
  { value: '4xx', label: texts.requestFilters.rejected },
  { value: '5xx', label: texts.requestFilters.failed },
  { value: '403', label: texts.requestFilters.notAllowed },
  { value: '404', label: texts.requestFilters.notFound },
  { value: '409', label: texts.requestFilters.conflict },
  { value: '422', label: texts.requestFilters.invalid },
  { value: '429', label: texts.requestFilters.rateLimit },
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
        label={texts.requestFilters.requestId}
        placeholder="x-request-id"
        value={draft.request_id ?? ''}
        onChange={(event) => setFilter('request_id', event.currentTarget.value)}
        w={190}
      />
      <Select
        label={texts.requestFilters.method}
        placeholder={texts.requestFilters.anyMethod}
        data={METHODS}
        value={filters.method ?? null}
        onChange={(value) => setFilter('method', value ?? '')}
        clearable
        w={130}
      />
      <Select
        label={texts.requestFilters.status}
        placeholder={texts.requestFilters.anyStatus}
        data={STATUSES}
        value={filters.status ?? null}
        onChange={(value) => setFilter('status', value ?? '')}
        clearable
        w={170}
      />
      <TextInput
        label={texts.requestFilters.path}
        placeholder="/emails"
        value={draft.endpoint ?? ''}
        onChange={(event) => setFilter('endpoint', event.currentTarget.value)}
        w={170}
      />
      {mayReadKeys && (
        <NameSelect
          label={texts.requestFilters.apiKey}
          path="/api-keys"
          placeholder={texts.requestFilters.anyKey}
          value={filters.api_key_id}
          onChange={(id) => setFilter('api_key_id', id)}
        />
      )}
      <DateRange draft={draft} setFilter={setFilter} />
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          {texts.requestFilters.clearFilters}
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
        label={texts.requestFilters.from}
        value={draft.start_date ?? ''}
        onChange={(event) => setFilter('start_date', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={texts.requestFilters.until}
        value={draft.end_date ?? ''}
        onChange={(event) => setFilter('end_date', event.currentTarget.value)}
      />
    </>
  )
}
