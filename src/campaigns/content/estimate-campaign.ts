import type { ResourceDeps } from '../../http/route/resource.ts'
import { invalidField } from '../../lib/api-error.ts'
import { parseScheduledAt } from '../../lib/time/scheduled-at.ts'
import { countStoredAudience } from '../audience/audience-preview.ts'
import { refuseToSend } from '../campaign-verbs.ts'
import type { Campaign } from '../rows/campaigns-queries.ts'
import { estimateRun } from '../sending/estimate-end.ts'

export interface CampaignEstimate {
  /** The contacts that would get it now. */
  count: number
  isEstimated: boolean
  beginsAt: Date
  /** Null without a rate, and if it is too far away. */
  endsAt: Date | null
}

/**
 * Estimates when a campaign begins and ends if it is sent to the contacts that its audience has now.
 * @param scheduledAt as given in the request; undefined: now
 * Throws `conflict` once it has begun, and `validation_error` for a time that it cannot be scheduled for.
 */
export async function estimateCampaign(
  deps: Pick<ResourceDeps, 'db' | 'lists' | 'clock'>,
  campaign: Campaign,
  scheduledAt: string | undefined,
): Promise<CampaignEstimate> {
  refuseToSend(campaign)
  const now = deps.clock.now()
  const startsAt = scheduledAt === undefined ? now : parseScheduledAt(scheduledAt, now)
  if (!(startsAt instanceof Date)) throw invalidField('scheduled_at', startsAt.problem)
  const { count, isEstimated } = await countStoredAudience(deps, campaign)
  return { count, isEstimated, ...estimateRun(count, campaign, startsAt) }
}
