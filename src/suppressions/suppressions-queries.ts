import { arrays } from '../db/arrays.ts'
import { batchOf } from '../db/batch.ts'
import { bumpCounters, type CounterBump } from '../db/counters.ts'
import type { Queryable, Tx } from '../db/db-types.ts'

export type SuppressionReason = 'manual' | 'bounce' | 'complaint'

export interface Suppression {
  teamId: string
  id: string
  /** In normalized form (mime/address.ts, suppressionKey). */
  email: string
  reason: SuppressionReason | null
  /** The email whose bounce or complaint caused the entry. */
  sourceEmailId: string | null
  createdAt: Date
  updatedAt: Date
}

/** An address of a team. */
export interface SuppressionKey {
  teamId: string
  email: string
}

export const SUPPRESSION_COLUMNS = `s.team_id, s.id, s.email, s.reason, s.source_email_id,
  s.created_at, s.updated_at`

/**
 * Statements over many rows are planned for the current table: a plan made for an empty table would scan a full one.
 */
const REPLAN = { isOneOff: true } as const

/** Returns the name of the counter for the `total` of the list, or of its part with one reason. */
export function suppressionCounter(reason?: SuppressionReason): string {
  return reason === undefined ? 'suppressions' : `suppressions:${reason}`
}

function bumpsOf(entries: readonly Suppression[], by: number): CounterBump[] {
  return entries.flatMap(({ teamId, reason }) => [
    { teamId, name: suppressionCounter(), by },
    ...(reason === null ? [] : [{ teamId, name: suppressionCounter(reason), by }]),
  ])
}

const ENTRIES = batchOf(
  `team_id uuid, id uuid, email text, reason text, source_email_id uuid, created_at timestamptz,
   updated_at timestamptz`,
)

/**
 * Inserts entries and returns those whose address was new; the others stay unchanged. Inserts in address order, in
 * which removals lock. The caller must call `countInserted` last, because it takes the last lock.
 */
export async function insertSuppressions(
  tx: Tx,
  entries: readonly Suppression[],
): Promise<readonly Suppression[]> {
  if (entries.length === 0) return []
  const rows = await tx.query<{ id: string }>(
    `insert into suppression (${ENTRIES.names})
     select row.*
     from unnest(${ENTRIES.arrays}) as row (${ENTRIES.names})
     order by row.team_id, row.email collate "C"
     on conflict (team_id, email) do nothing
     returning id`,
    ENTRIES.values(entries),
  )
  const ids = new Set(rows.map((row) => row.id))
  const inserted = entries.filter((entry) => ids.has(entry.id))
  return inserted
}

/** Counts inserted entries. */
export async function countInserted(tx: Tx, entries: readonly Suppression[]): Promise<void> {
  if (entries.length > 0) await bumpCounters(tx, bumpsOf(entries, 1))
}

export async function findSuppression(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<Suppression | null> {
  const rows = await db.query<Suppression>(
    `select ${SUPPRESSION_COLUMNS} from suppression s where s.team_id = $1 and s.id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

const KEYS = batchOf('team_id uuid, email text')

/** @param keys addresses in normalized form */
export async function findSuppressions(
  db: Queryable,
  keys: readonly SuppressionKey[],
): Promise<Suppression[]> {
  if (keys.length === 0) return []
  return db.query<Suppression>(
    `select ${SUPPRESSION_COLUMNS}
     from unnest(${KEYS.arrays}) as k (${KEYS.names})
     join suppression s on s.team_id = k.team_id and s.email = k.email`,
    KEYS.values(keys),
    REPLAN,
  )
}

/** Changes the reason of an entry. Returns null if there is none with this id. */
export async function saveSuppressionReason(
  tx: Tx,
  teamId: string,
  id: string,
  reason: SuppressionReason | null,
  now: Date,
): Promise<Suppression | null> {
  const [before] = await tx.query<Suppression>(
    `select ${SUPPRESSION_COLUMNS} from suppression s where s.team_id = $1 and s.id = $2 for update`,
    [teamId, id],
  )
  if (before === undefined) return null
  await tx.query('update suppression set reason = $3, updated_at = $4 where team_id = $1 and id = $2', [
    teamId,
    id,
    reason,
    now,
  ])
  const after = { ...before, reason, updatedAt: now }
  await bumpCounters(tx, [...bumpsOf([before], -1), ...bumpsOf([after], 1)])
  return after
}

/** Deletes entries by address or id. Returns the deleted entries. */
export async function deleteSuppressions(
  tx: Tx,
  teamId: string,
  named: { emails: readonly string[] } | { ids: readonly string[] },
): Promise<Suppression[]> {
  const [column, array] =
    'emails' in named
      ? ['email = any($2::text[])', arrays.text(named.emails)]
      : ['id = any($2::uuid[])', arrays.uuid(named.ids)]
  const entries = await tx.query<Suppression>(
    `select ${SUPPRESSION_COLUMNS}
     from suppression s
     where s.team_id = $1 and s.${column}
     order by s.email
     for update`,
    [teamId, array],
    REPLAN,
  )
  if (entries.length === 0) return []
  await tx.query(
    'delete from suppression where team_id = $1 and email = any($2::text[])',
    [teamId, arrays.text(entries.map((entry) => entry.email))],
    REPLAN,
  )
  await bumpCounters(tx, bumpsOf(entries, -1))
  return entries
}
