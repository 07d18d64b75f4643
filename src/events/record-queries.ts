import { arrays } from '../db/arrays.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import type { EventType } from './catalogue.ts'

/** A change to an email, a domain, a suppression and the like. */
export interface NewEvent {
  teamId: string
  /** The id of its subject. */
  subjectId: string
  type: EventType
  /** Its own data beside its subject's (events/catalogue.ts); never another recipient's address. */
  data: object
}

interface Recorded extends NewEvent {
  at: Date
}

/** The topic of transactions that record events (`DbOptions.onCommitted`). */
export const EVENTS_TOPIC = 'events'

/**
 * Records events in the transaction that causes them, so that neither exists without the other. The last statement of
 * the transaction writes them and numbers them within their team in commit order: a reader up to a number has missed
 * nothing below it (ADR 0018).
 */
export function recordEvents(tx: Tx, events: readonly NewEvent[], at: Date): void {
  tx.writeLast(
    EVENTS_TOPIC,
    events.map((event): Recorded => ({ ...event, at })),
    insertEvents,
  )
}

/**
 * The teams' counters are incremented in the order of their ids, and are locked from here to the commit. Each event has
 * its team's place in that order and the number of the team's events that follow it in this statement.
 */
async function insertEvents(tx: Queryable, events: readonly Recorded[]): Promise<void> {
  const counts = new Map<string, number>()
  for (const { teamId } of events) counts.set(teamId, (counts.get(teamId) ?? 0) + 1)
  const teams = [...counts.keys()].sort()
  const teamNumbers = new Map(teams.map((team, index) => [team, index + 1]))
  const left = new Map(counts)
  const followers = events.map(({ teamId }) => {
    const count = (left.get(teamId) ?? 0) - 1
    left.set(teamId, count)
    return count
  })
  await tx.query(
    `with feed as (
       insert into event_feed (team_id, position)
       select t.team_id, t.count
       from unnest($1::uuid[], $2::int4[]) as t (team_id, count)
       order by t.team_id
       on conflict (team_id) do update
       set position = event_feed.position + excluded.position
       returning team_id, position
     ),
     ends as (
       select array_agg(position order by team_id) as positions
       from feed
     )
     insert into event (team_id, subject_id, id, type, data, created_at, position)
     select e.team_id, e.subject_id, e.id, e.type, e.data, e.created_at, ends.positions[e.team_number] - e.followers
     from ends
     cross join unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::jsonb[], $8::timestamptz[], $9::int4[], $10::int4[])
       as e (team_id, subject_id, id, type, data, created_at, team_number, followers)`,
    [
      arrays.uuid(teams),
      arrays.int4(teams.map((team) => counts.get(team) ?? 0)),
      arrays.uuid(events.map((event) => event.teamId)),
      arrays.uuid(events.map((event) => event.subjectId)),
      arrays.uuid(events.map((event) => newId(event.at.getTime()))),
      arrays.text(events.map((event) => event.type)),
      arrays.jsonb(events.map((event) => JSON.stringify(event.data))),
      arrays.timestamptz(events.map((event) => event.at)),
      arrays.int4(events.map((event) => teamNumbers.get(event.teamId) ?? 0)),
      arrays.int4(followers),
    ],
  )
}
