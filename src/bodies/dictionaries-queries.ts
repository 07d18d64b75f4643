import type { Queryable } from '../db/db-types.ts'

/** Returns a dictionary, compressed, or null if there is none with this id. */
export async function findDictionary(db: Queryable, teamId: string, id: string): Promise<Buffer | null> {
  const rows = await db.query<{ content: Buffer }>(
    'select content from body_dictionary where team_id = $1 and id = $2',
    [teamId, id],
  )
  return rows[0]?.content ?? null
}

/** Returns the newest dictionary of a team that was made after `since`, or null. */
export async function findNewestDictionary(
  db: Queryable,
  teamId: string,
  since: Date,
): Promise<{ id: string; content: Buffer } | null> {
  const rows = await db.query<{ id: string; content: Buffer }>(
    `select id, content
     from body_dictionary
     where team_id = $1 and created_at > $2
     order by id desc
     limit 1`,
    [teamId, since],
  )
  return rows[0] ?? null
}

/** @param content compressed */
export async function insertDictionary(
  db: Queryable,
  dictionary: { teamId: string; id: string; content: Buffer; createdAt: Date },
): Promise<void> {
  await db.query('insert into body_dictionary (team_id, id, content, created_at) values ($1, $2, $3, $4)', [
    dictionary.teamId,
    dictionary.id,
    dictionary.content,
    dictionary.createdAt,
  ])
}

/** Deletes dictionaries made before `before` that no pack names. */
export async function deleteUnusedDictionaries(db: Queryable, before: Date): Promise<void> {
  await db.query(
    `delete from body_dictionary d
     where d.created_at < $1
     and not exists (
       select from body_pack p
       where p.team_id = d.team_id and p.dictionary_id = d.id
     )`,
    [before],
  )
}
