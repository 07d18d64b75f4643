import { arrays } from '../db/arrays.ts'
import type { Queryable } from '../db/db-types.ts'

/** A process of the installation, as it reports itself. */
export interface Node {
  id: string
  host: string
  processId: number
  roles: readonly string[]
  version: string
  startedAt: Date
  /** Null: it does not deliver. */
  deliveriesHeld: number | null
  memoryBytes: number
}

/** A node as stored in the database, with the totals of its site reports. */
export interface SeenNode extends Node {
  seenAt: Date
  /** The number of sites that the process delivers to, and its open connections to them. */
  sites: number
  connections: number
}

/** Reports that the process is running, and deletes nodes that have not reported since `before`, in one statement. */
export async function writeNode(db: Queryable, node: Node, now: Date, before: Date): Promise<void> {
  await db.query(
    `with gone as (
       delete from node n
       where n.seen_at < $10 and n.id <> $1
     )
     insert into node (id, host, process_id, roles, version, started_at, seen_at, deliveries_held, memory_bytes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update
     set seen_at = excluded.seen_at, deliveries_held = excluded.deliveries_held, memory_bytes = excluded.memory_bytes`,
    [
      node.id,
      node.host,
      node.processId,
      arrays.text([...node.roles]),
      node.version,
      node.startedAt,
      now,
      node.deliveriesHeld,
      node.memoryBytes,
      before,
    ],
  )
}

/** Deletes a node that stops. */
export async function deleteNode(db: Queryable, id: string): Promise<void> {
  await db.query('delete from node where id = $1', [id])
}

/** Lists up to `countMax` nodes, longest running first. */
export async function listNodes(db: Queryable, countMax: number): Promise<SeenNode[]> {
  return db.query<SeenNode>(
    `select n.id, n.host, n.process_id, n.roles, n.version, n.started_at,
       n.seen_at, n.deliveries_held, n.memory_bytes, r.sites,
       r.connections
     from node n
     cross join lateral (
       select count(*)::int4 as sites, coalesce(sum(s.connections), 0)::int4 as connections
       from site_report s
       where s.node_id = n.id
     ) r
     order by n.started_at, n.id
     limit $1`,
    [countMax],
  )
}
