import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** The steps and settings of an automation that name the person. */
export interface NamingGraph {
  automationId: string
  /** The current version, or the version that has this graph. */
  version: number
  graph: unknown
  settings: unknown
}

/** Returns and locks the automations whose rules or steps name the person, as edited last. */
export async function lockNamingGraphs(
  tx: Tx,
  teamId: string,
  likes: readonly string[],
): Promise<NamingGraph[]> {
  return tx.query<NamingGraph>(
    `select id as automation_id, version, graph, settings
     from automation
     where team_id = $1
       and (lower(graph::text) like any ($2::text[]) or lower(settings::text) like any ($2::text[]))
     order by id
     for update`,
    [teamId, arrays.text(likes)],
  )
}

export async function saveGraph(
  tx: Tx,
  teamId: string,
  { automationId, graph, settings }: NamingGraph,
): Promise<void> {
  await tx.query(
    `update automation
     set graph = $3::jsonb, settings = $4::jsonb
     where team_id = $1 and id = $2`,
    [teamId, automationId, JSON.stringify(graph), JSON.stringify(settings)],
  )
}

/** Returns the versions of automations whose rules or steps name the person. */
export async function findNamingGraphVersions(
  db: Queryable,
  teamId: string,
  likes: readonly string[],
): Promise<NamingGraph[]> {
  return db.query<NamingGraph>(
    `select automation_id, version, graph, settings
     from automation_version
     where team_id = $1
       and (lower(graph::text) like any ($2::text[]) or lower(settings::text) like any ($2::text[]))
     order by automation_id, version`,
    [teamId, arrays.text(likes)],
  )
}

export async function saveGraphVersion(
  tx: Tx,
  teamId: string,
  { automationId, version, graph, settings }: NamingGraph,
): Promise<void> {
  await tx.query(
    `update automation_version
     set graph = $4::jsonb, settings = $5::jsonb
     where team_id = $1 and automation_id = $2 and version = $3`,
    [teamId, automationId, version, JSON.stringify(graph), JSON.stringify(settings)],
  )
}
