import type { ContactCondition } from '../../audience/segments/contact-condition.ts'
import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'

/** Why the emails of a team would be refused. */
export interface SendingState {
  isPaused: boolean
  isVerified: boolean
}

/** @param domainName the domain of the sender; null: none was chosen */
export async function readSendingState(
  db: Queryable,
  teamId: string,
  domainName: string | null,
): Promise<SendingState> {
  const rows = await db.query<SendingState>(
    `select sending_paused_at is not null as is_paused,
       exists (select from verified_domain v where v.team_id = t.id and v.name = $2) as is_verified
     from team t
     where t.id = $1`,
    [teamId, domainName],
  )
  return rows[0] ?? { isPaused: false, isVerified: false }
}

/** Returns the ids of properties, by key in lower case. */
export async function findPropertyIds(
  db: Queryable,
  teamId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ key: string; id: string }>(
    `select lower(key collate "C") as key, id
     from property
     where team_id = $1 and lower(key collate "C") = any ($2::text[])`,
    [teamId, arrays.text(keys)],
  )
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** Selects contacts without a value for a field of their own. */
export function lackingField(column: 'first_name' | 'last_name'): ContactCondition {
  return { sql: () => `c.${column} is null` }
}

/** Selects contacts without a value for a property. */
export function lackingProperty(propertyId: string): ContactCondition {
  return {
    sql: (place) => `not exists (
         select 1
         from contact_value v
         where v.team_id = $1 and v.property_id = ${place(propertyId)}::uuid and v.contact_id = c.id
         offset 0
       )`,
  }
}
