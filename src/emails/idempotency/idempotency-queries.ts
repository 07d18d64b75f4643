import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_MS = 24 * 3_600_000

export interface IdempotencyEntry {
  teamId: string
  key: string
  /** SHA-256 of the request's body. */
  requestHash: Buffer
  answer: RememberedAnswer
}

/** The answer to the first request with a key. */
export interface RememberedAnswer {
  emailIds: string[]
  /** The refused emails of a permissive batch, by their index in it. */
  refused: { index: number; message: string }[]
}

export interface Remembered {
  requestHash: Buffer
  answer: RememberedAnswer
}

const KEYS = batchOf('team_id uuid, key text')

const FIND_IDEMPOTENCY_KEYS = `select k.position::int4 as position, i.request_hash, i.email_ids, i.refused
  from unnest(${KEYS.arraysFrom(2)}) with ordinality as k (${KEYS.names}, position)
  join idempotency i on i.team_id = k.team_id and i.key = k.key
  where i.created_at > $1`

/** Returns the remembered answers to these keys, in order; null where there is none. */
export async function findIdempotencyKeys(
  db: Queryable,
  keys: readonly { teamId: string; key: string }[],
  now: Date,
): Promise<(Remembered | null)[]> {
  const rows = await db.query<{
    position: number
    requestHash: Buffer
    emailIds: string[]
    refused: RememberedAnswer['refused'] | null
  }>(FIND_IDEMPOTENCY_KEYS, [new Date(now.getTime() - IDEMPOTENCY_MS), ...KEYS.values(keys)])
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return keys.map((_, index) => {
    const row = byPosition.get(index + 1)
    if (row === undefined) return null
    return { requestHash: row.requestHash, answer: { emailIds: row.emailIds, refused: row.refused ?? [] } }
  })
}

const ENTRIES = batchOf('team_id uuid, key text, request_hash bytea, email_ids jsonb', {
  email_ids: (entry: IdempotencyEntry) => entry.answer.emailIds,
})

const TAKE_IDEMPOTENCY_KEYS = `insert into idempotency as i (team_id, key, request_hash, email_ids, refused, created_at)
  select team_id, key, request_hash, array(select jsonb_array_elements_text(email_ids)::uuid), null, $1
  from unnest(${ENTRIES.arraysFrom(2)}) as row (${ENTRIES.names})
  on conflict (team_id, key) do update
  set request_hash = excluded.request_hash, email_ids = excluded.email_ids, refused = null,
    created_at = excluded.created_at
  where excluded.created_at - i.created_at >= '${IDEMPOTENCY_MS} ms'
  returning i.team_id, i.key`

/**
 * Takes keys for the emails about to be written, sorted by key. Waits for a key that another process is
 * writing.
 * @returns the `team/key` pairs taken; the others belong to an earlier request
 */
export async function takeIdempotencyKeys(
  tx: Tx,
  entries: readonly IdempotencyEntry[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ teamId: string; key: string }>(TAKE_IDEMPOTENCY_KEYS, [
    now,
    ...ENTRIES.values(entries),
  ])
  return new Set(rows.map((row) => `${row.teamId}/${row.key}`))
}

const ANSWERS = batchOf('team_id uuid, key text, email_ids jsonb, refused jsonb', {
  email_ids: (entry: Pick<IdempotencyEntry, 'answer'>) => entry.answer.emailIds,
  refused: (entry: Pick<IdempotencyEntry, 'answer'>) => entry.answer.refused,
})

const REMEMBER_ANSWERS = `update idempotency i
  set email_ids = array(select jsonb_array_elements_text(a.email_ids)::uuid), refused = a.refused
  from unnest(${ANSWERS.arrays}) as a (${ANSWERS.names})
  where i.team_id = a.team_id and i.key = a.key`

/** Corrects the answers of keys just taken, after emails of a permissive batch were refused in the transaction. */
export async function rememberAnswers(
  tx: Tx,
  entries: readonly Omit<IdempotencyEntry, 'requestHash'>[],
): Promise<void> {
  await tx.query(REMEMBER_ANSWERS, ANSWERS.values(entries))
}

/** Deletes entries older than a day, at most `countMax`. Returns the number of deleted entries. */
export async function forgetIdempotency(db: Queryable, now: Date, countMax: number): Promise<number> {
  const rows = await db.query(
    `delete from idempotency i
     using (select team_id, key from idempotency where created_at <= $1 order by created_at limit $2) old
     where i.team_id = old.team_id and i.key = old.key
     returning 1`,
    [new Date(now.getTime() - IDEMPOTENCY_MS), countMax],
  )
  return rows.length
}

const FORGET_KEYS = `delete from idempotency i
  using unnest(${KEYS.arrays}) as k (${KEYS.names})
  where i.team_id = k.team_id and i.key = k.key`

/** Releases keys whose requests were refused: only accepted requests are remembered. */
export async function forgetKeys(tx: Tx, keys: readonly { teamId: string; key: string }[]): Promise<void> {
  await tx.query(FORGET_KEYS, KEYS.values(keys))
}
