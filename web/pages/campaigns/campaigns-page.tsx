import { Group, Progress, Select, Text } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Campaign, CampaignSummary } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { NameForm } from '../../ui/forms/name-form.tsx'
import { showShare } from '../../ui/metrics/shares.ts'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import { type Column, numberColumn } from '../../ui/tables/column.ts'
import { useFilters } from '../../ui/tables/filters.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
import { OF_LIST, type Stage, shareOf } from './stages.ts'

const COLUMNS: readonly Column<CampaignSummary>[] = [
  { header: 'Name', render: (campaign) => <NameCell campaign={campaign} /> },
  { header: 'Status', render: ({ status }) => <StatusBadge status={status} />, width: 120 },
  {
    header: 'Progress',
    render: (campaign) => <CampaignBar campaign={campaign} />,
    width: 200,
    isWide: true,
  },
  ...OF_LIST.map((stage) =>
    numberColumn(stage.label, (row: CampaignSummary) => <Share stage={stage} campaign={row} />, 100),
  ),
  momentColumn('Scheduled for', ({ scheduled_at: at }) => at, { width: 170 }),
]
const STATUSES = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled']
/** Results come in while no row of the list changes its state. */
const REFRESH_MS = 5_000

/** The team's campaigns. */
export function CampaignsPage() {
  const team = useTeam()
  const navigate = useNavigate()
  const mayChange = useMay().change('Campaigns')
  const { filters, choice, isFiltered } = useFilters(['status'])
  const list = useList<CampaignSummary>('/campaigns', { query: filters, refetchIntervalMs: REFRESH_MS })
  const creating = useDialog('new')
  const add = mayChange && <AddButton dialog={creating}>Create campaign</AddButton>
  return (
    <ResourcePage
      title="Campaigns"
      description="One email to every contact in your lists or segments."
      add={add}
      filters={
        <Group p="sm">
          <Select
            aria-label="Status"
            placeholder="Any status"
            data={STATUSES.map((value) => ({ value, label: showWord(value) }))}
            {...choice('status')}
            w={180}
          />
        </Group>
      }
      columns={COLUMNS}
      list={list}
      linkOf={({ id }) => `/${team.id}/campaigns/${id}`}
      empty={{
        icon: IconSpeakerphone,
        title: isFiltered ? 'No matching campaigns' : 'No campaigns yet',
        children: isFiltered
          ? 'Clear the filter to see more.'
          : 'Create a draft, then choose its sender, content, recipients and time.',
        action: !isFiltered && add,
      }}
    >
      {mayChange && (
        <NameForm<Campaign>
          isOpen={creating.isOpen}
          onClose={creating.close}
          title="Create campaign"
          description="For your team. Recipients don’t see it."
          record={null}
          path="/campaigns"
          onDone={({ id }) => void navigate({ to: `/${team.id}/campaigns/${id}` })}
        />
      )}
    </ResourcePage>
  )
}

interface CellProps {
  campaign: CampaignSummary
}

/** The name; on a phone, where there are no other columns, with the figures below. */
function NameCell({ campaign }: CellProps) {
  const { name, started_at } = campaign
  return (
    <>
      <span className="foreign">{name}</span>
      {started_at !== null && (
        <span className="note phone">
          <CampaignBar campaign={campaign} />
          {OF_LIST.flatMap((stage) => describe(stage, campaign)).join(' · ')}
        </span>
      )}
    </>
  )
}

/** How many recipients of a campaign that has begun no longer wait. */
function CampaignBar({ campaign: { started_at, recipients } }: CellProps) {
  if (started_at === null) return null
  const { waiting, accepted, skipped, failed } = recipients
  const handledCount = accepted + skipped + failed
  const all = handledCount + waiting
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={all === 0 ? 0 : (100 * handledCount) / all} w={60} aria-label="Progress" />
      <Text span size="xs" c="dimmed" truncate>
        {waiting === 0 ? all.toLocaleString() : `${handledCount.toLocaleString()} of ${all.toLocaleString()}`}
      </Text>
    </Group>
  )
}

interface ShareProps extends CellProps {
  stage: Stage
}

/** The share of a stage among the recipients with a result; nothing before the first of them. */
function Share({ stage, campaign: { totals } }: ShareProps) {
  const count = stage.countOf(totals)
  const share = shareOf(count, totals)
  return share === null ? null : <span title={count.toLocaleString()}>{showShare(share)}</span>
}

function describe({ label, countOf }: Stage, { totals }: CampaignSummary): string[] {
  const share = shareOf(countOf(totals), totals)
  return share === null ? [] : [`${label} ${showShare(share)}`]
}
