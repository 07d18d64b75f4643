import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { ContactValues } from './compile-content.ts'

/** The values of a contact that was not deleted. */
export interface KnownContact extends ContactValues {
  id: string
  email: string
}

/**
 * Reads contacts by id or by address.
 * @param wanted.emails in normalized form (suppressionKey)
 * @param keys the properties to read, in lower case
 */
export async function readContactValues(
  db: Queryable,
  teamId: string,
  { ids = [], emails = [] }: { ids?: readonly string[]; emails?: readonly string[] },
  keys: readonly string[],
): Promise<KnownContact[]> {
  return db.query<KnownContact>(
    `select c.id, c.email, c.first_name, c.last_name,
       (select coalesce(json_object_agg(lower(p.key), coalesce(v.text_value, v.number_value::text,
           to_char(v.date_value at time zone 'UTC', 'YYYY-MM-DD'))), '{}')
        from property p
        join contact_value v on v.team_id = p.team_id and v.property_id = p.id and v.contact_id = c.id
        where p.team_id = c.team_id and lower(p.key collate "C") = any ($4::text[])) as values
     from contact c
     where c.team_id = $1 and (c.id = any ($2::uuid[]) or c.email = any ($3::text[])) and c.deleted_at is null`,
    [teamId, arrays.uuid(ids), arrays.text(emails), arrays.text(keys)],
  )
}
