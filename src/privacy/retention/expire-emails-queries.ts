import { arrays } from '../../db/arrays.ts'
import { bumpCounters, EMAILS_DROPPED } from '../../db/counters.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { type Expired, type Piece, type PieceRow, sumUp, toExpired } from './expire-rows-queries.ts'

/** Excludes emails with open deliveries and those scheduled for after the cutoff. */
const IS_OVER = `not exists (
         select from delivery d
         where d.team_id = l.team_id and d.email_id = l.email_id and d.due_at is not null
       )
       and not exists (
         select from email s
         where s.team_id = l.team_id and s.id = l.email_id and s.scheduled_at > $4
       )`

const keysOf = ({ teamId, after, before, cutoff }: Piece) => [teamId, after, before, cutoff]

/** Deletes contents of at most `countMax` emails. Of packed ones, the keys go: nobody can read their bodies any more. */
export async function expireContents(
  db: Queryable,
  table: 'email_content' | 'packed_content',
  piece: Piece,
  countMax: number,
): Promise<Expired> {
  const rows = await db.query<PieceRow>(
    `with scanned as materialized (
       select c.team_id, c.email_id
       from ${table} c
       where c.team_id = $1 and c.email_id > $2 and c.email_id < $3
       order by c.email_id
       limit $5
     ),
     deleted as (
       delete from ${table} c
       using scanned l
       where c.team_id = $1 and c.email_id = l.email_id and c.email_id > $2 and c.email_id < $3
       and ${IS_OVER}
       returning 1
     )
     ${sumUp('email_id')}`,
    [...keysOf(piece), countMax],
  )
  return toExpired(rows, countMax)
}

/** Deletes attempts of at most `countMax` emails. */
export async function expireAttempts(db: Queryable, piece: Piece, countMax: number): Promise<Expired> {
  const rows = await db.query<PieceRow>(
    `with scanned as materialized (
       select distinct a.team_id, a.email_id
       from attempt a
       where a.team_id = $1 and a.email_id > $2 and a.email_id < $3
       order by a.email_id
       limit $5
     ),
     deleted as (
       delete from attempt a
       using scanned l
       where a.team_id = $1 and a.email_id = l.email_id and a.email_id > $2 and a.email_id < $3
       and ${IS_OVER}
       returning 1
     )
     ${sumUp('email_id')}`,
    [...keysOf(piece), countMax],
  )
  return toExpired(rows, countMax)
}

/**
 * Deletes emails with all their rows, and counts them out of their team's list. Deletes recipients before their
 * email: settling locks in this order too.
 */
export async function expireEmails(tx: Tx, piece: Piece, countMax: number): Promise<Expired> {
  const scanned = await tx.query<{ emailId: string; isOver: boolean }>(
    `select l.email_id, ${IS_OVER} as is_over
     from (
       select e.team_id, e.id as email_id
       from email e
       where e.team_id = $1 and e.id > $2 and e.id < $3
       order by e.id
       limit $5
     ) l
     order by l.email_id`,
    [...keysOf(piece), countMax],
  )
  const ids = scanned.filter((row) => row.isOver).map((row) => row.emailId)
  const last = scanned.length === countMax ? (scanned.at(-1)?.emailId ?? null) : null
  if (ids.length === 0) return { count: 0, last }
  const keys = [piece.teamId, arrays.uuid(ids)]
  // A packer moves contents from the third table to the fourth.
  for (const table of ['delivery', 'attempt', 'email_content', 'packed_content'] as const) {
    await tx.query(
      `delete from ${table} r
       using unnest($2::uuid[]) as k (email_id)
       where r.team_id = $1 and r.email_id = k.email_id`,
      keys,
    )
  }
  await tx.query(
    `delete from email_tag t
     using unnest($2::uuid[]) as k (email_id)
     join email e on e.team_id = $1 and e.id = k.email_id
     cross join lateral jsonb_to_recordset(e.tags) as own (name text, value text)
     where t.team_id = $1 and t.name = own.name and t.value = own.value and t.email_id = k.email_id`,
    keys,
  )
  const deleted = await tx.query(
    `delete from email e
     using unnest($2::uuid[]) as k (id)
     where e.team_id = $1 and e.id = k.id
     returning 1`,
    keys,
  )
  await bumpCounters(tx, [{ teamId: piece.teamId, name: EMAILS_DROPPED, by: deleted.length }])
  return { count: deleted.length, last }
}
