import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { CampaignKey } from '../rows/recipients-queries.ts'

/** A recipient's contact as it is now. */
export interface AudienceContact {
  contactId: string
  /** Null if the contact was deleted. */
  email: string | null
  firstName: string | null
  lastName: string | null
  unsubscribed: boolean
  /** The values of properties, by key in lower case. */
  values: Readonly<Record<string, string>>
}

/** A contact that was not deleted. */
export type LiveContact = AudienceContact & { email: string }

/** The values of a contact `k.contact_id` of the team `$1`, for the keys `$3`. */
const VALUES = `(select coalesce(json_object_agg(lower(p.key), coalesce(v.text_value, v.number_value::text,
           to_char(v.date_value at time zone 'UTC', 'YYYY-MM-DD'))), '{}')
        from property p
        join contact_value v on v.team_id = p.team_id and v.property_id = p.id and v.contact_id = k.contact_id
        where p.team_id = $1 and lower(p.key collate "C") = any ($3::text[])) as values`

/** Reads waiting recipients with their contacts. `keys` are the properties to read, in lower case. */
export async function readAudienceContacts(
  db: Queryable,
  { teamId, id }: CampaignKey,
  contactIds: readonly string[],
  keys: readonly string[],
): Promise<AudienceContact[]> {
  return db.query<AudienceContact>(
    `select k.contact_id, c.email, c.first_name, c.last_name,
       coalesce(c.unsubscribed, false) as unsubscribed,
       ${VALUES}
     from (
       select $1::uuid as team_id, $4::uuid as campaign_id, 'waiting' as state, contact_id
       from unnest($2::uuid[]) as u (contact_id)
       order by contact_id
     ) as k
     join campaign_recipient r on r.team_id = k.team_id and r.campaign_id = k.campaign_id and r.state = k.state
       and r.contact_id = k.contact_id
     left join contact c on c.team_id = k.team_id and c.id = k.contact_id and c.deleted_at is null
     order by k.contact_id`,
    [teamId, arrays.uuid(contactIds), arrays.text(keys), id],
  )
}

/** Reads a contact as if it were a recipient. `keys` are as for readAudienceContacts. */
export async function readContact(
  db: Queryable,
  teamId: string,
  contactId: string,
  keys: readonly string[],
): Promise<LiveContact | null> {
  const rows = await db.query<LiveContact>(
    `select c.id as contact_id, c.email, c.first_name, c.last_name, c.unsubscribed,
       ${VALUES}
     from unnest($2::uuid[]) as k (contact_id)
     join contact c on c.team_id = $1 and c.id = k.contact_id and c.deleted_at is null`,
    [teamId, arrays.uuid([contactId]), arrays.text(keys)],
  )
  return rows[0] ?? null
}

/** Returns the fallback values of properties, by key in lower case. */
export async function readPropertyFallbacks(
  db: Queryable,
  teamId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ key: string; fallback: string | null }>(
    `select lower(key collate "C") as key, fallback_value as fallback
     from property
     where team_id = $1 and lower(key collate "C") = any ($2::text[])`,
    [teamId, arrays.text(keys)],
  )
  return new Map(rows.flatMap(({ key, fallback }) => (fallback === null ? [] : [[key, fallback] as const])))
}
