import { Group, Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Campaign, CampaignEstimate } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { Fact } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { plural } from '../../ui/plural.ts'

/** The server counts the audience for each time. */
const TYPING_MS = 350

interface ScheduleEstimateProps {
  campaign: Campaign
  /** Null while the field has no time. */
  at: Date | null
}

/** How many contacts get the campaign, and when the first and the last of them, if it is scheduled for a time. */
export function ScheduleEstimate({ campaign, at }: ScheduleEstimateProps) {
  const [scheduledAt] = useDebouncedValue(at?.toISOString(), TYPING_MS)
  const hasAudience = campaign.audience.include.length > 0
  const isFuture = scheduledAt !== undefined && Date.parse(scheduledAt) > Date.now()
  const enabled = hasAudience && isFuture
  const { data, error } = useGet<CampaignEstimate>(`/campaigns/${campaign.id}/estimate`, {
    ...(enabled && { query: { scheduled_at: scheduledAt } }),
    enabled,
  })
  // The campaign can be scheduled without an estimate, and what is wrong with its time is said then.
  if (!enabled || error !== null) return null
  return (
    <div role="status" aria-label="Estimate" aria-busy={data === undefined}>
      {data === undefined ? <Skeleton height={72} /> : <Estimated estimate={data} campaign={campaign} />}
    </div>
  )
}

function Estimated({ estimate, campaign }: { estimate: CampaignEstimate; campaign: Campaign }) {
  const { count, is_estimated: isEstimated, begins_at: begin, ends_at: end } = estimate
  return (
    <>
      <Text size="sm">
        To {isEstimated ? 'about ' : ''}
        {count.toLocaleString()} {plural(count, 'contact', 'contacts')}, as of now
      </Text>
      <Group component="dl" gap="xl" mt="xs" mb={0}>
        <Fact label="Begins">
          <Moment at={begin} />
        </Fact>
        {end !== null && (
          <Fact label="Ends about">
            <Moment at={end} />
          </Fact>
        )}
      </Group>
      {end === null && (
        <Text size="sm" c="dimmed" mt="xs">
          {whyWithoutEnd(campaign)}
        </Text>
      )}
    </>
  )
}

function whyWithoutEnd({ rate_per_hour: rate, send_window: hours }: Campaign): string {
  if (hours?.by_contact === true) return 'Its end depends on the time zones of its contacts.'
  return rate === null
    ? 'It is sent as fast as possible. Set a pace to spread it over time.'
    : 'Its end is too far away to estimate.'
}
