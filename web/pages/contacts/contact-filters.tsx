import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NameSelect } from '../../ui/forms/name-select.tsx'
import type { Filters } from '../../ui/tables/filters.ts'
import { texts } from './texts.ts'
import './contacts.css'

/** Named as in the page's address and in the API. */
export const FILTERS = ['q', 'list_id', 'segment_id', 'unsubscribed'] as const
export type ContactFilters = Filters<(typeof FILTERS)[number]>

const SUBSCRIPTIONS = [
  { value: 'false', label: texts.filters.subscribed },
  { value: 'true', label: texts.filters.unsubscribed },
]

/** The filters of the contacts page. */
export function ContactFilterBar({
  filters: { draft, setFilter, clear, isFiltered },
  tools,
}: {
  filters: ContactFilters
  /** The tools of the list, at the right. */
  tools: ReactNode
}) {
  return (
    <Group p="sm" gap="xs" align="flex-end">
      <TextInput
        aria-label={texts.filters.addressNameBegins}
        placeholder={texts.filters.addressNameBegins}
        leftSection={<IconSearch />}
        value={draft.q ?? ''}
        onChange={(event) => setFilter('q', event.currentTarget.value)}
        style={{ flex: '1 1 220px' }}
        maw={380}
      />
      <div className="filter">
        <NameSelect
          label={texts.filters.list}
          isLabelHidden
          placeholder={texts.filters.anyList}
          path="/lists"
          value={draft.list_id}
          onChange={(id) => setFilter('list_id', id)}
        />
      </div>
      <div className="filter">
        <NameSelect
          label={texts.filters.segment}
          isLabelHidden
          placeholder={texts.filters.anySegment}
          path="/segments"
          value={draft.segment_id}
          onChange={(id) => setFilter('segment_id', id)}
        />
      </div>
      <div className="filter">
        <Select
          aria-label={texts.filters.subscription}
          placeholder={texts.filters.subscribedOrNot}
          clearable
          data={SUBSCRIPTIONS}
          value={draft.unsubscribed ?? null}
          onChange={(value) => setFilter('unsubscribed', value ?? '')}
        />
      </div>
      {isFiltered && (
        <Button variant="subtle" onClick={clear} leftSection={<IconX />}>
          {texts.filters.clearFilters}
        </Button>
      )}
      {tools}
    </Group>
  )
}
