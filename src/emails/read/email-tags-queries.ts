import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'

const KEYS = batchOf('team_id uuid, email_id uuid')

const FIND_TAGS = `select e.id, e.tags
  from unnest(${KEYS.arrays}) as k (${KEYS.names})
  join email e on e.team_id = k.team_id and e.id = k.email_id
  where e.tags is not null`

/** Returns the tags of these emails by email id. Emails without tags are absent. */
export async function findTags(
  db: Queryable,
  keys: readonly { teamId: string; emailId: string }[],
): Promise<Map<string, { name: string; value: string }[]>> {
  const rows = await db.query<{ id: string; tags: { name: string; value: string }[] }>(
    FIND_TAGS,
    KEYS.values(keys),
  )
  return new Map(rows.map((row) => [row.id, row.tags]))
}
