import type { Queryable } from '../db/db-types.ts'

/** A tag never changes; so many are kept, of some dozens of bytes each. */
const TAGS_MAX = 10_000

/** Finds the short name of a team inside addresses (mime/return-path.ts), and keeps it. */
export function createTeamTags(db: Queryable): (teamId: string) => Promise<string> {
  const known = new Map<string, string>()
  return async (teamId) => {
    const tag = known.get(teamId)
    if (tag !== undefined) return tag
    const rows = await db.query<{ tag: string }>('select tag from team where id = $1', [teamId])
    const found = rows[0]?.tag
    if (found === undefined) throw new Error(`Team ${teamId} has no tag.`)
    if (known.size >= TAGS_MAX) known.clear()
    known.set(teamId, found)
    return found
  }
}
