import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** How far the dates of contacts were looked through for an automation. */
export interface AutomationClock {
  teamId: string
  automationId: string
  version: number
  checkedUntil: Date
  /** The end of the stretch that is being looked through, and the last contact within it with its date. */
  until: Date | null
  after: string | null
  afterDate: Date | null
}

/**
 * Begins to look through the dates of contacts, from now on.
 * @param isAnew whether the automation was not active: the dates of that time are left out
 */
export async function beginClock(
  tx: Tx,
  teamId: string,
  automationId: string,
  now: Date,
  isAnew: boolean,
): Promise<void> {
  await tx.query(
    `insert into automation_clock as k (team_id, automation_id, checked_until)
     values ($1, $2, $3)
     on conflict (team_id, automation_id) do update
     set checked_until = excluded.checked_until, until = null, after = null, after_date = null
     where $4`,
    [teamId, automationId, now, isAnew],
  )
}

export async function deleteClock(tx: Tx, teamId: string, automationId: string): Promise<void> {
  await tx.query('delete from automation_clock where team_id = $1 and automation_id = $2', [
    teamId,
    automationId,
  ])
}

/** Returns clocks of active automations that were looked at before a time, except those of the automations in `without`. */
export async function findClocks(
  db: Queryable,
  before: Date,
  without: readonly string[],
  countMax: number,
): Promise<Pick<AutomationClock, 'teamId' | 'automationId'>[]> {
  return db.query<Pick<AutomationClock, 'teamId' | 'automationId'>>(
    `select k.team_id, k.automation_id
     from automation_clock k
     join automation a on a.team_id = k.team_id and a.id = k.automation_id
     where a.status = 'active' and (k.until is not null or k.checked_until < $1)
       and k.automation_id <> all ($2::uuid[])
     order by k.checked_until
     limit $3`,
    [before, arrays.uuid(without), countMax],
  )
}

/** Locks a clock. Returns null if another process has it, or its automation is not active. */
export async function lockClock(
  tx: Tx,
  teamId: string,
  automationId: string,
): Promise<AutomationClock | null> {
  const rows = await tx.query<AutomationClock>(
    `select k.team_id, k.automation_id, a.version, k.checked_until, k.until, k.after,
       -- A process of an earlier version clears the contact alone.
       case when k.after is not null then k.after_date end as after_date
     from automation_clock k
     join automation a on a.team_id = k.team_id and a.id = k.automation_id
     where k.team_id = $1 and k.automation_id = $2 and a.status = 'active'
     for update of k skip locked`,
    [teamId, automationId],
  )
  return rows[0] ?? null
}

export async function saveClock(
  tx: Tx,
  { teamId, automationId, checkedUntil, until, after, afterDate }: Omit<AutomationClock, 'version'>,
): Promise<void> {
  await tx.query(
    `update automation_clock
     set checked_until = $3, until = $4, after = $5, after_date = $6
     where team_id = $1 and automation_id = $2`,
    [teamId, automationId, checkedUntil, until, after, afterDate],
  )
}

/** A contact with its date. */
export interface DatedContact {
  contactId: string
  timeZone: string | null
  value: Date
}

/**
 * Returns contacts whose date lies on one of these days, by date and id behind a place. The days are UTC midnights; a date
 * counts by its day in UTC.
 */
export async function listDatedContacts(
  db: Queryable,
  teamId: string,
  propertyKey: string,
  days: readonly Date[],
  { after, afterDate }: Pick<AutomationClock, 'after' | 'afterDate'>,
  countMax: number,
): Promise<DatedContact[]> {
  return db.query<DatedContact>(
    `select found.*
     from property p
     cross join unnest($3::timestamptz[]) as d (day)
     cross join lateral (
       select v.contact_id, c.time_zone, v.date_value as value
       from contact_value v
       join contact c on c.team_id = v.team_id and c.id = v.contact_id
       where v.team_id = $1 and v.property_id = p.id and v.date_value >= d.day and v.date_value < d.day + interval '1 day'
         and (v.date_value, v.contact_id) > (coalesce($4::timestamptz, '-infinity'), $5::uuid)
         and c.deleted_at is null
       order by v.date_value, v.contact_id
       limit $6
     ) found
     where p.team_id = $1 and lower(p.key collate "C") = lower($2 collate "C")
     order by found.value, found.contact_id
     limit $6`,
    [teamId, propertyKey, [...days], afterDate, after, countMax],
  )
}
