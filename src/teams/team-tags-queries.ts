import type { Queryable } from '../db/db-types.ts'

/** Maximum number of cached tags, of some dozens of bytes each. A tag never changes. */
const TAGS_MAX = 10_000

/**
 * Creates a cached look-up of team tags, the short names of teams inside return paths (mime/return-path.ts). It
 * throws when the team does not exist.
 */
export function createTeamTags(db: Queryable): (teamId: string) => Promise<string> {
  const tags = new Map<string, string>()
  return async (teamId) => {
    const tag = tags.get(teamId)
    if (tag !== undefined) return tag
    const rows = await db.query<{ tag: string }>('select tag from team where id = $1', [teamId])
    const teamTag = rows[0]?.tag
    if (teamTag === undefined) throw new Error(`Team ${teamId} has no tag.`)
    if (tags.size >= TAGS_MAX) tags.clear()
    tags.set(teamId, teamTag)
    return teamTag
  }
}
