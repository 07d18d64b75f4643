import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { IS_FOLLOWED } from '../../db/references.ts'
import type { Graph, GraphSettings } from '../graph/graph-types.ts'

/** The newest versions of an automation: they are kept and listed. */
export const AUTOMATION_VERSIONS_KEPT = 100

/** What runs follow, as of an activation or a change of an active automation. */
export interface AutomationVersion {
  automationId: string
  version: number
  graph: Graph
  settings: GraphSettings
  /** The types of events that its trigger, waits, goals and exits ask about. */
  follows: readonly string[]
  createdAt: Date
}

const VERSION = 'v.automation_id, v.version, v.graph, v.settings, v.follows, v.created_at'

export async function insertAutomationVersion(
  tx: Tx,
  teamId: string,
  { automationId, version, graph, settings, follows, createdAt }: AutomationVersion,
): Promise<void> {
  await tx.query(
    `insert into automation_version (team_id, automation_id, version, graph, settings, follows, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [teamId, automationId, version, JSON.stringify(graph), JSON.stringify(settings), [...follows], createdAt],
  )
}

const KEYS = batchOf('automation_id uuid, version int4')

export async function findAutomationVersions(
  db: Queryable,
  teamId: string,
  keys: readonly { automationId: string; version: number }[],
): Promise<AutomationVersion[]> {
  if (keys.length === 0) return []
  return db.query<AutomationVersion>(
    `select ${VERSION}
     from unnest(${KEYS.arraysFrom(2)}) as k (${KEYS.names})
     join automation_version v on v.team_id = $1 and v.automation_id = k.automation_id and v.version = k.version`,
    [teamId, ...KEYS.values(keys)],
  )
}

/** A version as its row is now. */
export interface StampedVersion {
  automationId: string
  version: number
  /** Changes with every change of the row. */
  stamp: string
  /** Null: the stamp is the known one. */
  content: Pick<AutomationVersion, 'graph' | 'settings' | 'follows'> | null
}

const KNOWN = batchOf('automation_id uuid, version int4, stamp text')

/**
 * Returns versions of automations that exist. Reads the content only of those whose stamp is not the known one.
 * @param known each with the stamp of the row that the caller has read; null: none
 */
export async function findStampedVersions(
  db: Queryable,
  teamId: string,
  known: readonly { automationId: string; version: number; stamp: string | null }[],
): Promise<StampedVersion[]> {
  if (known.length === 0) return []
  return db.query<StampedVersion>(
    `select v.automation_id, v.version, v.xmin::text as stamp,
       case when v.xmin::text is distinct from k.stamp
         then jsonb_build_object('graph', v.graph, 'settings', v.settings, 'follows', v.follows) end as content
     from unnest(${KNOWN.arraysFrom(2)}) as k (${KNOWN.names})
     join automation_version v on v.team_id = $1 and v.automation_id = k.automation_id and v.version = k.version
     join automation a on a.team_id = v.team_id and a.id = v.automation_id`,
    [teamId, ...KNOWN.values(known)],
  )
}

/** A version that starts runs now, and since when. */
export interface ActiveVersion {
  automationId: string
  version: number
  activeSince: Date | null
}

/** Locks them against a pause and deletion. */
export async function findActiveVersions(db: Queryable, teamId: string): Promise<ActiveVersion[]> {
  return db.query<ActiveVersion>(
    `select id as automation_id, version, active_since
     from automation
     where team_id = $1 and status = 'active'
     order by id
     for share`,
    [teamId],
  )
}

/** Returns the types of events that any version with runs under way, or that starts some, asks about. */
export async function findFollowedTypes(db: Queryable, teamId: string): Promise<string[]> {
  const rows = await db.query<{ type: string }>(
    `select distinct unnest(v.follows) as type
     from automation a
     join automation_version v on v.team_id = a.team_id and v.automation_id = a.id
     where a.team_id = $1
       and ${IS_FOLLOWED}`,
    [teamId],
  )
  return rows.map(({ type }) => type)
}

/** Lets a version ask about the events of another one too, for which the runs that are moved to it may wait. */
export async function followTypesOf(
  tx: Tx,
  teamId: string,
  automationId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx.query(
    `update automation_version v
     set follows = array(select distinct unnest(v.follows || f.follows) order by 1)
     from automation_version f
     where v.team_id = $1 and v.automation_id = $2 and v.version = $4
       and f.team_id = $1 and f.automation_id = $2 and f.version = $3`,
    [teamId, automationId, from, to],
  )
}

/** Returns the versions of an automation, newest first, with the number of their runs that have not ended. */
export async function listCountedVersions(
  db: Queryable,
  teamId: string,
  automationId: string,
  countMax: number,
): Promise<(AutomationVersion & { waiting: number })[]> {
  return db.query<AutomationVersion & { waiting: number }>(
    `select ${VERSION},
       (select count(*)::int4
        from automation_run r
        where r.team_id = v.team_id and r.automation_id = v.automation_id and r.version = v.version
          and r.state <> 'ended') as waiting
     from automation_version v
     where v.team_id = $1 and v.automation_id = $2
     order by v.version desc
     limit $3`,
    [teamId, automationId, countMax],
  )
}
