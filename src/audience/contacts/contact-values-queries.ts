import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'

/**
 * The limit on all text values of one contact. A page of a hundred contacts is in memory as a whole, more than once.
 */
export const CONTACT_TEXT_BYTES_MAX = 100_000

/** A contact's value of a property, in the property's type; null to remove it. */
export interface ContactValue {
  contactId: string
  propertyId: string
  value: string | number | Date | null
}

/** Saves and removes values of locked contacts. The caller has also locked the properties. */
export async function saveContactValues(
  tx: Tx,
  teamId: string,
  values: readonly ContactValue[],
): Promise<void> {
  const cleared = values.filter(({ value }) => value === null)
  const filled = values.filter(({ value }) => value !== null)
  await together([
    ...(cleared.length > 0 ? [removeValues(tx, teamId, cleared)] : []),
    ...(filled.length > 0 ? [putValues(tx, teamId, filled)] : []),
  ])
}

/** Values of so few properties cannot exceed the limit, so they are not summed up. */
const LIGHT_PROPERTIES_MAX = Math.floor(CONTACT_TEXT_BYTES_MAX / (1000 * 4))

/** Returns whether the text values of any of these contacts exceed CONTACT_TEXT_BYTES_MAX. */
export async function isAnyContactHeavy(
  tx: Tx,
  teamId: string,
  contactIds: readonly string[],
): Promise<boolean> {
  const rows = await tx.query(
    `select v.contact_id
     from contact_value v
     join property p on p.team_id = v.team_id and p.id = v.property_id
     where v.team_id = $1
       and v.contact_id = any($2::uuid[])
       and (select k.value from counter k where k.team_id = $1 and k.name = 'properties') > $3
     group by v.contact_id
     having sum(octet_length(v.text_value)) > $4
     limit 1`,
    [teamId, arrays.uuid(contactIds), LIGHT_PROPERTIES_MAX, CONTACT_TEXT_BYTES_MAX],
    { isOneOff: true },
  )
  return rows.length > 0
}

const PLACES = batchOf('contact_id uuid, property_id uuid')

async function removeValues(tx: Tx, teamId: string, values: readonly ContactValue[]): Promise<void> {
  await tx.query(
    `delete from contact_value v
     using unnest(${PLACES.arraysFrom(2)}) as row (${PLACES.names})
     where v.team_id = $1 and v.contact_id = row.contact_id and v.property_id = row.property_id`,
    [teamId, ...PLACES.values(values)],
    { isOneOff: true },
  )
}

const VALUES = batchOf(
  'contact_id uuid, property_id uuid, text_value text, number_value text, date_value timestamptz',
  {
    text_value: ({ value }: ContactValue) => (typeof value === 'string' ? value : null),
    number_value: ({ value }: ContactValue) => (typeof value === 'number' ? String(value) : null),
    date_value: ({ value }: ContactValue) => (value instanceof Date ? value : null),
  },
)

async function putValues(tx: Tx, teamId: string, values: readonly ContactValue[]): Promise<void> {
  await tx.query(
    `insert into contact_value (team_id, contact_id, property_id, text_value, number_value, date_value)
     select $1, contact_id, property_id, text_value, number_value::numeric, date_value
     from unnest(${VALUES.arraysFrom(2)}) as row (${VALUES.names})
     on conflict (team_id, contact_id, property_id) do update
     set text_value = excluded.text_value, number_value = excluded.number_value, date_value = excluded.date_value`,
    [teamId, ...VALUES.values(values)],
  )
}

/** Deletes up to `countMax` values of a deleted property. Returns the number of deleted values. */
export async function sweepPropertyValues(
  tx: Tx,
  teamId: string,
  propertyId: string,
  countMax: number,
): Promise<number> {
  let count = 0
  // The indexes that begin with the property cover one type each.
  for (const column of ['text_value', 'number_value', 'date_value'] as const) {
    const rows = await tx.query(
      `with gone as materialized (
         select contact_id
         from contact_value
         where team_id = $1 and property_id = $2 and ${column} is not null
         limit $3
       )
       delete from contact_value v
       using gone
       where v.team_id = $1 and v.property_id = $2 and v.contact_id = gone.contact_id
       returning 1`,
      [teamId, propertyId, countMax - count],
      { isOneOff: true },
    )
    count += rows.length
  }
  return count
}
