import type { Queryable } from '../db/db-types.ts'
import { type Campaign, findCampaign } from './campaigns-queries.ts'
import { countRecipients, type RecipientState } from './sending/recipients-queries.ts'

/** A campaign with the number of its recipients in each state. */
export interface CountedCampaign extends Campaign {
  recipients: Record<RecipientState, number>
}

export async function countCampaign(db: Queryable, campaign: Campaign): Promise<CountedCampaign> {
  return { ...campaign, recipients: await countRecipients(db, campaign) }
}

export async function findCountedCampaign(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<CountedCampaign | null> {
  const campaign = await findCampaign(db, teamId, id)
  return campaign === null ? null : countCampaign(db, campaign)
}
