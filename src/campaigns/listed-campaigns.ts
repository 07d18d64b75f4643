import type { Queryable } from '../db/db-types.ts'
import type { PageRange, Rows } from '../db/page.ts'
import {
  type CampaignCounts,
  noCampaignCounts,
  sumByCampaign,
} from '../metrics/campaigns/campaign-counts-queries.ts'
import { type CampaignStatus, type CampaignSummary, listCampaigns } from './rows/campaigns-queries.ts'
import { findRecipientCounts } from './rows/progress-queries.ts'
import type { RecipientState } from './rows/recipients-queries.ts'

/** A campaign of a list, with its recipients by state and the results of its emails. */
export interface ListedCampaign extends CampaignSummary {
  recipients: Record<RecipientState, number>
  totals: CampaignCounts
}

/**
 * Returns a page of the campaigns of a team, with their figures: two statements for all of them.
 * @param status null for all
 */
export async function listCampaignsWithFigures(
  db: Queryable,
  teamId: string,
  status: CampaignStatus | null,
  range: PageRange,
): Promise<Rows<ListedCampaign>> {
  const { rows, ...rest } = await listCampaigns(db, teamId, status, range)
  // Those that never began have no figures, nor rows to look for.
  const ids = rows.filter(({ version }) => version > 0).map(({ id }) => id)
  const [recipients, totals] = await Promise.all([
    findRecipientCounts(db, teamId, ids),
    sumByCampaign(db, teamId, ids),
  ])
  const withFigures = rows.map((campaign) => ({
    ...campaign,
    recipients: recipients.get(campaign.id) ?? { waiting: 0, accepted: 0, skipped: 0, failed: 0 },
    totals: totals.get(campaign.id) ?? noCampaignCounts(),
  }))
  return { rows: withFigures, ...rest }
}
