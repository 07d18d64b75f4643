import type { Db } from '../store/db.ts'

const COUNT_MAX = 2000

/**
 * Makes ready what has become due: schedules, retries, and leases that nobody extended (their process died).
 * Returns how many there were; when it is `COUNT_MAX` there may be more.
 */
export async function promoteDue(db: Db, now: Date): Promise<{ count: number; more: boolean }> {
  const rows = await db.query<{ team_id: string }>(
    `with due as (
       select d.team_id, d.email_id, d.no
       from delivery d
       where d.due_at is not null and not d.ready and coalesce(d.leased_until, d.due_at) <= $1
       order by coalesce(d.leased_until, d.due_at)
       limit $2
       for update skip locked
     )
     update delivery d
     set ready = true, leased_until = null, leased_by = null, updated_at = $1,
       status = case when d.status = 'scheduled' then 'queued' else d.status end
     from due
     where d.team_id = due.team_id and d.email_id = due.email_id and d.no = due.no
     returning d.team_id`,
    [now, COUNT_MAX],
  )
  return { count: rows.length, more: rows.length === COUNT_MAX }
}
