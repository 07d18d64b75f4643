import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'

/** Returns the tags of these emails by email id. Emails without tags are absent. */
export async function findTags(
  db: Queryable,
  keys: readonly { teamId: string; emailId: string }[],
): Promise<Map<string, { name: string; value: string }[]>> {
  const rows = await db.query<{ id: string; tags: { name: string; value: string }[] }>(
    `select e.id, e.tags
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, id)
     join email e on e.team_id = k.team_id and e.id = k.id
     where e.tags is not null`,
    [arrays.uuid(keys.map((key) => key.teamId)), arrays.uuid(keys.map((key) => key.emailId))],
  )
  return new Map(rows.map((row) => [row.id, row.tags]))
}
