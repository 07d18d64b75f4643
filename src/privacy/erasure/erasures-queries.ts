import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Transactions, Tx } from '../../db/db-types.ts'
import { compareTexts } from '../../lib/text/compare-texts.ts'
import { CONTENT_TABLES } from './erase-emails-queries.ts'

/** The erasure of a person, with its progress. */
export interface Erasure {
  teamId: string
  id: string
  /** In normalized form; null once finished. */
  address: string | null
  /** Replaces the address. */
  pseudonym: string
  /** The position of the newest event when the erasure started. */
  feedPosition: number
  /** The number of erased emails. */
  emails: number
  /** Emails among these that other recipients have yet to receive. */
  waiting: number
  createdAt: Date
  finishedAt: Date | null
}

/** An unfinished erasure, which still has its address. */
export type OpenErasure = Erasure & { address: string }

const COLUMNS = `e.team_id, e.id, e.address, e.pseudonym, e.feed_position, e.emails,
    e.created_at, e.finished_at,
    (select count(*)::int4
     from erasure_content w
     where w.team_id = e.team_id and w.erasure_id = e.id) as waiting`

export async function insertErasure(
  tx: Tx,
  { teamId, id, address, pseudonym, createdAt }: Omit<OpenErasure, 'feedPosition'>,
): Promise<void> {
  await tx.query(
    `insert into erasure (team_id, id, address, pseudonym, feed_position, emails, due_at, created_at)
     select $1, $2, $3, $4, coalesce((select f.position from event_feed f where f.team_id = $1), 0), 0, $5, $5`,
    [teamId, id, address, pseudonym, createdAt],
  )
}

/** Returns the newest id of each kind that something of the person has, whichever clock gave it. */
export async function listNewestIds(tx: Tx, teamId: string, address: string): Promise<string[]> {
  const newest = (column: string, table: string, condition: string) =>
    `(select ${column} as id from ${table} where team_id = $1 and ${condition} order by ${column} desc limit 1)`
  const rows = await tx.query<{ id: string }>(
    `${newest('id', 'contact', 'email = $2 and deleted_at is null')}
     union all ${newest('id', 'contact', 'email = $2 and deleted_at is not null')}
     union all ${newest('email_id', 'delivery', 'address_key = $2')}
     union all ${newest('id', 'email', 'sender_address = $2')}
     union all ${newest('id', 'suppression', 'email = $2')}
     union all ${newest('id', 'unsubscription', 'email = $2')}`,
    [teamId, address],
  )
  return rows.map(({ id }) => id)
}

