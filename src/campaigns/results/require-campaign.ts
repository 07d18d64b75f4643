import type { Db } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hasCampaign } from '../rows/campaigns-queries.ts'
import type { CampaignKey } from '../rows/recipients-queries.ts'

/** Returns the key of a campaign of the team. Throws `not_found` if there is none. */
export async function requireCampaign(db: Db, teamId: string, givenId: string): Promise<CampaignKey> {
  const campaign = { teamId, id: givenId.toLowerCase() }
  if (!(await hasCampaign(db, teamId, campaign.id))) throw new ApiError('not_found')
  return campaign
}
