import type { Tx } from '../db/db-types.ts'

const COUNT_MAX = 2000

export interface Promoted {
  count: number
  /** There may be more. */
  more: boolean
  /** Emails whose scheduled time has come. */
  released: { teamId: string; emailId: string }[]
}

/**
 * A new waiting row is due in the future, except for its transaction's duration and the lag of another machine's clock.
 */
const OVERLAP_MS = 10_000
/** A row may have come later than that, or have been locked by a process that died: it waits no longer than this. */
const FULL_SCAN_MS = 15_000
/**
 * A full scan is slow beside a transaction that keeps settled rows from vacuum: limit it to a twentieth of the time.
 */
const REST_PER_DURATION = 20
const EARLIEST = new Date(0)

/**
 * The progress of one process's scans. A scan starts where the last one found nothing more: index entries of settled
 * rows stay until no open transaction can see them, and each lease leaves one.
 */
export class PromoteRound {
  #from = EARLIEST
  #fullScanMs = 0
  #nowMs = 0
  #isFull = true
  #startedMs = 0

  /** Returns where to start. After the clock steps back nothing is known. */
  begin(now: Date): Date {
    const nowMs = now.getTime()
    this.#isFull = this.#from === EARLIEST || nowMs >= this.#fullScanMs || nowMs < this.#nowMs
    this.#nowMs = nowMs
    this.#startedMs = performance.now()
    return this.#isFull ? EARLIEST : this.#from
  }

  /** The rows found are committed. */
  end({ more }: Promoted): void {
    if (more) return
    this.#from = new Date(this.#nowMs - OVERLAP_MS)
    const restMs = Math.max(FULL_SCAN_MS, (performance.now() - this.#startedMs) * REST_PER_DURATION)
    if (this.#isFull) this.#fullScanMs = this.#nowMs + restMs
  }
}

/**
 * Makes ready what has become due: schedules, retries, and leases that expired (their process died). It scans only what
 * was due at `from` or later.
 */
export async function promoteDue(tx: Tx, now: Date, from: Date = EARLIEST): Promise<Promoted> {
  const rows = await tx.query<{ teamId: string; emailId: string; was: string }>(
    `with due as (
       select d.team_id, d.email_id, d.no, d.status
       from delivery d
       where d.due_at is not null and not d.ready and coalesce(d.leased_until, d.due_at) <= $1
         and coalesce(d.leased_until, d.due_at) >= $3
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
    [now, COUNT_MAX, from],
  )
  const released = new Map<string, { teamId: string; emailId: string }>()
  for (const row of rows) {
    if (row.was === 'scheduled') released.set(row.emailId, { teamId: row.teamId, emailId: row.emailId })
  }
  return { count: rows.length, more: rows.length === COUNT_MAX, released: [...released.values()] }
}
