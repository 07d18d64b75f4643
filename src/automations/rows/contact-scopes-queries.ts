import type { ContactCondition } from '../../audience/segments/contact-condition.ts'
import { arrays } from '../../db/arrays.ts'
import type { Place, Queryable } from '../../db/db-types.ts'

/** A contact as rules and templates see it. */
export interface RunContact {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  userId: string | null
  timeZone: string | null
  unsubscribed: boolean
  createdAt: Date
  /** The values of its properties by key; dates as ISO 8601 instants, in UTC. */
  properties: Readonly<Record<string, string | number>>
}

/** Returns contacts by id, with the fallbacks of properties that they have no value of. Deleted contacts are absent. */
export async function readRunContacts(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, RunContact>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<RunContact>(
    `select c.id, c.email, c.first_name, c.last_name, c.user_id, c.time_zone, c.unsubscribed, c.created_at,
       (select coalesce(jsonb_object_agg(p.key, coalesce(
            to_jsonb(v.text_value), to_jsonb(v.number_value),
            to_jsonb(to_char(v.date_value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
            case when p.type = 'number' then to_jsonb(p.fallback_value::numeric) else to_jsonb(p.fallback_value) end)),
          '{}')
        from property p
        left join contact_value v on v.team_id = p.team_id and v.property_id = p.id and v.contact_id = c.id
        where p.team_id = c.team_id and (v.contact_id is not null or p.fallback_value is not null)) as properties
     from unnest($2::uuid[]) as k (id)
     join contact c on c.team_id = $1 and c.id = k.id and c.deleted_at is null`,
    [teamId, arrays.uuid(ids)],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns those of the contacts that meet a condition now. */
export async function findMatchingContacts(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
  condition: ContactCondition,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const values: unknown[] = [teamId, arrays.uuid(ids)]
  const place: Place = (value) => `$${values.push(value)}`
  const rows = await db.query<{ id: string }>(
    `select c.id
     from contact c
     where c.team_id = $1 and c.id = any ($2::uuid[]) and c.deleted_at is null and (${condition.sql(place)})`,
    values,
    { isOneOff: true },
  )
  return new Set(rows.map(({ id }) => id))
}
