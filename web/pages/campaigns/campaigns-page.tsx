import { Button, Group, Select } from '@mantine/core'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Campaign, CampaignSummary } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { NameForm } from '../../ui/forms/name-form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
import { CampaignBar, NameCell, Share } from './campaign-cells.tsx'
import { OF_LIST } from './stages.ts'
import { texts } from './texts.ts'

const COLUMNS: readonly Column<CampaignSummary>[] = [
  { header: texts.list.name, render: (campaign) => <NameCell campaign={campaign} /> },
  { header: texts.list.status, render: ({ status }) => <StatusBadge status={status} />, width: 120 },
  {
    header: texts.list.progress,
    render: (campaign) => <CampaignBar campaign={campaign} />,
    width: 200,
    isWide: true,
  },
  ...OF_LIST.map((stage) => ({
    header: stage.label,
    render: (campaign: CampaignSummary) => <Share stage={stage} campaign={campaign} />,
    width: 100,
    align: 'right' as const,
    isWide: true,
  })),
  {
    header: texts.list.scheduledFor,
    render: ({ scheduled_at }) => <Moment at={scheduled_at} />,
    width: 170,
    isWide: true,
  },
]
const STATUSES = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled']
/** Results come in while no row of the list changes its state. */
const REFRESH_MS = 5_000

/** The team's campaigns. */
export function CampaignsPage() {
  const team = useTeam()
  const navigate = useNavigate()
  const mayChange = useMay().change('Campaigns')
  const { filters, setFilter, isFiltered } = useFilters(['status'])
  const list = useList<CampaignSummary>('/campaigns', { query: filters, refetchIntervalMs: REFRESH_MS })
  const creating = useDialog('new')
  const add = mayChange && (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      {texts.list.createACampaign}
    </Button>
  )
  return (
    <Page title={texts.list.campaigns} description={texts.list.oneEmailEveryContact} actions={add}>
      <Section isFlush>
        <Group p="sm">
          <Select
            aria-label={texts.list.status}
            placeholder={texts.list.anyStatus}
            clearable
            data={STATUSES.map((value) => ({ value, label: showWord(value) }))}
            value={filters.status ?? null}
            onChange={(value) => setFilter('status', value ?? '')}
            w={180}
          />
        </Group>
        <DataTable
          label={texts.list.campaigns}
          columns={COLUMNS}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/campaigns/${id}`}
          empty={
            <EmptyState
              icon={IconSpeakerphone}
              title={isFiltered ? texts.list.noMatchingCampaigns : texts.list.noCampaignsYet}
              action={!isFiltered && add}
            >
              {isFiltered ? texts.list.clearFilterSeeMore : texts.list.createDraftThenChoose}
            </EmptyState>
          }
        />
      </Section>
      {mayChange && (
        <NameForm<Campaign>
          isOpen={creating.isOpen}
          onClose={creating.close}
          title={texts.list.createACampaign}
          description={texts.list.teamRecipientsDoNot}
          given={null}
          path="/campaigns"
          onDone={({ id }) => void navigate({ to: `/${team.id}/campaigns/${id}` })}
        />
      )}
    </Page>
  )
}
