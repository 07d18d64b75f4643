import { batchOf } from './batch.ts'
import type { Queryable, Tx } from './db-types.ts'

/** A change to the counter behind the `total` of a list. */
export interface CounterBump {
  teamId: string
  /** The list: `suppressions`, `api_keys`, `emails`, ... */
  name: string
  by: number
}

/** Counts deleted emails. The `total` of the list is the number sent (usage) minus this. */
export const EMAILS_DROPPED = 'emails_dropped'

/** Counts the entries of the request log. */
export const REQUESTS_LOGGED = 'request_log'

const BUMPS = batchOf('team_id uuid, name text, value int4', { value: (bump: CounterBump) => bump.by })

const BUMP_COUNTERS = `insert into counter as c (${BUMPS.names})
  select * from unnest(${BUMPS.arrays})
  on conflict (team_id, name) do update
  set value = c.value + excluded.value`

/** Changes counters in the transaction that adds or removes the counted rows. */
export async function bumpCounters(tx: Queryable, bumps: readonly CounterBump[]): Promise<void> {
  const sums = new Map<string, CounterBump>()
  for (const bump of bumps) {
    const key = `${bump.teamId} ${bump.name}`
    sums.set(key, { ...bump, by: bump.by + (sums.get(key)?.by ?? 0) })
  }
  // Sorted in the same order in all processes, to prevent deadlocks.
  const sorted = [...sums.keys()].sort().map((key) => sums.get(key) as CounterBump)
  await tx.query(BUMP_COUNTERS, BUMPS.values(sorted))
}

/** Returns the number of rows of a list. */
export async function readCounter(db: Queryable, teamId: string, name: string): Promise<number> {
  const rows = await db.query<{ value: number }>(
    'select value from counter where team_id = $1 and name = $2',
    [teamId, name],
  )
  return rows[0]?.value ?? 0
}

/** Deletes the counter of a deleted list. */
export async function deleteCounter(tx: Tx, teamId: string, name: string): Promise<void> {
  await tx.query('delete from counter where team_id = $1 and name = $2', [teamId, name])
}
