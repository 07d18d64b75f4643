import { bumpCounters } from '../db/counters.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../db/page.ts'

export interface TemplateFolder {
  teamId: string
  id: string
  name: string
  createdAt: Date
  updatedAt: Date
}

/** The name of the counter behind the `total` of the list. */
export const TEMPLATE_FOLDER_COUNTER = 'template_folders'

const COLUMNS = 'team_id, id, name, created_at, updated_at'

export async function insertTemplateFolder(tx: Tx, folder: TemplateFolder): Promise<void> {
  await tx.query(
    `insert into template_folder (team_id, id, name, created_at, updated_at)
     values ($1, $2, $3, $4, $5)`,
    [folder.teamId, folder.id, folder.name, folder.createdAt, folder.updatedAt],
  )
  await bumpCounters(tx, [{ teamId: folder.teamId, name: TEMPLATE_FOLDER_COUNTER, by: 1 }])
}

export async function findTemplateFolder(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<TemplateFolder | null> {
  const rows = await db.query<TemplateFolder>(
    `select ${COLUMNS}
     from template_folder
     where team_id = $1 and id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Locks the folder against deletion until the transaction ends. Returns false when it does not exist. */
export async function lockTemplateFolder(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1
     from template_folder
     where team_id = $1 and id = $2
     for key share`,
    [teamId, id],
  )
  return rows.length > 0
}

export async function listTemplateFolders(
  db: Queryable,
  teamId: string,
  range: PageRange,
): Promise<Rows<TemplateFolder>> {
  return queryRange<TemplateFolder>(
    db,
    `select ${COLUMNS} from template_folder where team_id = $1`,
    [teamId],
    range,
  )
}

/** Returns null when the folder does not exist. */
export async function updateTemplateFolder(
  db: Queryable,
  teamId: string,
  id: string,
  name: string | null,
  now: Date,
): Promise<TemplateFolder | null> {
  const rows = await db.query<TemplateFolder>(
    `update template_folder
     set name = coalesce($3, name), updated_at = $4
     where team_id = $1 and id = $2
     returning ${COLUMNS}`,
    [teamId, id, name, now],
  )
  return rows[0] ?? null
}

/**
 * Deletes only the folder's row; it may have a million templates. Reads of a template join the folder, so its
 * templates are in no folder from then on (templates-queries.ts). Waits for transactions that hold the folder to add
 * a template. Returns false when the folder does not exist.
 */
export async function deleteTemplateFolder(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    `delete from template_folder
     where team_id = $1 and id = $2
     returning id`,
    [teamId, id],
  )
  if (rows.length === 0) return false
  await bumpCounters(tx, [{ teamId, name: TEMPLATE_FOLDER_COUNTER, by: -1 }])
  return true
}
