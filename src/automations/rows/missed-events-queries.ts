import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { StoredEvent } from '../../events/feed-queries.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { AutomationRun } from './runs-queries.ts'

const RUNS = batchOf('run_id uuid, contact_id uuid, awaits text, heard_until int8, since uuid', {
  run_id: ({ id }: AutomationRun) => id,
  since: ({ startedAt }: AutomationRun) => firstIdAt(new Date(startedAt.getTime() - CLOCKS_MS)),
})

/** Events are older than the runs that they begin, and clocks differ. */
const CLOCKS_MS = 10 * 60_000
const EVENTS_MAX = 20

/**
 * Returns events about the contacts of runs that they wait for and that came before their wait began, but behind what the runs
 * have heard: those after the event that began the run.
 * @param after the position in the feed behind which events count
 */
export async function findMissedEvents(
  db: Queryable,
  teamId: string,
  runs: readonly AutomationRun[],
  after: number,
): Promise<(StoredEvent & { runId: string })[]> {
  if (runs.length === 0) return []
  return db.query<StoredEvent & { runId: string }>(
    `select k.run_id, found.*
     from unnest(${RUNS.arraysFrom(4)}) as k (${RUNS.names})
     cross join lateral (
       select e.subject_id, e.id, e.type, e.data, e.created_at, e.position
       from event e
       where e.team_id = $1 and e.id >= k.since and e.position > greatest(k.heard_until, $3)
         and e.subject_id = any (k.contact_id || array(
           select t.email_id
           from automation_step_taken t
           where t.team_id = $1 and t.run_id = k.run_id and t.email_id is not null
         ))
         and (e.type = k.awaits or e.type = 'contact.event' and e.data ->> 'event' = k.awaits)
       order by e.position
       limit $2
     ) found
     order by k.run_id, found.position`,
    [teamId, EVENTS_MAX, after, ...RUNS.values(runs)],
  )
}
