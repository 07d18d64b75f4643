import { Button, Group, Select } from '@mantine/core'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Campaign, CampaignSummary } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { NameForm } from '../../ui/forms/name-form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { NotYet } from '../../ui/page/not-yet.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import { type Column, DataTable } from '../../ui/tables/data-table.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
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

/** The team's campaigns. */
export function CampaignsPage() {
  const team = useTeam()
  const navigate = useNavigate()
  const mayChange = useMay().change('Campaigns')
  const { filters, setFilter, isFiltered } = useFilters(['status'])
  const list = useList<CampaignSummary>('/campaigns', { query: filters })
  const creating = useDialog('new')
  const add = mayChange && (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      Create a campaign
    </Button>
  )
  return (
    <Page title="Campaigns" description="One email to every contact in a list or segment." actions={add}>
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
              title={isFiltered ? 'No matching campaigns' : 'No campaigns yet'}
              action={!isFiltered && add}
            >
              {isFiltered
                ? 'Clear the filter to see more.'
                : 'Create a draft, then choose its sender, content, recipients and time.'}
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
