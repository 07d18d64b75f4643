import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'

/** The fields of a contact that events contain. */
export interface ContactFacts {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  unsubscribed: boolean
  createdAt: Date
  updatedAt: Date
}

/**
 * Returns contacts by id. Deleted contacts are absent. It does not join the ids: until the table is analyzed, PostgreSQL
 * expects few contacts, and would compare each with every id.
 */
export async function findContactFacts(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, ContactFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<ContactFacts>(
    `select c.id, c.email, c.first_name, c.last_name, c.unsubscribed,
       c.created_at, c.updated_at
     from contact c
     where c.team_id = $1 and c.id = any($2::uuid[]) and c.deleted_at is null`,
    [teamId, arrays.uuid(ids)],
    { isOneOff: true },
  )
  return new Map(rows.map((row) => [row.id, row]))
}
