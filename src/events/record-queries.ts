import { batchOf } from '../db/batch.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { together } from '../db/transactions.ts'
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

const TEAMS = batchOf('team_id uuid, count int4')

/** An event with its team's place in the order of the teams, and the number of the team's events that follow it. */
interface Numbered extends Recorded {
  teamNumber: number
  followers: number
}

const EVENTS = batchOf(
  `team_id uuid, subject_id uuid, id uuid, type text, data jsonb, created_at timestamptz, team_number int4,
   followers int4`,
  { id: ({ at }: Numbered) => newId(at.getTime()), created_at: ({ at }: Numbered) => at },
)

const MOVE_FEEDS = `insert into event_feed (team_id, position)
  select t.team_id, t.count
  from unnest(${TEAMS.arrays}) as t (${TEAMS.names})
  order by t.team_id
  on conflict (team_id) do update
  set position = event_feed.position + excluded.position`

const INSERT_EVENTS = `insert into event (team_id, subject_id, id, type, data, created_at, position)
  select e.team_id, e.subject_id, e.id, e.type, e.data, e.created_at, ends.positions[e.team_number] - e.followers
  from (
    select array_agg(f.position order by f.team_id) as positions
    from event_feed f
    where f.team_id = any ($1::uuid[])
  ) ends
  cross join unnest(${EVENTS.arraysFrom(2)}) as e (${EVENTS.names})`

/** The teams' counters are incremented in the order of their ids, and are locked from here to the commit. */
async function insertEvents(tx: Queryable, events: readonly Recorded[]): Promise<void> {
  const counts = new Map<string, number>()
  for (const { teamId } of events) counts.set(teamId, (counts.get(teamId) ?? 0) + 1)
  const teams = [...counts.keys()].sort().map((teamId) => ({ teamId, count: counts.get(teamId) ?? 0 }))
  const teamNumbers = new Map(teams.map(({ teamId }, index) => [teamId, index + 1]))
  const numbered = events.map((event): Numbered => {
    const followers = (counts.get(event.teamId) ?? 0) - 1
    counts.set(event.teamId, followers)
    return { ...event, teamNumber: teamNumbers.get(event.teamId) ?? 0, followers }
  })
  const [teamIds, countsOfTeams] = TEAMS.values(teams)
  // Sent together: the second statement reads the ends that the first one has set.
  await together([
    tx.query(MOVE_FEEDS, [teamIds, countsOfTeams]),
    tx.query(INSERT_EVENTS, [teamIds, ...EVENTS.values(numbered)]),
  ])
}
