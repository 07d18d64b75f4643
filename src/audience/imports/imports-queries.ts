import { bumpCounters } from '../../db/counters.ts'
import type { Db, Queryable, Tx } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'
import { violates } from '../../db/sqlstate.ts'
import { deletePieces, type ImportKey } from './import-parts-queries.ts'

export type ImportKind = 'contacts' | 'suppressions'
export type ImportStatus = 'receiving' | 'queued' | 'running' | 'completed' | 'failed'

/** The options from the request and the header line. */
export interface ImportOptions {
  /** Lists that every contact is added to. */
  listIds: string[]
  /** Empty until the header line is read; the same applies to `columns`. */
  delimiter: string
  /** Names as in the file; null for ignored columns. */
  columns: (string | null)[]
  /** The properties of the columns, whose keys may change; null for other columns. An earlier version did not store them. */
  propertyIds?: (string | null)[]
  /** Rows are checked, and none is written. */
  isDryRun?: boolean
  /** Contacts that exist stay as they are. */
  skipsExisting?: boolean
  /** Rows begin automations. */
  runsAutomations?: boolean
}

/** The counts of rows so far. */
export interface ImportCounts {
  rowsRead: number
  rowsCreated: number
  rowsUpdated: number
  rowsFailed: number
}

/** The position of the next row. */
export interface ImportPlace {
  /** Bytes from the beginning of the file. */
  position: number
  /** As an editor counts lines, from 1. */
  line: number
}

export interface CsvImport extends ImportCounts, ImportPlace {
  teamId: string
  id: string
  kind: ImportKind
  status: ImportStatus
  options: ImportOptions
  /** The size of the file, or the bytes received so far. */
  bytes: number
  /** Why the import failed as a whole. */
  reason: string | null
  createdAt: Date
  updatedAt: Date
  finishedAt: Date | null
}

const IMPORT_COLUMNS = `i.team_id, i.id, i.kind, i.status, i.options, i.bytes, i.position, i.line,
  i.rows_read, i.rows_created, i.rows_updated,
  i.rows_failed, i.reason, i.created_at, i.updated_at,
  i.finished_at`

export function importCounter(kind: ImportKind): string {
  return `imports:${kind}`
}

/**
 * Counts a team's open imports. Locks the team row, so that others that open an import for the team wait until the
 * transaction ends.
 */
export async function countOpenImports(tx: Tx, teamId: string): Promise<number> {
  await tx.query('select 1 from team where id = $1 for no key update', [teamId])
  const rows = await tx.query<{ count: number }>(
    `select count(*)::int4 as count
     from csv_import
     where team_id = $1 and status in ('receiving', 'queued', 'running')`,
    [teamId],
  )
  return rows[0]?.count ?? 0
}

/** Inserts an import before its bytes arrive. */
export async function insertImport(
  tx: Tx,
  { teamId, id, kind }: ImportKey & { kind: ImportKind },
  options: ImportOptions,
  lease: { by: string; until: Date },
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into csv_import (team_id, id, kind, status, options, bytes, position, line, rows_read, rows_created,
       rows_updated, rows_failed, leased_by, leased_until, created_at, updated_at)
     values ($1, $2, $3, 'receiving', $4, 0, 0, 1, 0, 0, 0, 0, $5, $6, $7, $7)`,
    [teamId, id, kind, JSON.stringify(options), lease.by, lease.until, now],
  )
  await bumpCounters(tx, [{ teamId, name: importCounter(kind), by: 1 }])
}

export async function findImport(
  db: Queryable,
  teamId: string,
  kind: ImportKind,
  id: string,
): Promise<CsvImport | null> {
  const rows = await db.query<CsvImport>(
    `select ${IMPORT_COLUMNS}
     from csv_import i
     where i.team_id = $1 and i.id = $2 and i.kind = $3`,
    [teamId, id, kind],
  )
  return rows[0] ?? null
}

export async function listImports(
  db: Queryable,
  teamId: string,
  kind: ImportKind,
  range: PageRange,
): Promise<Rows<CsvImport>> {
  const select = `select ${IMPORT_COLUMNS} from csv_import i where i.team_id = $1 and i.kind = $2`
  return queryRange<CsvImport>(db, select, [teamId, kind], range, 'i.id')
}

/** Records the progress of an upload. Returns false if the upload was abandoned and swept. */
export async function extendUpload(
  db: Queryable,
  { teamId, id }: ImportKey,
  bytes: number,
  lease: { by: string; until: Date },
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update csv_import
     set bytes = $3, leased_until = $5, updated_at = $6
     where team_id = $1 and id = $2 and status = 'receiving' and leased_by = $4
     returning 1`,
    [teamId, id, bytes, lease.by, lease.until, now],
  )
  return rows.length > 0
}

