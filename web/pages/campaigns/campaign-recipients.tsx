import { Group, Select } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { Campaign, CampaignRecipient } from '../../api/records.ts'
import { useList, useTeam } from '../../api/team.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { ExportButton } from '../../ui/tables/export-button.tsx'
import type { ExportOf } from '../../ui/tables/export-rows.ts'
import { useFilters } from '../../ui/tables/filters.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'

const STATES = ['waiting', 'accepted', 'skipped', 'failed']

const COLUMNS: readonly Column<CampaignRecipient>[] = [
  {
    header: 'Address',
    render: ({ email }) => <span className="foreign">{email ?? 'Deleted contact'}</span>,
  },
  {
    header: 'State',
    // The email says more than that it was accepted.
    render: ({ state, email_status: status }) => <StatusBadge status={status ?? state} />,
    width: 130,
  },
  {
    header: 'Reason',
    render: ({ reason }) => <span className="foreign">{reason}</span>,
    width: 150,
    isWide: true,
  },
  momentColumn('Changed', ({ updated_at: at }) => at, { width: 170 }),
]

const FIELDS: ExportOf<CampaignRecipient>['fields'] = [
  { name: 'contact_id', read: ({ contact_id }) => contact_id },
  { name: 'email', read: ({ email }) => email },
  { name: 'state', read: ({ state }) => state },
  { name: 'reason', read: ({ reason }) => reason },
  { name: 'email_id', read: ({ email_id }) => email_id },
  { name: 'email_status', read: ({ email_status }) => email_status },
  { name: 'updated_at', read: ({ updated_at }) => updated_at },
]

/** Who gets the campaign, and what became of it. */
export function CampaignRecipients({ campaign: { id, status } }: { campaign: Campaign }) {
  const team = useTeam()
  const { filters, choice, isFiltered } = useFilters(['state'])
  const path = `/campaigns/${id}/recipients`
  const list = useList<CampaignRecipient>(path, {
    query: filters,
    refetchIntervalMs: status === 'sending' ? 5000 : 0,
  })
  return (
    <Section title="Recipients" isFlush>
      <Group p="sm" justify="space-between">
        <Select
          aria-label="State"
          placeholder="Any state"
          data={STATES.map((value) => ({ value, label: showWord(value) }))}
          {...choice('state')}
          w={180}
        />
        <ExportButton
          exported={{ path, query: filters, teamId: team.id, file: 'recipients', fields: FIELDS }}
        />
      </Group>
      <DataTable
        label="Recipients"
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        linkOf={({ id, email_id: emailId }) =>
          emailId === null ? `/${team.id}/contacts/${id}` : `/${team.id}/emails/${emailId}`
        }
        empty={
          <EmptyState icon={IconUsers} title={isFiltered ? 'No matching recipients' : 'No recipients yet'}>
            {isFiltered ? 'Clear the filter to see more.' : 'They appear here as the audience is read.'}
          </EmptyState>
        }
      />
    </Section>
  )
}
