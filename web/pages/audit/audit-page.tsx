import { ActionIcon, Badge, Button, Group, Select, Text, TextInput, Tooltip } from '@mantine/core'
import { IconFilter, IconHistory } from '@tabler/icons-react'
import type { AuditEntry } from '../../api/records.ts'
import { useList } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useFilters } from '../../ui/filters.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { ACTION_GROUPS, describeAction, describeActor } from './words.ts'

const NAMES = ['action', 'actor_id', 'target_id', 'start_date', 'end_date'] as const

/** Who changed what. */
export function AuditPage() {
  const { filters, draft, setFilter, clear, isFiltered } = useFilters(NAMES)
  const list = useList<AuditEntry>('/audit', { query: filters })
  const columns: readonly Column<AuditEntry>[] = [
    { header: 'What', render: (entry) => <What entry={entry} /> },
    {
      header: 'Who',
      render: (entry) => <Who entry={entry} onOnly={() => setFilter('actor_id', entry.actor.id ?? '')} />,
    },
    {
      header: 'From',
      render: ({ ip_address: address }) => <Text size="sm">{address ?? '–'}</Text>,
      isWide: true,
      width: 150,
    },
    {
      header: 'When',
      render: ({ created_at }) => <Moment at={created_at} isRelative />,
      width: 130,
      isWide: true,
    },
  ]
  return (
    <Page
      title="Audit log"
      description="Every change by people, API keys and the command line, kept for a year. Names of fields are kept, never their values. Sending is told of by the emails themselves."
    >
      <Section isFlush>
        <Group p="sm" gap="sm" align="flex-end">
          <Select
            label="Area"
            placeholder="Anything"
            data={[...ACTION_GROUPS]}
            value={filters.action ?? null}
            onChange={(value) => setFilter('action', value ?? '')}
            clearable
            searchable
            w={190}
          />
          <TextInput
            type="date"
            label="From"
            value={draft.start_date ?? ''}
            onChange={(event) => setFilter('start_date', event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label="Until"
            value={draft.end_date ?? ''}
            onChange={(event) => setFilter('end_date', event.currentTarget.value)}
          />
          {isFiltered && (
            <Button variant="subtle" onClick={clear}>
              Clear filters
            </Button>
          )}
        </Group>
        <DataTable
          label="Audit log"
          columns={columns}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconHistory} title={isFiltered ? 'No change fits' : 'No change yet'}>
              {isFiltered
                ? 'Take a filter away to see more.'
                : 'Whoever creates, changes or removes something is written down here, in the same transaction.'}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}

function What({ entry: { action, fields, target_id: target, created_at: at } }: { entry: AuditEntry }) {
  return (
    <>
      <Text size="sm" fw={550}>
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
    <Group gap={6} wrap="nowrap">
      <Text size="sm" truncate title={entry.user_agent ?? ''}>
        {describeActor(actor)}
      </Text>
      {actor.type === 'key' && (
        <Badge color="gray" visibleFrom="sm" style={{ flexShrink: 0 }}>
          API key
        </Badge>
      )}
      {actor.id !== null && (
        <Tooltip label="Only changes by this one">
          <ActionIcon size="sm" onClick={onOnly} aria-label={`Only changes by ${describeActor(actor)}`}>
            <IconFilter size={14} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}
