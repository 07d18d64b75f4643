import { arrays } from '../../db/arrays.ts'
import { bumpCounters } from '../../db/counters.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'

/** A recipient's unsubscription from one list or topic of a team. */
export interface Unsubscription {
  teamId: string
  id: string
  /** `list:<id>` or `topic:<name>`. */
  scope: string
  /** In normalized form. */
  email: string
  emailId: string | null
  source: 'one_click' | 'link' | 'mail' | 'api'
  leftList: boolean
  createdAt: Date
}

export const UNSUBSCRIPTION_COUNTER = 'unsubscriptions'

const COLUMNS = `u.team_id, u.id, u.scope, u.email, u.email_id, u.source,
    u.left_list, u.created_at`

/** Returns false if it already exists. */
export async function insertUnsubscription(tx: Tx, row: Unsubscription): Promise<boolean> {
  const { teamId, id, scope, email, emailId, source, leftList, createdAt } = row
  const rows = await tx.query(
    `insert into unsubscription (team_id, scope, email, id, email_id, source, left_list, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (team_id, scope, email) do nothing
     returning id`,
    [teamId, scope, email, id, emailId, source, leftList, createdAt],
  )
  if (rows.length > 0) await bumpCounters(tx, [{ teamId, name: UNSUBSCRIPTION_COUNTER, by: 1 }])
  return rows.length > 0
}

/** Records that the unsubscription removed the contact from the list. */
export async function markLeftList(tx: Tx, { teamId, scope, email }: Unsubscription): Promise<void> {
  await tx.query(
    'update unsubscription set left_list = true where team_id = $1 and scope = $2 and email = $3',
    [teamId, scope, email],
  )
}

/** @param emails the forms of one address: normalized, or its hash */
export async function findUnsubscription(
  db: Queryable,
  teamId: string,
  scope: string,
  emails: readonly string[],
): Promise<Unsubscription | null> {
  const rows = await db.query<Unsubscription>(
    `select ${COLUMNS}
     from unsubscription u
     where u.team_id = $1 and u.scope = $2 and u.email = any ($3)`,
    [teamId, scope, arrays.text(emails)],
  )
  return rows[0] ?? null
}

/** Deletes an unsubscription by its id or by scope and address. Returns the deleted row, or null. */
export async function deleteUnsubscription(
  tx: Tx,
  teamId: string,
  target: { id: string } | { scope: string; emails: readonly string[] },
): Promise<Unsubscription | null> {
  const [test, values] =
    'id' in target
      ? ['u.id = $2', [target.id]]
      : ['u.scope = $2 and u.email = any ($3)', [target.scope, arrays.text(target.emails)]]
  const rows = await tx.query<Unsubscription>(
    `delete from unsubscription u
     where u.team_id = $1 and ${test}
     returning ${COLUMNS}`,
    [teamId, ...values],
  )
  if (rows.length > 0) await bumpCounters(tx, [{ teamId, name: UNSUBSCRIPTION_COUNTER, by: -rows.length }])
  return rows[0] ?? null
}

/** @param emails the forms of one address, to list only its entries; null for all */
export async function listUnsubscriptions(
  db: Queryable,
  teamId: string,
  emails: readonly string[] | null,
  range: PageRange,
): Promise<Rows<Unsubscription>> {
  const select = `select ${COLUMNS} from unsubscription u where u.team_id = $1`
  if (emails === null) return queryRange<Unsubscription>(db, select, [teamId], range, 'u.id')
  const values = [teamId, arrays.text(emails)]
  return queryRange<Unsubscription>(db, `${select} and u.email = any ($2::text[])`, values, range, 'u.id')
}

/** Counts the unsubscriptions of one address. */
export async function countUnsubscriptionsOf(
  db: Queryable,
  teamId: string,
  emails: readonly string[],
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int4 as count from unsubscription where team_id = $1 and email = any ($2)',
    [teamId, arrays.text(emails)],
  )
  return rows[0]?.count ?? 0
}
