import { arrays } from '../db/arrays.ts'
import { readCounter } from '../db/counters.ts'
import type { Queryable } from '../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../db/page.ts'
import {
  SUPPRESSION_COLUMNS,
  type Suppression,
  type SuppressionReason,
  suppressionCounter,
} from './suppressions-queries.ts'

export interface SuppressionFilter {
  reason?: SuppressionReason
  /** The forms of an address that entries may hold. Empty: matches no entry. */
  emails?: readonly string[]
  /** The beginning of the address, in lower case. */
  prefix?: string
}

/**
 * The last of all characters, more often than a local part has room for. Every text with a prefix sorts before the
 * prefix and this.
 */
const LAST = '\u{10ffff}'.repeat(64)

/** Returns the conditions as fixed SQL with their parameters, from `$1` (the team). */
function conditionsOf(teamId: string, { reason, emails, prefix }: SuppressionFilter) {
  const values: unknown[] = [teamId]
  const place = (value: unknown) => `$${values.push(value)}`
  const parts = ['s.team_id = $1']
  if (reason !== undefined) parts.push(`s.reason = ${place(reason)}`)
  if (emails !== undefined) parts.push(`s.email = any (${place(arrays.text(emails))}::text[])`)
  if (prefix !== undefined) parts.push(`s.email >= ${place(prefix)}`, `s.email < ${place(prefix + LAST)}`)
  return { where: parts.join(' and '), values, place }
}

/**
 * Lists entries, newest first. With a prefix, lists them in address order, which the index provides.
 * @param afterAddress with a prefix: where to continue, even if that entry no longer exists
 */
export async function listSuppressions(
  db: Queryable,
  teamId: string,
  filter: SuppressionFilter,
  range: PageRange,
  afterAddress: string | null = null,
): Promise<Rows<Suppression>> {
  if (filter.prefix !== undefined) return listByAddress(db, teamId, filter, range, afterAddress)
  const { where, values } = conditionsOf(teamId, filter)
  const select = `select ${SUPPRESSION_COLUMNS} from suppression s where ${where}`
  return queryRange<Suppression>(db, select, values, range, 's.id')
}

/**
 * Lists in address order. The bounds of the range are still ids, whose addresses are looked up. That of an entry which was
 * removed since is in its event: a program may remove each page before it reads the next.
 */
async function listByAddress(
  db: Queryable,
  teamId: string,
  filter: SuppressionFilter,
  { size, offset, after, before }: PageRange,
  afterAddress: string | null,
): Promise<Rows<Suppression>> {
  const { where, values, place } = conditionsOf(teamId, filter)
  const bound = before ?? after
  const [sign, order] = before === null ? ['>', 'asc'] : ['<', 'desc']
  const addressOf = (id: string) =>
    `coalesce(
         (select b.email from suppression b where b.team_id = $1 and b.id = ${id}::uuid),
         (select v.data ->> 'email'
          from event v
          where v.team_id = $1 and v.subject_id = ${id}::uuid and v.type = 'suppression.removed'
          limit 1))`
  const rows = await db.query<Suppression>(
    `select ${SUPPRESSION_COLUMNS}
     from suppression s
     where ${where}
       ${bound === null ? '' : `and s.email ${sign} ${addressOf(place(bound))}`}
       ${afterAddress === null ? '' : `and s.email > ${place(afterAddress)}`}
     order by s.email ${order}
     limit ${place(size + 1)}
     offset ${place(offset)}`,
    values,
  )
  const hasMore = rows.length > size
  if (hasMore) rows.pop()
  return { rows: before === null ? rows : rows.reverse(), hasMore }
}

/** Counts matching entries. With an address or a prefix, counting stops at FILTERED_TOTAL_MAX. */
export async function countSuppressions(
  db: Queryable,
  teamId: string,
  filter: SuppressionFilter,
): Promise<number> {
  if (filter.emails === undefined && filter.prefix === undefined) {
    return readCounter(db, teamId, suppressionCounter(filter.reason))
  }
  const { where, values } = conditionsOf(teamId, filter)
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1 from suppression s where ${where} limit ${FILTERED_TOTAL_MAX}) as fitting`,
    values,
  )
  return rows[0]?.count ?? 0
}
