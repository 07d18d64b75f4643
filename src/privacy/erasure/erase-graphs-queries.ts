import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** The steps and settings of an automation, as JSON. */
export interface GraphText {
  automationId: string
  /** The current version, or the version that has this graph. */
  version: number
  graph: string
  settings: string
}

/** Returns and locks the automations whose rules or steps name the person, as edited last. */
export async function lockNamingGraphs(
  tx: Tx,
  teamId: string,
  likes: readonly string[],
): Promise<GraphText[]> {
  return tx.query<GraphText>(
    `select id as automation_id, version, graph::text as graph, settings::text as settings
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
  { automationId, graph, settings }: GraphText,
): Promise<void> {
  await tx.query(
    `update automation
     set graph = $3::jsonb, settings = $4::jsonb
     where team_id = $1 and id = $2`,
    [teamId, automationId, graph, settings],
  )
}

/** Returns the versions of automations whose rules or steps name the person. */
export async function findNamingGraphVersions(
  db: Queryable,
  teamId: string,
  likes: readonly string[],
): Promise<GraphText[]> {
  return db.query<GraphText>(
    `select automation_id, version, graph::text as graph, settings::text as settings
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
  { automationId, version, graph, settings }: GraphText,
): Promise<void> {
  await tx.query(
    `update automation_version
     set graph = $4::jsonb, settings = $5::jsonb
     where team_id = $1 and automation_id = $2 and version = $3`,
    [teamId, automationId, version, graph, settings],
  )
}
