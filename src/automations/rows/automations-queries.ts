import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'
import type { ReferenceKind } from '../../db/references.ts'
import type { DraftGraph, GraphSettings } from '../graph/graph-types.ts'

export type AutomationStatus = 'draft' | 'active' | 'paused'

/** Why Sendwright paused an automation. `upgraded`: a version stored it as active that ran none. */
export type AutomationPause = 'upgraded' | 'restored'

export interface Automation {
  teamId: string
  id: string
  name: string
  status: AutomationStatus
  /** As edited last. A version has what runs follow. */
  graph: DraftGraph
  settings: GraphSettings
  /** The version that starts runs now; 0: it was never active. */
  version: number
  /** Null: a person paused it, or it is not paused. */
  pausedReason: AutomationPause | null
  /** Null: it is not active. */
  activeSince: Date | null
  createdAt: Date
  updatedAt: Date
}

/** An object that an automation refers to. */
export interface Reference {
  kind: ReferenceKind
  id: string
}

/** The name of the counter for the `total` of the list. */
export const AUTOMATION_COUNTER = 'automations'

const COLUMNS = `team_id, id, name, status, graph, settings, version, paused_reason, active_since, created_at,
  updated_at`

function valuesOf(automation: Automation): unknown[] {
  const { teamId, id, name, status, graph, settings, version, pausedReason, activeSince, updatedAt } =
    automation
  return [
    teamId,
    id,
    name,
    status,
    JSON.stringify(graph),
    JSON.stringify(settings),
    version,
    pausedReason,
    activeSince,
    updatedAt,
  ]
}

/** @param uses everything that the automation refers to */
export async function insertAutomation(
  tx: Tx,
  automation: Automation,
  uses: readonly Reference[],
): Promise<void> {
  await tx.query(
    `insert into automation (team_id, id, name, status, graph, settings, version, paused_reason, active_since, updated_at,
       created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [...valuesOf(automation), automation.createdAt],
  )
  await insertUses(tx, automation, uses)
}

/** Saves a locked automation. */
export async function updateAutomation(
  tx: Tx,
  automation: Automation,
  uses: readonly Reference[],
): Promise<void> {
  await tx.query(
    `update automation
     set name = $3, status = $4, graph = $5, settings = $6, version = $7, paused_reason = $8, active_since = $9,
       updated_at = $10
     where team_id = $1 and id = $2`,
    valuesOf(automation),
  )
  await deleteUses(tx, automation.teamId, automation.id)
  await insertUses(tx, automation, uses)
}

const USES = batchOf('kind text, id uuid')

async function insertUses(tx: Tx, { teamId, id }: Automation, uses: readonly Reference[]): Promise<void> {
  if (uses.length === 0) return
  await tx.query(
    `insert into automation_use (team_id, automation_id, kind, used_id)
     select $1, $2, kind, id
     from unnest(${USES.arraysFrom(3)}) as used (${USES.names})
     on conflict do nothing`,
    [teamId, id, ...USES.values(uses)],
  )
}

async function deleteUses(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.query('delete from automation_use where team_id = $1 and automation_id = $2', [teamId, id])
}

export async function findAutomation(db: Queryable, teamId: string, id: string): Promise<Automation | null> {
  const rows = await db.query<Automation>(
    `select ${COLUMNS}
     from automation
     where team_id = $1 and id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Returns the automation for its change or deletion, locked until the transaction ends. */
export async function holdAutomation(tx: Tx, teamId: string, id: string): Promise<Automation | null> {
  const rows = await tx.query<Automation>(
    `select ${COLUMNS}
     from automation
     where team_id = $1 and id = $2
     for update`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** @param status only those with this status; null: all */
export async function listAutomations(
  db: Queryable,
  teamId: string,
  range: PageRange,
  status: AutomationStatus | null = null,
): Promise<Rows<Automation>> {
  const only = status === null ? '' : 'and status = $2'
  const values = status === null ? [teamId] : [teamId, status]
  return queryRange<Automation>(
    db,
    `select ${COLUMNS} from automation where team_id = $1 ${only}`,
    values,
    range,
  )
}

/** Its runs and versions are deleted little by little (rows/sweep-automations-queries.ts). */
export async function deleteAutomation(tx: Tx, teamId: string, id: string): Promise<void> {
  await deleteUses(tx, teamId, id)
  await tx.query('delete from automation_clock where team_id = $1 and automation_id = $2', [teamId, id])
  await tx.query('delete from automation where team_id = $1 and id = $2', [teamId, id])
}

export async function countAutomations(
  db: Queryable,
  teamId: string,
  status: AutomationStatus,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int4 as count from automation where team_id = $1 and status = $2',
    [teamId, status],
  )
  return rows[0]?.count ?? 0
}
