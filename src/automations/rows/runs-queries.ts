import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** `parked`: it came due while its automation was paused. */
export type RunState = 'active' | 'parked' | 'ended'
export type RunOutcome = 'completed' | 'goal' | 'exited' | 'failed' | 'canceled'

/** What a run awaits that called a webhook, which is also the type of the call. Endpoints cannot subscribe to it. */
export const RESPONSE = 'automation.webhook'

/** What began a run. */
export interface RunCause {
  /** The type of the trigger. */
  type: string
  /** The event of the feed, if one began it. */
  event_id?: string
  /** The automation whose step caused that event. */
  automation_id?: string
}

/** A contact on its way through a version of an automation. */
export interface AutomationRun {
  teamId: string
  id: string
  automationId: string
  version: number
  contactId: string
  state: RunState
  /** Null until it has ended. */
  outcome: RunOutcome | null
  /** Why it ended so, or why it is held up; null: there is nothing to say. */
  reason: string | null
  /** The key of the step where it is, or where it ended. */
  step: string
  /** How many steps it took before. */
  moves: number
  enteredAt: Date
  /** When it goes on by itself; null: it waits for an event only, or has ended. */
  dueAt: Date | null
  /** The event that it waits for. RESPONSE: the response to its call of a webhook. */
  awaits: string | null
  /** The end of the feed of the team when it began: later events may end it. */
  begunAfter: number
  /** Events up to this number are behind its waits. */
  heardUntil: number
  cause: RunCause
  /** What came with the event that began it, and with those that it waited for. */
  payload: Record<string, unknown>
  /** What its digest has collected: the number of events, and the first of them. */
  collected: { count: number; events: readonly Record<string, unknown>[] } | null
  /** How many automations began one another before it. */
  depth: number
  /** Failures in a row that pass by themselves. */
  attempts: number
  startedAt: Date
  endedAt: Date | null
}

const RUN = `r.team_id, r.id, r.automation_id, r.version, r.contact_id, r.state, r.outcome, r.reason, r.step, r.moves,
  r.entered_at, r.due_at, r.awaits, r.begun_after, r.heard_until, r.cause, r.payload, r.collected, r.depth, r.attempts, r.started_at,
  r.ended_at`

/** Returns teams with runs that are due, by id after `after`: at most `countMax`. */
export async function findTeamsWithDueRuns(
  db: Queryable,
  after: string | null,
  now: Date,
  countMax: number,
): Promise<string[]> {
  const rows = await db.query<{ teamId: string }>(
    `select f.team_id
     from automation_feed f
     where ($1::uuid is null or f.team_id > $1)
       and exists (
         select from automation_run r
         where r.team_id = f.team_id and r.state = 'active' and r.due_at <= $2
           and (r.leased_until is null or r.leased_until <= $2)
       )
     order by f.team_id
     limit $3`,
    [after, now, countMax],
  )
  return rows.map(({ teamId }) => teamId)
}

/**
 * Leases due runs of a team, those first that are due longest. The lease of a process that died expires; it only prevents
 * double work, because each move locks its run again.
 */
export async function leaseDueRuns(
  db: Queryable,
  teamId: string,
  times: { now: Date; until: Date },
  countMax: number,
): Promise<AutomationRun[]> {
  return db.query<AutomationRun>(
    `with due as materialized (
       select team_id, id
       from automation_run
       where team_id = $1 and state = 'active' and due_at <= $2 and (leased_until is null or leased_until <= $2)
       order by due_at
       limit $4
       for update skip locked
     )
     update automation_run r
     set leased_until = $3
     from due d
     where r.team_id = d.team_id and r.id = d.id
     returning ${RUN}`,
    [teamId, times.now, times.until, countMax],
  )
}

/** Ends the leases of runs that could not go on now. */
export async function releaseAutomationRuns(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await db.query(
    `update automation_run set leased_until = null where team_id = $1 and id = any ($2::uuid[])`,
    [teamId, arrays.uuid(ids)],
  )
}

/** Locks runs until the transaction ends, in the order of their ids. */
export async function lockAutomationRuns(
  tx: Tx,
  teamId: string,
  ids: readonly string[],
): Promise<AutomationRun[]> {
  if (ids.length === 0) return []
  return tx.query<AutomationRun>(
    `select ${RUN}
     from automation_run r
     where r.team_id = $1 and r.id = any ($2::uuid[])
     order by r.id
     for update`,
    [teamId, arrays.uuid(ids)],
  )
}

/** Locks the runs of these contacts that have not ended, in the order of their ids. */
export async function lockRunsOfContacts(
  tx: Tx,
  teamId: string,
  contactIds: readonly string[],
): Promise<AutomationRun[]> {
  if (contactIds.length === 0) return []
  return tx.query<AutomationRun>(
    `select ${RUN}
     from automation_run r
     where r.team_id = $1 and r.contact_id = any ($2::uuid[]) and r.state <> 'ended'
     order by r.id
     for update`,
    [teamId, arrays.uuid(contactIds)],
  )
}

