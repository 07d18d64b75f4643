import Type, { type Static } from 'typebox'
import { Timestamp, TimestampOrNull } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { CampaignEstimate } from './estimate-campaign.ts'

export const EstimateQuery = Type.Object({
  scheduled_at: Type.Optional(Type.String({ maxLength: 64, description: 'Default: now.' })),
})
export const EstimateAnswer = Type.Object(
  {
    object: Type.Literal('campaign_estimate'),
    count: Type.Integer({ description: 'Contacts.' }),
    is_estimated: Type.Boolean({ description: 'Whether `count` is an estimate.' }),
    begins_at: Timestamp,
    ends_at: TimestampOrNull,
  },
  { title: 'CampaignEstimate' },
)

export function estimateToJson({
  count,
  isEstimated,
  beginsAt,
  endsAt,
}: CampaignEstimate): Static<typeof EstimateAnswer> {
  return {
    object: 'campaign_estimate',
    count,
    is_estimated: isEstimated,
    begins_at: formatTime(beginsAt),
    ends_at: formatTime(endsAt),
  }
}