/** Queues a complete upload for any process to run. Returns false if the upload was abandoned and swept. */
export async function queueImport(
  tx: Tx,
  { teamId, id }: ImportKey,
  upload: { bytes: number; options: ImportOptions; place: ImportPlace; leasedBy: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update csv_import
     set status = 'queued', bytes = $3, options = $4, position = $5, line = $6, leased_by = null, leased_until = null,
       updated_at = $8
     where team_id = $1 and id = $2 and status = 'receiving' and leased_by = $7
     returning 1`,
    [
      teamId,
      id,
      upload.bytes,
      JSON.stringify(upload.options),
      upload.place.position,
      upload.place.line,
      upload.leasedBy,
      now,
    ],
  )
  return rows.length > 0
}

/**
 * Claims an import that waits or whose runner stopped: the one with the oldest progress, so that teams alternate.
 * Returns null if there is none.
 */
export async function claimImport(
  db: Db,
  lease: { by: string; until: Date },
  now: Date,
): Promise<CsvImport | null> {
  try {
    const rows = await db.query<CsvImport>(
      `update csv_import i
       set status = 'running', leased_by = $1, leased_until = $2, updated_at = $3
       where (i.team_id, i.id) = (
         select o.team_id, o.id
         from csv_import o
         where o.status in ('queued', 'running')
           and (o.leased_until is null or o.leased_until < $3)
           and (o.status = 'running' or not exists (
             select 1
             from csv_import r
             where r.team_id = o.team_id and r.status = 'running'
           ))
         order by o.updated_at, o.id
         limit 1
         for update skip locked
       )
       returning ${IMPORT_COLUMNS}`,
      [lease.by, lease.until, now],
    )
    return rows[0] ?? null
  } catch (error) {
    // Another process claimed another import of the same team at the same time.
    if (violates(error, 'csv_import_running')) return null
    throw error
  }
}

/**
 * Locks an import for a batch of its rows. Returns false if another process has it or has progressed further; this
 * process must then write nothing.
 */
export async function holdImport(
  tx: Tx,
  { teamId, id, position }: ImportKey & { position: number },
  leasedBy: string,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1
     from csv_import
     where team_id = $1 and id = $2 and status = 'running' and leased_by = $3 and position = $4
     for update`,
    [teamId, id, leasedBy, position],
  )
  return rows.length > 0
}

const SAVE_PROGRESS = `update csv_import
  set position = $3, line = $4, rows_read = $5, rows_created = $6, rows_updated = $7, rows_failed = $8,
    leased_until = $9, updated_at = $10
  where team_id = $1 and id = $2`

/** Saves the progress of a locked import with the commit. */
export function saveProgress(
  tx: Tx,
  { teamId, id, position, line, rowsRead, rowsCreated, rowsUpdated, rowsFailed }: CsvImport,
  leasedUntil: Date,
  now: Date,
): void {
  const values = [
    teamId,
    id,
    position,
    line,
    rowsRead,
    rowsCreated,
    rowsUpdated,
    rowsFailed,
    leasedUntil,
    now,
  ]
  tx.writeLast('import', [values], async (last) => void (await last.query(SAVE_PROGRESS, values)))
}

const ANALYZE_STATEMENTS: Readonly<Record<ImportKind, string>> = {
  contacts: 'analyze contact, contact_value, list_member',
  suppressions: 'analyze suppression',
}
const ANALYZE_TIMEOUT_MS = 30_000

/**
 * Updates the statistics of tables that grew. PostgreSQL would do so within minutes, but until then would plan
 * requests for the previous small tables.
 */
export async function analyzeGrown(db: Queryable, kind: ImportKind): Promise<void> {
  await db.query(ANALYZE_STATEMENTS[kind], [], { timeoutMs: ANALYZE_TIMEOUT_MS, isOneOff: true })
}

/** Releases an unfinished import to any process. */
export async function releaseImport(
  db: Queryable,
  { teamId, id }: ImportKey,
  leasedBy: string,
  now: Date,
): Promise<void> {
  await db.query(
    `update csv_import
     set leased_by = null, leased_until = null, updated_at = $4
     where team_id = $1 and id = $2 and status = 'running' and leased_by = $3`,
    [teamId, id, leasedBy, now],
  )
}

/** Ends an import of this process and deletes its stored bytes. */
export async function finishImport(
  tx: Tx,
  { teamId, id }: ImportKey,
  leasedBy: string,
  reason: string | null,
  now: Date,
): Promise<void> {
  const rows = await tx.query(
    `update csv_import
     set status = $4, reason = $5, leased_by = null, leased_until = null, updated_at = $6, finished_at = $6
     where team_id = $1 and id = $2 and status = 'running' and leased_by = $3
     returning 1`,
    [teamId, id, leasedBy, reason === null ? 'completed' : 'failed', reason, now],
  )
  if (rows.length === 0) return
  await deletePieces(tx, { teamId, id })
}

/** Deletes an import with its pieces and errors. */
export async function deleteImport(
  tx: Tx,
  { teamId, id, kind }: ImportKey & { kind: ImportKind },
): Promise<void> {
  const rows = await tx.query('delete from csv_import where team_id = $1 and id = $2 returning 1', [
    teamId,
    id,
  ])
  if (rows.length === 0) return
  await deletePieces(tx, { teamId, id })
  await tx.query('delete from csv_import_error where team_id = $1 and import_id = $2', [teamId, id])
  await bumpCounters(tx, [{ teamId, name: importCounter(kind), by: -1 }])
}

/**
 * Returns and locks up to `countMax` obsolete imports: abandoned uploads, and imports that ended before
 * `endedBefore`.
 */
export async function findUnneededImports(
  tx: Tx,
  endedBefore: Date,
  countMax: number,
  now: Date,
): Promise<(ImportKey & { kind: ImportKind })[]> {
  return tx.query<ImportKey & { kind: ImportKind }>(
    `select team_id, id, kind
     from csv_import
     where (team_id, id) in (
       (select team_id, id
        from csv_import
        where status = 'receiving' and leased_until < $1
        limit $3)
       union all
       (select team_id, id
        from csv_import
        where finished_at < $2
        order by finished_at
        limit $3)
     )
     limit $3
     for update skip locked`,
    [now, endedBefore, countMax],
  )
}
