import { bumpCounters } from './counters.ts'
import type { Queryable, Tx } from './db.ts'
import { queryStretch, type Rows, type Stretch } from './page.ts'

export type SuppressionReason = 'manual' | 'bounce' | 'complaint'

export interface Suppression {
  teamId: string
  id: string
  /** In the form in which addresses are compared (mime/address.ts, suppressionKey). */
  email: string
  reason: SuppressionReason | null
  /** The email whose bounce or complaint caused it. */
  sourceEmailId: string | null
  createdAt: Date
  updatedAt: Date
}

interface Row {
  team_id: string
  id: string
  email: string
  reason: SuppressionReason | null
  source_email_id: string | null
  created_at: Date
  updated_at: Date
}

export const SUPPRESSION_COUNTER = 'suppressions'

const COLUMNS = 'team_id, id, email, reason, source_email_id, created_at, updated_at'

function toSuppression(row: Row): Suppression {
  return {
    teamId: row.team_id,
    id: row.id,
    email: row.email,
    reason: row.reason,
    sourceEmailId: row.source_email_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** False when the address is suppressed already; nothing was written then. */
export async function insertSuppression(tx: Tx, entry: Suppression): Promise<boolean> {
  const rows = await tx.query(
    `insert into suppression (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (team_id, email) do nothing
     returning id`,
    [
      entry.teamId,
      entry.id,
      entry.email,
      entry.reason,
      entry.sourceEmailId,
      entry.createdAt,
      entry.updatedAt,
    ],
  )
  if (rows.length === 0) return false
  await bumpCounters(tx, [{ teamId: entry.teamId, name: SUPPRESSION_COUNTER, by: 1 }])
  return true
}

export async function findSuppression(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<Suppression | null> {
  const rows = await db.query<Row>(`select ${COLUMNS} from suppression where team_id = $1 and id = $2`, [
    teamId,
    id,
  ])
  return rows[0] === undefined ? null : toSuppression(rows[0])
}

/** @param email in the form in which addresses are compared */
export async function findSuppressionByEmail(
  db: Queryable,
  teamId: string,
  email: string,
): Promise<Suppression | null> {
  const rows = await db.query<Row>(`select ${COLUMNS} from suppression where team_id = $1 and email = $2`, [
    teamId,
    email,
  ])
  return rows[0] === undefined ? null : toSuppression(rows[0])
}

export async function listSuppressions(
  db: Queryable,
  teamId: string,
  stretch: Stretch,
): Promise<Rows<Suppression>> {
  const select = `select ${COLUMNS} from suppression where team_id = $1`
  const { rows, hasMore } = await queryStretch<Row>(db, select, [teamId], stretch)
  return { rows: rows.map(toSuppression), hasMore }
}

/** False when it was gone already. */
export async function deleteSuppression(tx: Tx, entry: Suppression): Promise<boolean> {
  const rows = await tx.query(
    `delete from suppression
     where team_id = $1
       and email = $2
       and id = $3
     returning id`,
    [entry.teamId, entry.email, entry.id],
  )
  if (rows.length === 0) return false
  await bumpCounters(tx, [{ teamId: entry.teamId, name: SUPPRESSION_COUNTER, by: -1 }])
  return true
}
