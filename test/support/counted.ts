import { expect } from 'vitest'
import type { Db } from '../../src/db/db-types.ts'

/** Resolves when the metrics include every recorded event. They then stay unchanged until the next event. */
export async function allCounted(db: Db): Promise<void> {
  const behind = () =>
    db.query(
      `select f.team_id
       from event_feed f
       left join metric_feed m on m.team_id = f.team_id
       where m.position is distinct from f.position`,
    )
  await expect.poll(behind, { timeout: 60_000 }).toEqual([])
}
