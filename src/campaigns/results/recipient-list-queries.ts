import type { Queryable } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../../db/page.ts'
import type { CampaignKey, RecipientState } from '../rows/recipients-queries.ts'

export interface CampaignRecipient {
  /** The id of the contact. */
  id: string
  /** Null once the contact was deleted or erased. */
  email: string | null
  state: RecipientState
  /** Why it was skipped or failed. */
  reason: string | null
  emailId: string | null
  /** Null without an email, and once retention has deleted it. */
  emailStatus: string | null
  updatedAt: Date
}

/** @param state null for all */
export async function listCampaignRecipients(
  db: Queryable,
  { teamId, id }: CampaignKey,
  state: RecipientState | null,
  range: PageRange,
): Promise<Rows<CampaignRecipient>> {
  const select = `select r.contact_id as id, c.email, r.state, r.reason, r.email_id, e.status as email_status, r.updated_at
     from campaign_recipient r
     left join contact c on c.team_id = r.team_id and c.id = r.contact_id and c.deleted_at is null
     left join email e on e.team_id = r.team_id and e.id = r.email_id
     where r.team_id = $1 and r.campaign_id = $2`
  return state === null
    ? queryRange<CampaignRecipient>(db, select, [teamId, id], range, 'r.contact_id')
    : queryRange<CampaignRecipient>(
        db,
        `${select} and r.state = $3`,
        [teamId, id, state],
        range,
        'r.contact_id',
      )
}

/**
 * Counts recipients up to FILTERED_TOTAL_MAX.
 * @param state null for all
 */
export async function countCampaignRecipients(
  db: Queryable,
  { teamId, id }: CampaignKey,
  state: RecipientState | null,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (
       select 1
       from campaign_recipient
       where team_id = $1 and campaign_id = $2 and ($3::text is null or state = $3)
       limit ${FILTERED_TOTAL_MAX}
     ) as fitting`,
    [teamId, id, state],
  )
  return rows[0]?.count ?? 0
}
