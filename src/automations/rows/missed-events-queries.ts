import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { StoredEvent } from '../../events/feed-queries.ts'
import { firstIdAt, timeOfId } from '../../lib/ids.ts'
import type { AutomationRun } from './runs-queries.ts'

const RUNS = batchOf('run_id uuid, contact_id uuid, awaits text, heard_until int8, since uuid', {
  run_id: ([{ id }]: RunAndPlace) => id,
  contact_id: ([{ contactId }]: RunAndPlace) => contactId,
  awaits: ([{ awaits }]: RunAndPlace) => awaits,
  heard_until: ([, position]: RunAndPlace) => position,
  since: ([run]: RunAndPlace) => firstIdAt(new Date(begunAtMs(run) - CLOCKS_MS)),
})

/** A run, and the position in the feed behind which events count. */
type RunAndPlace = readonly [AutomationRun, number]

/** Events are older than the runs that they begin, and clocks differ. */
const CLOCKS_MS = 10 * 60_000
const EVENTS_MAX = 20

/** The feed may have been followed long after the event that began a run. */
function begunAtMs({ cause, startedAt }: AutomationRun): number {
  return cause.event_id === undefined ? startedAt.getTime() : timeOfId(cause.event_id)
}

/** An event that a run may have missed. `isLast` of a full part: more may follow. */
export type MissedEvent = StoredEvent & { runId: string; isLast: boolean }

/**
 * Returns events about the contacts of runs that they wait for and that came before their wait began, but behind what the runs
 * have heard: those after the event that began the run. For each run a part, in the order of the feed.
 * @param places the runs, each with the position behind which events count
 */
export async function findMissedEvents(
  db: Queryable,
  teamId: string,
  places: ReadonlyMap<AutomationRun, number>,
): Promise<MissedEvent[]> {
  if (places.size === 0) return []
  return db.query<MissedEvent>(
    `select k.run_id, found.*
     from unnest(${RUNS.arraysFrom(3)}) as k (${RUNS.names})
     cross join lateral (
       select e.subject_id, e.id, e.type, e.data, e.created_at, e.position, row_number() over (order by e.position) = $2 as is_last
       from event e
       where e.team_id = $1 and e.id >= k.since and e.position > k.heard_until
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
    [teamId, EVENTS_MAX, ...RUNS.values([...places])],
  )
}

/** In one transaction, some tens of milliseconds. */
const SINCE_MAX = 1000

/** Returns the events about the contact and the emails of a run since a time, in the order of the feed, up to a thousand. */
export async function findEventsSince(
  db: Queryable,
  { teamId, id, contactId, begunAfter }: AutomationRun,
  since: Date,
): Promise<StoredEvent[]> {
  return db.query<StoredEvent>(
    `select e.subject_id, e.id, e.type, e.data, e.created_at, e.position
     from event e
     where e.team_id = $1 and e.id >= $3 and e.position > $4
       and e.subject_id = any ($2::uuid || array(
         select t.email_id
         from automation_step_taken t
         where t.team_id = $1 and t.run_id = $6 and t.email_id is not null
       ))
     order by e.position
     limit $5`,
    [teamId, contactId, firstIdAt(new Date(since.getTime() - CLOCKS_MS)), begunAfter, SINCE_MAX, id],
  )
}
