import { newId } from '../base/ids.ts'
import { arrays } from '../store/arrays.ts'
import type { Tx } from '../store/db.ts'

/** Something that happened to an email, a domain, a suppression ... */
export interface NewEvent {
  teamId: string
  /** The id of what it happened to. */
  subjectId: string
  /** For example `email.delivered`. */
  type: string
  /** What subscribers see; never another recipient's address. */
  data: object
}

/** Writes events in the transaction that causes them: there is never one without the other. */
export async function recordEvents(tx: Tx, events: readonly NewEvent[], at: Date): Promise<void> {
  if (events.length === 0) return
  await tx.query(
    `insert into event (team_id, subject_id, id, type, data, created_at)
     select e.team_id, e.subject_id, e.id, e.type, e.data, $6::timestamptz
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[]) as e (team_id, subject_id, id, type, data)`,
    [
      arrays.uuid(events.map((event) => event.teamId)),
      arrays.uuid(events.map((event) => event.subjectId)),
      arrays.uuid(events.map(() => newId(at.getTime()))),
      arrays.text(events.map((event) => event.type)),
      arrays.jsonb(events.map((event) => JSON.stringify(event.data))),
      at,
    ],
  )
}
