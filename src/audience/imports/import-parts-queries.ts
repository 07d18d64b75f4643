import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { PageRange, Rows } from '../../db/page.ts'

/** Identifies an import. */
export interface ImportKey {
  teamId: string
  id: string
}

/** An upload can wait longer than a request that a person watches. Its deletion may cover hundreds of megabytes. */
const PIECES_TIMEOUT_MS = 30_000

/** Stores the next bytes of an upload. */
export async function insertPiece(
  tx: Tx,
  { teamId, id }: ImportKey,
  piece: { no: number; position: number; content: Buffer },
): Promise<void> {
  await tx.query(
    `insert into csv_import_piece (team_id, import_id, no, position, content)
     values ($1, $2, $3, $4, $5)`,
    [teamId, id, piece.no, piece.position, piece.content],
    { timeoutMs: PIECES_TIMEOUT_MS },
  )
}

/**
 * Returns the number and start of the piece that contains the byte at `position`. Past the end, that is the last
 * piece; null without pieces.
 */
export async function findPiece(
  db: Queryable,
  { teamId, id }: ImportKey,
  position: number,
): Promise<{ no: number; position: number } | null> {
  const rows = await db.query<{ no: number; position: number }>(
    `select no, position
     from csv_import_piece
     where team_id = $1 and import_id = $2 and position <= $3
     order by no desc
     limit 1`,
    [teamId, id, position],
  )
  return rows[0] ?? null
}

export async function readPiece(
  db: Queryable,
  { teamId, id }: ImportKey,
  no: number,
): Promise<Buffer | null> {
  const rows = await db.query<{ content: Buffer }>(
    'select content from csv_import_piece where team_id = $1 and import_id = $2 and no = $3',
    [teamId, id, no],
  )
  return rows[0]?.content ?? null
}

export async function deletePieces(tx: Tx, { teamId, id }: ImportKey): Promise<void> {
  await tx.query('delete from csv_import_piece where team_id = $1 and import_id = $2', [teamId, id], {
    timeoutMs: PIECES_TIMEOUT_MS,
  })
}

/** A row of the file that could not be imported. */
export interface ImportError {
  id: string
  line: number
  message: string
  /** The cell at fault; null if the whole row is. */
  value: string | null
}

const ERRORS = batchOf('line int4, id uuid, message text, value text')

export async function insertImportErrors(
  tx: Tx,
  { teamId, id }: ImportKey,
  errors: readonly ImportError[],
): Promise<void> {
  if (errors.length === 0) return
  await tx.query(
    `insert into csv_import_error (team_id, import_id, line, id, message, value)
     select $1, $2, row.*
     from unnest(${ERRORS.arraysFrom(3)}) as row (${ERRORS.names})
     on conflict (team_id, import_id, line) do nothing`,
    [teamId, id, ...ERRORS.values(errors)],
  )
}

/** Lists errors in line order. The bounds of the range are ids. */
export async function listImportErrors(
  db: Queryable,
  { teamId, id }: ImportKey,
  { size, offset, after, before }: PageRange,
): Promise<Rows<ImportError>> {
  const [sign, order] = before === null ? ['>', 'asc'] : ['<', 'desc']
  const rows = await db.query<ImportError>(
    `select id, line, message, value
     from csv_import_error
     where team_id = $1 and import_id = $2
       and ($3::uuid is null or line ${sign} (
         select b.line
         from csv_import_error b
         where b.team_id = $1 and b.import_id = $2 and b.id = $3
       ))
     order by line ${order}
     limit $4
     offset $5`,
    [teamId, id, before ?? after, size + 1, offset],
  )
  const hasMore = rows.length > size
  if (hasMore) rows.pop()
  return { rows: before === null ? rows : rows.reverse(), hasMore }
}

/** Returns the number of stored errors. */
export async function countImportErrors(db: Queryable, { teamId, id }: ImportKey): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int4 as count from csv_import_error where team_id = $1 and import_id = $2',
    [teamId, id],
  )
  return rows[0]?.count ?? 0
}
