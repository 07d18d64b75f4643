import { ActionIcon, Badge, Button, Group, Select, Text, TextInput, Tooltip } from '@mantine/core'
import { IconFilter, IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AuditEntry } from '../../api/records.ts'
import { useList, useTeamId } from '../../api/team.ts'
import { Moment } from '../../ui/moment.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { withLocalDays } from '../../ui/tables/days.ts'
import type { ExportOf } from '../../ui/tables/export-rows.ts'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'
import { ListTools } from '../../ui/tables/list-tools.tsx'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { ResourcePage } from '../../ui/tables/resource-page.tsx'
import { ACTION_GROUPS, describeAction, describeActor } from './words.ts'

const NAMES = ['action', 'actor_id', 'target_id', 'start_date', 'end_date'] as const

/** The audit log: who changed what. */
export function AuditPage() {
  const filters = useFilters(NAMES)
  const { setFilter, isFiltered } = filters
  const columns: readonly Column<AuditEntry>[] = [
    { header: 'Action', render: (entry) => <What entry={entry} /> },
    {
      header: 'Actor',
      render: (entry) => <Who entry={entry} onOnly={() => setFilter('actor_id', entry.actor.id ?? '')} />,
    },
    {
      header: 'From',
      render: ({ ip_address: address }) => <Text size="sm">{address ?? '–'}</Text>,
      isWide: true,
      width: 150,
    },
    momentColumn('Time', ({ created_at: at }) => at, { isRelative: true, width: 130, isListOrder: true }),
  ]
  const view = useListView('audit', columns, NAMES)
  const query = withLocalDays(filters.filters)
  const list = useList<AuditEntry>('/audit', { query, isOldestFirst: view.isOldestFirst })
  const auditExport: ExportOf<AuditEntry> = {
    path: '/audit',
    query,
    teamId: useTeamId(false),
    file: 'audit',
    fields: FIELDS,
  }
  return (
    <ResourcePage
      title="Audit log"
      description="Every change by users, API keys and the command line in the last year. Entries name the changed fields but never their values. Sent email is listed under Emails."
      filters={<FilterBar filters={filters} tools={<ListTools view={view} exported={auditExport} />} />}
      view={view}
      list={list}
      empty={{
        icon: IconHistory,
        title: isFiltered ? 'No matching changes' : 'No changes yet',
        children: isFiltered
          ? 'Clear a filter to see more.'
          : 'Every create, change and delete is recorded here, with the user or key that made it.',
      }}
    />
  )
}

/** The columns of the CSV file. */
const FIELDS: ExportOf<AuditEntry>['fields'] = [
  { name: 'id', read: ({ id }) => id },
  { name: 'created_at', read: ({ created_at: at }) => at },
  { name: 'action', read: ({ action }) => action },
  { name: 'actor', read: ({ actor }) => describeActor(actor) },
  { name: 'target_id', read: ({ target_id: target }) => target },
  { name: 'fields', read: ({ fields }) => fields.join(' ') },
  { name: 'ip_address', read: ({ ip_address: address }) => address },
]

interface FilterBarProps {
  tools: ReactNode
  filters: Filters<(typeof NAMES)[number]>
}

function FilterBar({ filters: { field, choice, clear, isFiltered }, tools }: FilterBarProps) {
  return (
    <Group p="sm" gap="sm" align="flex-end">
      <Select
        label="Area"
        placeholder="Any area"
        data={[...ACTION_GROUPS]}
        {...choice('action')}
        searchable
        w={190}
      />
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

function What({ entry: { action, fields, target_id: target, created_at: at } }: { entry: AuditEntry }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {describeAction(action)}
      </Text>
      {fields.length > 0 && (
        <Text size="xs" c="dimmed">
          {fields.join(', ')}
        </Text>
      )}
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        <Moment at={at} isRelative />
      </Text>
      {target !== null && (
        <Text size="xs" c="dimmed" className="code" visibleFrom="sm">
          {target}
        </Text>
      )}
    </>
  )
}

function Who({ entry, onOnly }: { entry: AuditEntry; onOnly: () => void }) {
  const { actor } = entry
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" truncate title={entry.user_agent ?? ''}>
        {describeActor(actor)}
      </Text>
      {actor.type === 'key' && (
        <Badge visibleFrom="sm" style={{ flexShrink: 0 }}>
          API key
        </Badge>
      )}
      {actor.id !== null && (
        <Tooltip label="Only changes by this one">
          <ActionIcon size="sm" onClick={onOnly} aria-label={`Only changes by ${describeActor(actor)}`}>
            <IconFilter />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}
