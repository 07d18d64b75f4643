import { Button, Collapse, Group, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/team.ts'
import { NameSelect } from '../../ui/forms/name-select.tsx'
import { showWord } from '../../ui/status-badge.tsx'
import type { Filters } from '../../ui/tables/filters.ts'

/** Named as in the page's address and in the API. Days are in the user's time zone, not in UTC. */
export const FILTERS = [
  ...(['q', 'status', 'to', 'from', 'tag', 'tag_value'] as const),
  ...(['domain_id', 'template_id', 'class', 'start_date', 'end_date'] as const),
] as const
export type EmailFilters = Filters<(typeof FILTERS)[number]>

/** Shown on request, or when one of them is set. */
const FURTHER = ['to', 'from', 'tag', 'domain_id', 'template_id', 'class', 'start_date', 'end_date'] as const
const CLASSES = ['transactional', 'bulk']
const STATUSES = [
  ...['queued', 'scheduled', 'sent', 'delivered', 'delivery_delayed', 'bounced', 'failed'],
  ...['rejected', 'suppressed', 'canceled', 'partially_delivered'],
]

/** The filters of the list of emails. */
export function EmailFilterBar({
  filters: { filters, field, choice, clear, isFiltered },
  tools,
}: {
  filters: EmailFilters
  /** The tools of the list, at the right. */
  tools: ReactNode
}) {
  const count = FURTHER.filter((name) => filters[name] !== undefined).length
  const [isOpen, { toggle }] = useDisclosure(count > 0)
  return (
    <>
      <Group p="sm" gap="xs">
        <TextInput
          aria-label="Search emails"
          placeholder="Address, subject, ID or tag"
          leftSection={<IconSearch />}
          {...field('q')}
          style={{ flex: '1 1 200px' }}
          maw={420}
        />
        <Select
          aria-label="Status"
          placeholder="Any status"
          data={STATUSES.map((value) => ({ value, label: showWord(value) }))}
          {...choice('status')}
          w={180}
        />
        <Button
          variant="default"
          onClick={toggle}
          aria-expanded={isOpen}
          leftSection={<IconAdjustmentsHorizontal />}
        >
          {count === 0 ? 'Filters' : `Filters · ${count}`}
        </Button>
        {isFiltered && (
          <Button variant="subtle" onClick={clear} leftSection={<IconX />}>
            Clear filters
          </Button>
        )}
        {tools}
      </Group>
      <Collapse expanded={isOpen}>
        <Further field={field} choice={choice} />
      </Collapse>
    </>
  )
}

function Further({ field, choice }: Pick<EmailFilters, 'field' | 'choice'>) {
  const may = useMay()
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} px="sm" pb="md" spacing="sm" verticalSpacing="xs">
      <TextInput label="Recipient" placeholder="ann@example.com" {...field('to')} />
      <TextInput label="Sender" placeholder="hello@example.com" {...field('from')} />
      <TextInput label="Tag" placeholder="name or name:value" {...field('tag', ['tag_value'])} />
      {may.read('Domains') && <NameSelect label="Domain" path="/domains" {...choice('domain_id')} />}
      {may.read('Templates') && <NameSelect label="Template" path="/templates" {...choice('template_id')} />}
      <Select
        label="Class"
        placeholder="Any class"
        data={CLASSES.map((value) => ({ value, label: showWord(value) }))}
        {...choice('class')}
      />
      <TextInput type="date" label="From" {...field('start_date')} />
      <TextInput type="date" label="To" {...field('end_date')} />
    </SimpleGrid>
  )
}
