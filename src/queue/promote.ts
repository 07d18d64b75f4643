import type { Tx } from '../store/db.ts'

const COUNT_MAX = 2000

export interface Promoted {
  count: number
  /** There may be more. */
  more: boolean
  /** Emails whose schedule has come. */
  released: { teamId: string; emailId: string }[]
}

/** Makes ready what has become due: schedules, retries, and leases that nobody extended (their process died). */
export async function promoteDue(tx: Tx, now: Date): Promise<Promoted> {
  const rows = await tx.query<{ team_id: string; email_id: string; was: string }>(
    `with due as (
       select d.team_id, d.email_id, d.no, d.status
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
     returning d.team_id, d.email_id, due.status as was`,
    [now, COUNT_MAX],
  )
  const released = new Map<string, { teamId: string; emailId: string }>()
  for (const row of rows) {
    if (row.was === 'scheduled') released.set(row.email_id, { teamId: row.team_id, emailId: row.email_id })
  }
  return { count: rows.length, more: rows.length === COUNT_MAX, released: [...released.values()] }
}
