import { setTimeout as pause } from 'node:timers/promises'
import {
  type CampaignPlace,
  expireCampaignCounts,
  expireRecipients,
  expireVersions,
  forgetPersonalLinks,
  listEndedCampaigns,
} from './expire-campaigns-queries.ts'
import { cutoffOf } from './plan-retention.ts'
import type { SweepDeps } from './sweep.ts'

/** Rows that one statement deletes, in some tens of milliseconds. */
const ROWS_MAX = 1000
const CAMPAIGNS_MAX = 1000
/** The minimum pause between batches. Each pause is at least as long as the batch, to leave the database to others. */
const REST_MIN_MS = 10
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const FIRST: CampaignPlace = { teamId: FIRST_ID, id: FIRST_ID }

/**
 * Deletes the recipients and then the versions of campaigns that ended longer ago than their team keeps emails, and the figures of
 * campaigns that were deleted. Campaigns keep their content and figures, without URLs that at most one recipient followed. Returns
 * the number of deleted rows.
 */
export async function sweepEndedCampaigns(deps: SweepDeps): Promise<number> {
  const { db, periods, now, isStopping } = deps
  const earliest = cutoffOf(periods.shortest, 'emails', now)
  let count = 0
  let after: CampaignPlace | null = FIRST
  while (after !== null && !isStopping()) {
    const ended = await listEndedCampaigns(db, earliest, after, CAMPAIGNS_MAX)
    for (const campaign of ended) {
      if (isStopping()) return count
      const cutoff = cutoffOf(periods.ofTeam(campaign.teamId), 'emails', now)
      const { endedAt } = campaign
      if (endedAt !== null && endedAt < cutoff) count += await sweepCampaign(deps, campaign, cutoff)
    }
    after = ended.length === CAMPAIGNS_MAX ? (ended.at(-1) ?? null) : null
  }
  return count + (await sweepCounts(deps))
}

async function sweepCampaign(
  { db, isStopping }: SweepDeps,
  campaign: CampaignPlace,
  cutoff: Date,
): Promise<number> {
  let count = 0
  let after: string | null = FIRST_ID
  while (after !== null) {
    if (isStopping()) return count
    const startedMs = performance.now()
    const done = await expireRecipients(db, campaign, cutoff, after, ROWS_MAX)
    count += done.count
    after = done.last
    await rest(startedMs)
  }
  await forgetPersonalLinks(db, campaign)
  return count + (await expireVersions(db, campaign, cutoff))
}

async function sweepCounts({ db, isStopping }: SweepDeps): Promise<number> {
  let count = 0
  let after: CampaignPlace | null = FIRST
  while (after !== null && !isStopping()) {
    const startedMs = performance.now()
    const done: Awaited<ReturnType<typeof expireCampaignCounts>> = await expireCampaignCounts(
      db,
      after,
      CAMPAIGNS_MAX,
    )
    count += done.count
    after = done.last
    await rest(startedMs)
  }
  return count
}

function rest(sinceMs: number): Promise<void> {
  return pause(Math.max(REST_MIN_MS, performance.now() - sinceMs))
}
