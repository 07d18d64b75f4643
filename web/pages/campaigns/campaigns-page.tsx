import { Button, Group, Select } from '@mantine/core'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Campaign, CampaignSummary } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useFilters } from '../../ui/filters.ts'
import { Moment } from '../../ui/moment.tsx'
import { NameForm } from '../../ui/name-form.tsx'
import { NotYet } from '../../ui/not-yet.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import { NOT_YET } from './words.ts'

const COLUMNS: readonly Column<CampaignSummary>[] = [
  { header: 'Name', render: ({ name }) => <span className="foreign">{name}</span> },
  { header: 'Status', render: ({ status }) => <StatusBadge status={status} />, width: 130 },
  {
    header: 'Scheduled for',
    render: ({ scheduled_at }) => <Moment at={scheduled_at} />,
    width: 200,
    isWide: true,
  },
  { header: 'Changed', render: ({ updated_at }) => <Moment at={updated_at} />, width: 200, isWide: true },
]
const STATUSES = ['draft', 'scheduled', 'sending', 'sent', 'canceled']

/** Emails to many at once. */
export function CampaignsPage() {
  const team = useTeam()
  const navigate = useNavigate()
  const mayChange = useMay().change('Campaigns')
  const { filters, setFilter, isFiltered } = useFilters(['status'])
  const list = useList<CampaignSummary>('/campaigns', { query: filters })
  const creating = useDialog('new')
  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => creating.open()}>
      Create a campaign
    </Button>
  )
  return (
    <Page title="Campaigns" description="One email to everybody in a list or a segment." actions={add}>
      <NotYet title="Campaigns are not sent yet">{NOT_YET}</NotYet>
      <Section isFlush>
        <Group p="sm">
          <Select
            aria-label="Status"
            placeholder="Any status"
            clearable
            data={STATUSES.map((value) => ({ value, label: showWord(value) }))}
            value={filters.status ?? null}
            onChange={(value) => setFilter('status', value ?? '')}
            w={180}
          />
        </Group>
        <DataTable
          label="Campaigns"
          columns={COLUMNS}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/campaigns/${id}`}
          empty={
            <EmptyState
              icon={IconSpeakerphone}
              title={isFiltered ? 'No campaign has this status' : 'No campaign yet'}
              action={!isFiltered && add}
            >
              {isFiltered
                ? 'Take the filter away to see others.'
                : 'It begins as a draft: who it is from, what it says, whom it goes to, and when.'}
            </EmptyState>
          }
        />
      </Section>
      {mayChange && (
        <NameForm<Campaign>
          isOpen={creating.isOpen}
          onClose={creating.close}
          title="Create a campaign"
          description="For you and your team; recipients do not see it."
          given={null}
          path="/campaigns"
          onDone={({ id }) => void navigate({ to: `/${team.id}/campaigns/${id}` })}
        />
      )}
    </Page>
  )
}