const NEW_RUNS = batchOf(
  `id uuid, automation_id uuid, version int4, contact_id uuid, state text, outcome text, reason text, step text,
   moves int4, entered_at timestamptz, due_at timestamptz, awaits text, begun_after int8, heard_until int8, cause jsonb, payload jsonb,
   collected jsonb, depth int2, started_at timestamptz, ended_at timestamptz`,
)

/** Inserts runs of contacts that have no other one of the automation under way. */
export async function insertAutomationRuns(
  tx: Tx,
  teamId: string,
  runs: readonly AutomationRun[],
): Promise<void> {
  if (runs.length === 0) return
  await tx.query(
    `insert into automation_run (team_id, ${NEW_RUNS.names})
     select $1, row.*
     from unnest(${NEW_RUNS.arraysFrom(2)}) as row (${NEW_RUNS.names})`,
    [teamId, ...NEW_RUNS.values(runs)],
  )
}

const CHANGED_RUNS = batchOf(
  `id uuid, version int4, state text, outcome text, reason text, step text, moves int4, entered_at timestamptz,
   due_at timestamptz, awaits text, heard_until int8, payload jsonb, collected jsonb, depth int2, attempts int2,
   ended_at timestamptz`,
)

/** Saves locked runs and ends their leases. */
export async function updateAutomationRuns(
  tx: Tx,
  teamId: string,
  runs: readonly AutomationRun[],
): Promise<void> {
  if (runs.length === 0) return
  await tx.query(
    `update automation_run r
     set version = row.version, state = row.state, outcome = row.outcome, reason = row.reason, step = row.step,
       moves = row.moves, entered_at = row.entered_at, due_at = row.due_at, awaits = row.awaits,
       heard_until = row.heard_until, payload = row.payload, collected = row.collected, depth = row.depth, attempts = row.attempts,
       ended_at = row.ended_at, leased_until = null
     from unnest(${CHANGED_RUNS.arraysFrom(2)}) as row (${CHANGED_RUNS.names})
     where r.team_id = $1 and r.id = row.id`,
    [teamId, ...CHANGED_RUNS.values(runs)],
  )
}

const ENTRIES = batchOf('automation_id uuid, contact_id uuid')

/** When a contact was in an automation last. */
export interface AutomationEntry {
  startedAt: Date
  /** When its last run ended; null: none has, or it is no longer known. */
  endedAt: Date | null
}

/** Identifies what is known of a contact and an automation. */
export const entryKeyOf = ({ automationId, contactId }: Pick<AutomationRun, 'automationId' | 'contactId'>) =>
  `${automationId}/${contactId}`

/** Returns when these contacts were in these automations last, by `entryKeyOf`. */
export async function findEntries(
  db: Queryable,
  teamId: string,
  entries: readonly { automationId: string; contactId: string }[],
): Promise<Map<string, AutomationEntry>> {
  if (entries.length === 0) return new Map()
  const rows = await db.query<AutomationEntry & { automationId: string; contactId: string }>(
    `select e.automation_id, e.contact_id, e.started_at, greatest(e.ended_at, (
         select max(r.ended_at)
         from automation_run r
         where r.team_id = $1 and r.contact_id = e.contact_id and r.automation_id = e.automation_id
       )) as ended_at
     from unnest(${ENTRIES.arraysFrom(2)}) as k (${ENTRIES.names})
     join automation_entry e on e.team_id = $1 and e.automation_id = k.automation_id and e.contact_id = k.contact_id`,
    [teamId, ...ENTRIES.values(entries)],
  )
  return new Map(rows.map((row) => [entryKeyOf(row), row]))
}

const STARTED = batchOf('automation_id uuid, contact_id uuid, started_at timestamptz')

/** Remembers when contacts began automations last. Waits for other transactions that let the same contacts begin. */
export async function saveEntries(tx: Tx, teamId: string, runs: readonly AutomationRun[]): Promise<void> {
  if (runs.length === 0) return
  // A contact may begin twice in one transaction, and a statement may change a row once.
  const last = new Map(runs.map((run) => [entryKeyOf(run), run]))
  await tx.query(
    `insert into automation_entry (team_id, ${STARTED.names})
     select $1, row.*
     from unnest(${STARTED.arraysFrom(2)}) as row (${STARTED.names})
     on conflict (team_id, automation_id, contact_id) do update
     set started_at = excluded.started_at`,
    [teamId, ...STARTED.values([...last.values()])],
  )
}

/** Returns whether a locked run is where it was when it was read, on the same version. */
export function isAt(run: AutomationRun, before: AutomationRun | undefined): boolean {
  return run.state === 'active' && run.moves === before?.moves && run.version === before.version
}
