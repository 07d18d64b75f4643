import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { type CamelCase, toCamelCase } from '../../db/rows.ts'

/** The counters, which are columns of `campaign_metric`. All but the last are those of `metric` with the same name. */
export const CAMPAIGN_COUNTERS = [
  'attempted',
  'sent',
  'delivered',
  'bounced',
  'bounced_hard',
  'failed',
  'rejected',
  'suppressed',
  'complained',
  'opened',
  'opened_unique',
  'opened_machine',
  'clicked',
  'clicked_unique',
  'clicked_machine',
  'unsubscribed',
] as const

export type CampaignCounter = (typeof CAMPAIGN_COUNTERS)[number]
export type CampaignCounts = Record<CampaignCounter, number>

/** The counts of one campaign in one hour at one provider. */
export interface CampaignRow {
  teamId: string
  campaignId: string
  sinceMs: number
  provider: string
  counts: CampaignCounts
}

const NO_COUNTS = Object.fromEntries(CAMPAIGN_COUNTERS.map((counter) => [counter, 0])) as CampaignCounts

export function noCampaignCounts(): CampaignCounts {
  return { ...NO_COUNTS }
}

const EMAILS = batchOf('team_id uuid, id uuid')

const FIND_CAMPAIGNS_OF = `select k.id as email_id, r.campaign_id
  from unnest(${EMAILS.arrays}) as k (${EMAILS.names})
  join campaign_recipient r on r.team_id = k.team_id and r.email_id = k.id`

/** Returns the campaigns of those emails that are of one, by the id of the email. */
export async function findCampaignsOf(
  db: Queryable,
  emails: readonly { teamId: string; id: string }[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const rows = await db.query<{ emailId: string; campaignId: string }>(
    FIND_CAMPAIGNS_OF,
    EMAILS.values(emails),
  )
  return new Map(rows.map(({ emailId, campaignId }) => [emailId, campaignId]))
}

const PLACES = batchOf('team_id uuid, campaign_id uuid, since timestamptz, provider text', {
  since: ({ sinceMs }: CampaignRow) => new Date(sinceMs),
})

const COUNTS = batchOf(
  CAMPAIGN_COUNTERS.map((counter) => `${counter} int8`).join(', '),
  Object.fromEntries(
    CAMPAIGN_COUNTERS.map((counter) => [counter, ({ counts }: CampaignRow) => counts[counter]]),
  ),
)

const ADD_COUNTS = `insert into campaign_metric (${PLACES.names}, ${COUNTS.names})
  select n.*
  from unnest(${PLACES.arrays}, ${COUNTS.arraysFrom(5)}) as n (${PLACES.names})
  where exists (select from campaign c where c.team_id = n.team_id and c.id = n.campaign_id)
  on conflict (${PLACES.names}) do update
  set ${CAMPAIGN_COUNTERS.map((counter) => `${counter} = campaign_metric.${counter} + excluded.${counter}`).join(',\n    ')}`

/** Adds to the stored counts of campaigns that were not deleted, with their teams' feeds locked. */
export async function addCampaignCounts(tx: Tx, rows: readonly CampaignRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(ADD_COUNTS, [...PLACES.values(rows), ...COUNTS.values(rows)])
}

type SumRow = Record<CamelCase<CampaignCounter>, number>

const KEYS = CAMPAIGN_COUNTERS.map((counter) => [counter, toCamelCase(counter)] as const)
const SUMS = CAMPAIGN_COUNTERS.map((counter) => `sum(m.${counter})::int8 as ${counter}`).join(', ')

function toCounts(row: SumRow): CampaignCounts {
  const counts = noCampaignCounts()
  for (const [counter, key] of KEYS) counts[counter] = row[key]
  return counts
}

/** Sums the counts of a campaign: at most a row for each hour and provider. */
export async function sumOfCampaign(
  db: Queryable,
  teamId: string,
  campaignId: string,
): Promise<CampaignCounts> {
  const counts = await sumByCampaign(db, teamId, [campaignId])
  return counts.get(campaignId) ?? noCampaignCounts()
}

/** Sums the counts of the campaigns of a page. Those without any are left out. */
export async function sumByCampaign(
  db: Queryable,
  teamId: string,
  campaignIds: readonly string[],
): Promise<Map<string, CampaignCounts>> {
  const rows = await db.query<SumRow & { campaignId: string }>(
    `select m.campaign_id, ${SUMS}
     from campaign_metric m
     where m.team_id = $1 and m.campaign_id = any ($2::uuid[])
     group by m.campaign_id`,
    [teamId, arrays.uuid(campaignIds)],
  )
  return new Map(rows.map((row) => [row.campaignId, toCounts(row)]))
}

/** Sums the counts of a campaign by provider, of which there are some ten. */
export async function sumByProvider(
  db: Queryable,
  teamId: string,
  campaignId: string,
): Promise<{ provider: string; counts: CampaignCounts }[]> {
  const rows = await db.query<SumRow & { provider: string }>(
    `select m.provider, ${SUMS}
     from campaign_metric m
     where m.team_id = $1 and m.campaign_id = $2
     group by m.provider
     order by sum(m.attempted) desc, m.provider`,
    [teamId, campaignId],
  )
  return rows.map((row) => ({ provider: row.provider, counts: toCounts(row) }))
}

/** Sums the counts of a campaign by hour, for its first `countMax` hours with any. */
export async function sumByHour(
  db: Queryable,
  teamId: string,
  campaignId: string,
  countMax: number,
): Promise<{ since: Date; counts: CampaignCounts }[]> {
  const rows = await db.query<SumRow & { since: Date }>(
    `select m.since, ${SUMS}
     from campaign_metric m
     where m.team_id = $1 and m.campaign_id = $2
     group by m.since
     order by m.since
     limit $3`,
    [teamId, campaignId, countMax],
  )
  return rows.map((row) => ({ since: row.since, counts: toCounts(row) }))
}

/** Deletes the counts of a campaign: at most a row for each hour and provider, and some hundred for its links. */
export async function deleteCampaignCounts(tx: Tx, teamId: string, campaignId: string): Promise<void> {
  await tx.query('delete from campaign_metric where team_id = $1 and campaign_id = $2', [teamId, campaignId])
  await tx.query('delete from campaign_link where team_id = $1 and campaign_id = $2', [teamId, campaignId])
}
