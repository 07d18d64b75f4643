import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/**
 * Returns those of the addresses whose person has been erased since an import was uploaded. An erasure keeps the address
 * until such imports have ended.
 */
export async function findErasedSince(
  tx: Tx,
  teamId: string,
  importId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ address: string }>(
    `select k.address
     from unnest($3::text[]) as k (address)
     join erasure e on e.team_id = $1 and e.address = k.address and e.id > $2`,
    [teamId, importId, arrays.text(addresses)],
  )
  return new Set(rows.map(({ address }) => address))
}

/**
 * Returns the ids of a team's open imports. Locks them, so that none writes rows until the transaction ends, and returns
 * once what they are writing is committed.
 */
export async function holdOpenImports(tx: Tx, teamId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id
     from csv_import
     where team_id = $1 and status in ('receiving', 'queued', 'running')
     order by id
     for share`,
    [teamId],
  )
  return rows.map(({ id }) => id)
}

/** Returns whether imports with smaller ids are open, whose files may name a person. */
export async function hasOpenImport(db: Queryable, teamId: string, before: string): Promise<boolean> {
  const rows = await db.query(
    `select 1
     from csv_import
     where team_id = $1 and status in ('receiving', 'queued', 'running') and id < $2
     limit 1`,
    [teamId, before],
  )
  return rows.length > 0
}
