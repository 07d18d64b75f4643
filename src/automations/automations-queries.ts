import { batchOf } from '../db/batch.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../db/page.ts'
import type { ReferenceKind } from '../db/references.ts'

export type AutomationStatus = 'draft' | 'active' | 'paused'

/** A trigger or step: its type, and the fields of that type (automations/automation-steps.ts). */
export type AutomationPart = { type: string } & Readonly<Record<string, string | number | boolean>>

export interface Automation {
  teamId: string
  id: string
  name: string
  status: AutomationStatus
  trigger: AutomationPart | null
  steps: readonly AutomationPart[]
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

const COLUMNS = `team_id, id, name, status, begins_on as trigger, steps, created_at,
  updated_at`

function valuesOf({ teamId, id, name, status, trigger, steps, updatedAt }: Automation): unknown[] {
  const begins = trigger === null ? null : JSON.stringify(trigger)
  return [teamId, id, name, status, begins, JSON.stringify(steps), updatedAt]
}

/** @param uses everything that the automation refers to */
export async function insertAutomation(
  tx: Tx,
  automation: Automation,
  uses: readonly Reference[],
): Promise<void> {
  await tx.query(
    `insert into automation (team_id, id, name, status, begins_on, steps, updated_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
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
     set name = $3, status = $4, begins_on = $5, steps = $6, updated_at = $7
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

export async function listAutomations(
  db: Queryable,
  teamId: string,
  range: PageRange,
): Promise<Rows<Automation>> {
  return queryRange<Automation>(db, `select ${COLUMNS} from automation where team_id = $1`, [teamId], range)
}

export async function deleteAutomation(tx: Tx, teamId: string, id: string): Promise<void> {
  await deleteUses(tx, teamId, id)
  await tx.query('delete from automation where team_id = $1 and id = $2', [teamId, id])
}
