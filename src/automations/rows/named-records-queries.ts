import { arrays } from '../../db/arrays.ts'
import type { Tx } from '../../db/db-types.ts'

/** Returns the templates with these aliases, by alias. */
export async function findTemplateIds(
  tx: Tx,
  teamId: string,
  aliases: readonly string[],
): Promise<Map<string, { id: string; isPublished: boolean }>> {
  if (aliases.length === 0) return new Map()
  const rows = await tx.query<{ alias: string; id: string; isPublished: boolean }>(
    `select k.alias, t.id, t.status = 'published' as is_published
     from unnest($2::text[]) as k (alias)
     join template t on t.team_id = $1 and lower(t.alias collate "C") = lower(k.alias collate "C")
     order by t.id
     for key share of t`,
    [teamId, arrays.text(aliases)],
  )
  return new Map(rows.map(({ alias, ...row }) => [alias, row]))
}

/** Returns the types of the properties with these keys, by key in lower case. They are locked against deletion. */
export async function findPropertyTypes(
  tx: Tx,
  teamId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const lower = [...new Set(keys.map((key) => key.toLowerCase()))]
  const rows = await tx.query<{ key: string; type: string }>(
    `select lower(key collate "C") as key, type
     from property
     where team_id = $1 and lower(key collate "C") = any ($2::text[])
     order by id
     for key share`,
    [teamId, arrays.text(lower)],
  )
  return new Map(rows.map(({ key, type }) => [key, type]))
}
