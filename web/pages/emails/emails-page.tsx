import { Group, Select, TextInput } from '@mantine/core'
import { IconMail, IconSearch } from '@tabler/icons-react'
import type { EmailSummary } from '../../api/records.ts'
import { useList, useTeam } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useFilters } from '../../ui/filters.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const COLUMNS: readonly Column<EmailSummary>[] = [
  { header: 'To', render: ({ to }) => <span className="one-line">{to.join(', ')}</span>, width: '30%' },
  { header: 'Subject', render: ({ subject }) => <span className="one-line">{subject}</span> },
  { header: 'Status', render: ({ status }) => <StatusBadge status={status} />, width: 150 },
  {
    header: 'Accepted',
    render: ({ created_at }) => <Moment at={created_at} isRelative />,
    width: 130,
    isWide: true,
  },
]

/** All emails, newest first. */
export function EmailsPage() {
  const team = useTeam()
  const { filters, draft, setFilter } = useFilters(['status', 'to', 'q'])
  const list = useList<EmailSummary>('/emails', { query: filters })
  return (
    <Page title="Emails" description="Every email that was accepted, and what became of it.">
      <Section isFlush>
        <Group p="sm" gap="sm">
          <TextInput
            aria-label="Subject"
            placeholder="Subject"
            leftSection={<IconSearch size={15} />}
            value={draft.q ?? ''}
            onChange={(event) => setFilter('q', event.currentTarget.value)}
          />
          <Select
            aria-label="Status"
            placeholder="Any status"
            clearable
            data={['delivered', 'bounced']}
            value={filters.status ?? null}
            onChange={(value) => setFilter('status', value ?? '')}
          />
        </Group>
        <DataTable
          label="Emails"
          columns={COLUMNS}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/emails/${id}`}
          empty={
            <EmptyState icon={IconMail} title="No email yet">
              Emails appear here as soon as the API or SMTP accepts them.
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}
