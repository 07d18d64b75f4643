import type { Tx } from '../../db/db-types.ts'
import { bumpFigures } from './steps-taken-queries.ts'

/** Returns the number of runs of a version that have not ended, by the step where they are. */
export async function countRunsByStep(
  tx: Tx,
  teamId: string,
  automationId: string,
  version: number,
): Promise<{ step: string; count: number }[]> {
  return tx.query<{ step: string; count: number }>(
    `select step, count(*)::int4 as count
     from automation_run
     where team_id = $1 and automation_id = $2 and version = $3 and state <> 'ended'
     group by step`,
    [teamId, automationId, version],
  )
}

/** Lets runs at these steps follow another version, and counts them there. Returns how many. */
export async function moveRunsTo(
  tx: Tx,
  teamId: string,
  automationId: string,
  { from, to, steps }: { from: number; to: number; steps: readonly string[] },
  countMax: number,
): Promise<number> {
  const rows = await tx.query<{ step: string; count: number }>(
    `with picked as materialized (
       select team_id, id, step
       from automation_run
       where team_id = $1 and automation_id = $2 and version = $3 and state <> 'ended' and step = any ($5::text[])
       order by id
       limit $6
       for update
     ),
     moved as (
       update automation_run r
       set version = $4
       from picked p
       where r.team_id = p.team_id and r.id = p.id
     )
     select step, count(*)::int4 as count
     from picked
     group by step`,
    [teamId, automationId, from, to, [...steps], countMax],
  )
  const place = { teamId, automationId, figure: 'entered' } as const
  bumpFigures(
    tx,
    rows.flatMap(({ step, count }) => [
      { ...place, version: from, step, by: -count },
      { ...place, version: to, step, by: count },
    ]),
  )
  return rows.reduce((sum, { count }) => sum + count, 0)
}