export async function findErasure(db: Queryable, teamId: string, id: string): Promise<Erasure | null> {
  const rows = await db.query<Erasure>(
    `select ${COLUMNS} from erasure e where e.team_id = $1 and e.id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/**
 * Claims an erasure that is due or that another process abandoned, or returns null. After its lease expires, a
 * process may lose its claim.
 * @param only the erasure to claim; null for any
 */
export async function claimErasure(
  db: Queryable,
  by: { nodeId: string; now: Date; until: Date },
  only: { teamId: string; id: string } | null = null,
): Promise<OpenErasure | null> {
  const rows = await db.query<OpenErasure>(
    `update erasure e
     set leased_by = $1, leased_until = $3
     from (
       select team_id, id
       from erasure
       where due_at <= $2 and (leased_until is null or leased_until < $2)
         and ($4::uuid is null or (team_id = $4 and id = $5))
       order by due_at
       limit 1
       for update skip locked
     ) d
     where e.team_id = d.team_id and e.id = d.id
     returning ${COLUMNS}`,
    [by.nodeId, by.now, by.until, only?.teamId ?? null, only?.id ?? null],
  )
  return rows[0] ?? null
}

/** Extends the lease and saves the progress. Returns false if another process has taken over. */
export async function extendErasure(
  tx: Tx,
  { teamId, id }: Pick<Erasure, 'teamId' | 'id'>,
  { nodeId, until, emails }: { nodeId: string; until: Date; emails: number },
): Promise<boolean> {
  const rows = await tx.query(
    `update erasure
     set emails = emails + $4, leased_until = $5
     where team_id = $1 and id = $2 and leased_by = $3
     returning id`,
    [teamId, id, nodeId, emails, until],
  )
  return rows.length > 0
}

/** Releases the erasure until `dueAt`. */
export async function postponeErasure(
  db: Queryable,
  { teamId, id }: Pick<Erasure, 'teamId' | 'id'>,
  nodeId: string,
  dueAt: Date,
): Promise<void> {
  await db.query(
    `update erasure
     set due_at = $4, leased_by = null, leased_until = null
     where team_id = $1 and id = $2 and leased_by = $3`,
    [teamId, id, nodeId, dueAt],
  )
}

/** Finishes the erasure and deletes its address. */
export async function finishErasure(
  db: Queryable,
  { teamId, id }: Pick<Erasure, 'teamId' | 'id'>,
  nodeId: string,
  now: Date,
): Promise<void> {
  await db.query(
    `update erasure
     set address = null, due_at = null, leased_by = null, leased_until = null, finished_at = $4
     where team_id = $1 and id = $2 and leased_by = $3`,
    [teamId, id, nodeId, now],
  )
}

/** Records emails that other recipients have yet to receive. */
export async function insertWaitingContents(
  tx: Tx,
  { teamId, id }: Pick<Erasure, 'teamId' | 'id'>,
  emailIds: readonly string[],
): Promise<void> {
  if (emailIds.length === 0) return
  await tx.query(
    `insert into erasure_content (team_id, email_id, erasure_id)
     select $1, email_id, $3
     from unnest($2::uuid[]) as k (email_id)
     order by email_id
     on conflict (team_id, email_id, erasure_id) do nothing`,
    [teamId, arrays.uuid(emailIds), id],
  )
}

const WAITING = batchOf('team_id uuid, email_id uuid, erasure_id uuid')

/**
 * Deletes contents of erased emails that no recipient has yet to receive, for at most `countMax` pairs of an email and an erasure.
 * Returns the number of these pairs.
 */
export async function sweepErasedContents(db: Transactions, countMax: number): Promise<number> {
  return db.transaction(async (tx) => {
    const over = await tx.query<{ teamId: string; emailId: string; erasureId: string }>(
      `select w.team_id, w.email_id, w.erasure_id
       from erasure_content w
       where not exists (
         select from delivery d
         where d.team_id = w.team_id and d.email_id = w.email_id and d.due_at is not null
       )
       limit $1
       for update skip locked`,
      [countMax],
    )
    if (over.length === 0) return 0
    // In the order in which a packer locks contents.
    const values = WAITING.values(
      over.toSorted((a, b) => compareTexts(a.teamId + a.emailId, b.teamId + b.emailId)),
    )
    // A statement each, because a packer may move a content while the first one waits for its lock.
    for (const table of CONTENT_TABLES) {
      await tx.query(
        `delete from ${table} c
         using unnest(${WAITING.arrays}) as k (${WAITING.names})
         where c.team_id = k.team_id and c.email_id = k.email_id`,
        values,
      )
    }
    // Only the locked rows: another process may have locked those of other erasures of the same email.
    await tx.query(
      `delete from erasure_content c
       using unnest(${WAITING.arrays}) as k (${WAITING.names})
       where c.team_id = k.team_id and c.email_id = k.email_id and c.erasure_id = k.erasure_id`,
      values,
    )
    return over.length
  })
}

/** Deletes up to `countMax` erasures finished before `before`. Returns the number of deleted erasures. */
export async function forgetErasures(db: Queryable, before: Date, countMax: number): Promise<number> {
  const rows = await db.query(
    `delete from erasure e
     using (
       select team_id, id
       from erasure
       where finished_at < $1
       limit $2
       for update skip locked
     ) old
     where e.team_id = old.team_id and e.id = old.id
     returning e.id`,
    [before, countMax],
  )
  return rows.length
}
