import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NameSelect } from '../../ui/forms/name-select.tsx'
import type { Filters } from '../../ui/tables/filters.ts'
import './contacts.css'

/** Named as in the page's address and in the API. */
export const FILTERS = ['q', 'list_id', 'segment_id', 'unsubscribed'] as const
export type ContactFilters = Filters<(typeof FILTERS)[number]>

const SUBSCRIPTIONS = [
  { value: 'false', label: 'Subscribed' },
  { value: 'true', label: 'Unsubscribed' },
]

/** The filters of the contacts page. */
export function ContactFilterBar({
  filters: { field, choice, clear, isFiltered },
  tools,
}: {
  filters: ContactFilters
  /** The tools of the list, at the right. */
  tools: ReactNode
}) {
  return (
    <Group p="sm" gap="xs" align="flex-end">
      <TextInput
        aria-label="Address or name begins with"
        placeholder="Address or name begins with"
        leftSection={<IconSearch />}
        {...field('q')}
        style={{ flex: '1 1 220px' }}
        maw={380}
      />
      <div className="filter">
        <NameSelect label="List" isLabelHidden placeholder="Any list" path="/lists" {...choice('list_id')} />
      </div>
      <div className="filter">
        <NameSelect
          label="Segment"
          isLabelHidden
          placeholder="Any segment"
          path="/segments"
          {...choice('segment_id')}
        />
      </div>
      <div className="filter">
        <Select
          aria-label="Subscription"
          placeholder="Subscribed or not"
          data={SUBSCRIPTIONS}
          {...choice('unsubscribed')}
        />
      </div>
      {isFiltered && (
        <Button variant="subtle" onClick={clear} leftSection={<IconX />}>
          Clear filters
        </Button>
      )}
      {tools}
    </Group>
  )
}
