import { Group, Progress, Text } from '@mantine/core'
import type { CampaignSummary } from '../../api/records.ts'
import { showShare } from '../../ui/metrics/shares.ts'
import { OF_LIST, type Stage, shareOf } from './stages.ts'

interface CellProps {
  campaign: CampaignSummary
}

/** The name; on a phone, where there are no other columns, with the figures below. */
export function NameCell({ campaign }: CellProps) {
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
export function CampaignBar({ campaign: { started_at, recipients } }: CellProps) {
  if (started_at === null) return null
  const { waiting, accepted, skipped, failed } = recipients
  const done = accepted + skipped + failed
  const all = done + waiting
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={all === 0 ? 0 : (100 * done) / all} w={60} aria-label="Progress" />
      <Text span size="xs" c="dimmed" truncate>
        {waiting === 0 ? all.toLocaleString() : `${done.toLocaleString()} of ${all.toLocaleString()}`}
      </Text>
    </Group>
  )
}

interface ShareProps extends CellProps {
  stage: Stage
}

/** The share of a stage among the recipients with a result; nothing before the first of them. */
export function Share({ stage, campaign: { totals } }: ShareProps) {
  const count = stage.countOf(totals)
  const share = shareOf(count, totals)
  return share === null ? null : <span title={count.toLocaleString()}>{showShare(share)}</span>
}

function describe({ label, countOf }: Stage, { totals }: CampaignSummary): string[] {
  const share = shareOf(countOf(totals), totals)
  return share === null ? [] : [`${label} ${showShare(share)}`]
}
