import type { Queryable } from '../../db/db-types.ts'
import type { ServerFinding } from '../doctor/examine-server.ts'

/** The last run of the network checks. */
export interface ServerRun {
  startedAt: Date
  /** Null: the checks are running, or their process died. */
  finishedAt: Date | null
  findings: ServerFinding[]
}

export async function findServerRun(db: Queryable): Promise<ServerRun | null> {
  const rows = await db.query<ServerRun>(
    `select started_at, finished_at, findings
     from server_check
     where id = 1`,
  )
  return rows[0] ?? null
}

/**
 * Claims the next run.
 * @returns whether the caller must run the checks; false: a run began after `notSince`
 */
export async function claimServerRun(
  db: Queryable,
  { runId, now, notSince }: { runId: string; now: Date; notSince: Date },
): Promise<boolean> {
  const rows = await db.query(
    `insert into server_check (id, run_id, started_at, finished_at, findings)
     values (1, $1, $2, null, '[]')
     on conflict (id) do update
     set run_id = excluded.run_id, started_at = excluded.started_at, finished_at = null, findings = '[]'
     where server_check.started_at <= $3
     returning run_id`,
    [runId, now, notSince],
  )
  return rows.length === 1
}

/** Stores the findings so far, unless a later run has begun. */
export async function updateServerRun(
  db: Queryable,
  {
    runId,
    findings,
    finishedAt,
  }: { runId: string; findings: readonly ServerFinding[]; finishedAt: Date | null },
): Promise<void> {
  await db.query(
    `update server_check
     set findings = $2, finished_at = $3
     where id = 1 and run_id = $1`,
    [runId, JSON.stringify(findings), finishedAt],
  )
}
