import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'
import { NO_MAIL_MESSAGE } from '../../emails/accept/refusal.ts'
import { ERASED_DOMAIN } from '../../lib/crypto/erased-address.ts'
import type { CampaignKey } from '../rows/recipients-queries.ts'

/** The outcomes by which recipients can be filtered, in Resend's words. */
export const RECIPIENT_TYPES = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
  'suppressed',
] as const
export type RecipientType = (typeof RECIPIENT_TYPES)[number]
export type BounceType = 'permanent' | 'transient' | 'undetermined'

export interface RecipientFilter {
  type: RecipientType
  /** In normalized form (suppressionKey); null for all. */
  email: string | null
  bounceType: BounceType | null
}

export interface BroadcastRecipient {
  type: RecipientType
  contactId: string
  isDeleted: boolean
  email: string
  /** Null unless it bounced. */
  bounceType: BounceType | null
  /** How often it was opened or clicked by a person. */
  visitCount: number
  /** Null unless it was opened or clicked. Empty for opens. */
  links: readonly { url: string; clicks: number }[] | null
}

const BOUNCE_TYPE = `case coalesce(left(d.enhanced_code, 1), left(d.smtp_code::text, 1))
  when '5' then 'permanent' when '4' then 'transient' else 'undetermined' end`

const byPerson = (type: string) =>
  `exists (
     select 1
     from event v
     where v.team_id = r.team_id and v.subject_id = r.email_id and v.type = '${type}'
       and v.data -> 'is_machine' is distinct from 'true'::jsonb
   )`

const CONDITIONS: Record<RecipientType, string> = {
  sent: `d.attempts > 0`,
  delivered: `d.status = 'delivered'`,
  opened: byPerson('email.opened'),
  clicked: byPerson('email.clicked'),
  bounced: `d.status = 'bounced'`,
  complained: `d.complained_at is not null`,
  unsubscribed: `exists (
     select 1 from unsubscription u where u.team_id = r.team_id and u.email = d.address_key and u.email_id = r.email_id
   )`,
  suppressed: `(d.status = 'suppressed' or r.reason = '${NO_MAIL_MESSAGE}')`,
}

/** Returns a range of the recipients of a campaign that have this outcome. Erased recipients are left out. */
export async function listBroadcastRecipients(
  db: Queryable,
  { teamId, id }: CampaignKey,
  { type, email, bounceType }: RecipientFilter,
  range: PageRange,
): Promise<Rows<BroadcastRecipient>> {
  const values: unknown[] = [teamId, id]
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    CONDITIONS[type],
    ...(email === null ? [] : [`coalesce(d.address_key, c.email) = ${place(email)}`]),
    ...(bounceType === null ? [] : [`${BOUNCE_TYPE} = ${place(bounceType)}`]),
  ]
  const select = `select r.contact_id, r.email_id, c.id is null as is_deleted,
       coalesce(d.address, c.email) as email,
       ${type === 'bounced' ? BOUNCE_TYPE : 'null::text'} as bounce_type
     from campaign_recipient r
     left join delivery d on d.team_id = r.team_id and d.email_id = r.email_id and d.no = 0
     left join contact c on c.team_id = r.team_id and c.id = r.contact_id and c.deleted_at is null
     where r.team_id = $1 and r.campaign_id = $2 and r.state in ('accepted', 'skipped')
       and coalesce(d.address, c.email) is not null and d.domain is distinct from '${ERASED_DOMAIN}'
       and ${conditions.join(' and ')}`
  const recipients = await queryRange<RecipientRow>(db, select, values, range, 'r.contact_id')
  const isVisit = type === 'opened' || type === 'clicked'
  const visits = isVisit ? await findVisits(db, teamId, type, recipients.rows) : null
  const rows = recipients.rows.map((row) => ({
    type,
    contactId: row.contactId,
    isDeleted: row.isDeleted,
    email: row.email,
    bounceType: row.bounceType as BounceType | null,
    ...(visits === null ? { visitCount: 0, links: null } : countVisits(visits.get(row.emailId) ?? [])),
  }))
  return { ...recipients, rows }
}

/** A recipient as the database returns it. */
interface RecipientRow {
  contactId: string
  /** Null if none was accepted. */
  emailId: string | null
  isDeleted: boolean
  email: string
  bounceType: string | null
}

interface Visits {
  emailId: string
  link: string | null
  count: number
}

/** Returns the opens or clicks of people, by the id of the email. */
async function findVisits(
  db: Queryable,
  teamId: string,
  type: 'opened' | 'clicked',
  rows: readonly RecipientRow[],
): Promise<Map<string | null, Visits[]>> {
  const visits = await db.query<Visits>(
    `select v.subject_id as email_id, v.data ->> 'link' as link, count(*)::int4 as count
     from unnest($2::uuid[]) as k (email_id)
     join event v on v.team_id = $1 and v.subject_id = k.email_id and v.type = $3
     where v.data -> 'is_machine' is distinct from 'true'::jsonb
     group by 1, 2
     order by 3 desc, 2`,
    [teamId, arrays.uuid(rows.flatMap(({ emailId }) => emailId ?? [])), `email.${type}`],
  )
  return Map.groupBy(visits, ({ emailId }) => emailId)
}

function countVisits(visits: readonly Visits[]): Pick<BroadcastRecipient, 'visitCount' | 'links'> {
  return {
    visitCount: visits.reduce((sum, { count }) => sum + count, 0),
    links: visits.flatMap(({ link, count }) => (link === null ? [] : [{ url: link, clicks: count }])),
  }
}
