import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { ContactFields } from './write-contacts-queries.ts'

type Value = string | number | boolean | null

/** The fields of a contact that a transaction changed, by name: those of properties as `properties.<key>`. */
export type FieldChanges = Readonly<Record<string, { from: Value; to: Value }>>

/** What a request gives for a contact. */
interface Given extends ContactFields {
  id: string
  /** Absent: it stays. */
  email?: string | undefined
  values?: readonly { propertyId: string; value: string | number | Date | null }[] | undefined
}

interface Before {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  userId: string | null
  timeZone: string | null
  unsubscribed: boolean
  /** By the id of the property; dates as ISO 8601 instants, in UTC. */
  values: Readonly<Record<string, string | number>> | null
  /** The keys of the properties, by id. */
  keys: Readonly<Record<string, string>> | null
}

const FIELDS = {
  first_name: 'firstName',
  last_name: 'lastName',
  user_id: 'userId',
  time_zone: 'timeZone',
  unsubscribed: 'unsubscribed',
} as const

/** Returns what the given fields change in locked contacts, by contact. To be read before they are written. */
export async function findFieldChanges(
  db: Queryable,
  teamId: string,
  changes: readonly Given[],
): Promise<Map<string, FieldChanges>> {
  if (changes.length === 0) return new Map()
  const propertyIds = [...new Set(changes.flatMap(({ values = [] }) => values.map((one) => one.propertyId)))]
  const before = await readBefore(
    db,
    teamId,
    changes.map(({ id }) => id),
    propertyIds,
  )
  return new Map(
    changes.flatMap((given) => {
      const row = before.get(given.id)
      const changed = row === undefined ? {} : changesOf(row, given)
      return Object.keys(changed).length === 0 ? [] : [[given.id, changed] as const]
    }),
  )
}

function changesOf(before: Before, given: Given): FieldChanges {
  // With a new address it may be another person, whose events say nothing of the one before.
  if (given.email !== undefined && given.email !== before.email) return {}
  const changes: Record<string, { from: Value; to: Value }> = {}
  const add = (name: string, from: Value, to: Value) => {
    if (from !== to) changes[name] = { from, to }
  }
  for (const [name, field] of Object.entries(FIELDS)) {
    const to = given[field]
    if (to !== undefined) add(name, before[field], to)
  }
  for (const { propertyId, value } of given.values ?? []) {
    const key = before.keys?.[propertyId]
    const to = value instanceof Date ? value.toISOString() : value
    if (key !== undefined) add(`properties.${key}`, before.values?.[propertyId] ?? null, to)
  }
  return changes
}

async function readBefore(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
  propertyIds: readonly string[],
): Promise<Map<string, Before>> {
  const rows = await db.query<Before>(
    `select c.id, c.email, c.first_name, c.last_name, c.user_id, c.time_zone, c.unsubscribed,
       (select jsonb_object_agg(v.property_id, coalesce(to_jsonb(v.text_value), to_jsonb(v.number_value),
          to_jsonb(to_char(v.date_value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
        from contact_value v
        where v.team_id = $1 and v.contact_id = c.id and v.property_id = any ($3::uuid[])) as values,
       (select jsonb_object_agg(p.id, p.key)
        from property p
        where p.team_id = $1 and p.id = any ($3::uuid[])) as keys
     from contact c
     where c.team_id = $1 and c.id = any ($2::uuid[]) and c.deleted_at is null`,
    [teamId, arrays.uuid(ids), arrays.uuid(propertyIds)],
    { isOneOff: true },
  )
  return new Map(rows.map((row) => [row.id, row]))
}
