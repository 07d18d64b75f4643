import type { Tx } from '../../db/db-types.ts'

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
  const rows = await tx.query<{ count: number }>(
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
     ),
     left_behind as (
       update automation_figure f
       set entered = f.entered - k.count
       from (select step, count(*) as count from picked group by step) as k
       where f.team_id = $1 and f.automation_id = $2 and f.version = $3 and f.step = k.step
     ),
     entered as (
       insert into automation_figure as f (team_id, automation_id, version, step, entered)
       select $1, $2, $4, step, count(*)
       from picked
       group by step
       order by step
       on conflict (team_id, automation_id, version, step) do update
       set entered = f.entered + excluded.entered
     )
     select count(*)::int4 as count
     from picked`,
    [teamId, automationId, from, to, [...steps], countMax],
  )
  return rows[0]?.count ?? 0
}
