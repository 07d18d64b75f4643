import { CONTACT_COUNTER, type Contact, type ContactCondition, findContacts } from './contacts.ts'
import { readCounter } from './counters.ts'
import { type Db, type Queryable, together } from './db.ts'
import { FILTERED_TOTAL_MAX, queryStretch, type Rows, type Stretch } from './page.ts'

/** A stretch of a list of contacts, and how many the whole list has. */
export interface ContactPage extends Rows<Contact> {
  /** With conditions, counting stops at FILTERED_TOTAL_MAX. */
  total: number
}

/**
 * The contacts that fit all conditions, newest first.
 * @param knownTotal where a counter has it; else they are counted
 */
export async function listContacts(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
  knownTotal?: number,
): Promise<ContactPage> {
  const { ids, hasMore, total } = isSought(conditions)
    ? await seek(db, teamId, conditions, stretch, knownTotal)
    : await read(db, teamId, conditions, stretch, knownTotal)
  return { rows: await findContacts(db, teamId, ids), hasMore, total }
}

/** Whether any of them tells how to find few among very many. */
function isSought(conditions: readonly ContactCondition[]): boolean {
  return conditions.some((condition) => condition.gatherSql !== undefined)
}

async function read(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
  knownTotal: number | undefined,
) {
  const isAll = conditions.length === 0
  const [found, total] = await Promise.all([
    isAll ? walkAll(db, teamId, stretch) : findFitting(db, teamId, conditions, stretch),
    knownTotal ?? (isAll ? readCounter(db, teamId, CONTACT_COUNTER) : countFitting(db, teamId, conditions)),
  ])
  return { ids: found.ids, hasMore: found.hasMore, total }
}

/** What gathers the contacts has counted them: they are counted apart only where walking has filled the page. */
async function seek(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
  knownTotal: number | undefined,
) {
  const { ids, hasMore, count } = await findFitting(db, teamId, conditions, stretch)
  const total = knownTotal ?? count ?? (await countSought(db, teamId, conditions))
  return { ids, hasMore, total }
}

async function countFitting(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
): Promise<number> {
  const { where, values } = whereOf(teamId, conditions)
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1
           from contact c
           where ${where}
           limit ${FILTERED_TOTAL_MAX}) as fitting`,
    values,
    { isOneOff: true },
  )
  return rows[0]?.count ?? 0
}

/** Of this many contacts a share tells how dense those are who fit. */
const SAMPLE = 1000
/** From this many of them on, FILTERED_TOTAL_MAX are found sooner by walking than by gathering. */
const SAMPLE_DENSE = 200

async function countSought(db: Db, teamId: string, conditions: readonly ContactCondition[]): Promise<number> {
  const near = await countWalking(db, teamId, conditions, SAMPLE, SAMPLE)
  if (near >= SAMPLE_DENSE) {
    return countWalking(db, teamId, conditions, FILTERED_TOTAL_MAX, null)
  }
  const { where, values } = whereOf(teamId, conditions)
  const rows = await queryHashing<{ count: number }>(
    db,
    `select count(*)::int4 as count
     from (select 1
           from contact c
           where ${where}
           limit ${FILTERED_TOTAL_MAX}) as fitting`,
    values,
  )
  return rows[0]?.count ?? 0
}

/** Counts up to `countMax` who fit, from the newest contact on, among the next `walkMax` contacts or all. */
async function countWalking(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  countMax: number,
  walkMax: number | null,
): Promise<number> {
  const { fits, values, place } = whereOf(teamId, conditions, 'sql')
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1
           from (select *
                 from contact c
                 where ${LIVE}
                 order by c.id desc
                 limit ${place(walkMax)}) as c
           where true
             ${fits}
           limit ${place(countMax)}) as fitting`,
    values,
    { isOneOff: true },
  )
  return rows[0]?.count ?? 0
}

/** Memory for one hash of a statement that gathers, kilobytes. */
const HASH_KILOBYTES = 32_768

/**
 * Runs a statement that may join by hashes. The pool's sessions do not: for the hot statements nested loops are always
 * right. Here they are not, where sets of tens of thousands meet.
 */
async function queryHashing<Row>(db: Db, sql: string, values: readonly unknown[]): Promise<Row[]> {
  return db.transaction(async (tx) => {
    const [, rows] = await together([
      tx.query(`select set_config('enable_hashjoin', 'on', true), set_config('work_mem', $1, true)`, [
        `${HASH_KILOBYTES}kB`,
      ]),
      tx.query<Row>(sql, values, { isOneOff: true }),
    ])
    return rows
  })
}

interface Found {
  ids: string[]
  hasMore: boolean
  /** How many fit in all, up to FILTERED_TOTAL_MAX, where that came out by the way. */
  count: number | null
}

const LIVE = 'c.team_id = $1 and c.deleted_at is null'

async function walkAll(db: Queryable, teamId: string, stretch: Stretch): Promise<Found> {
  const select = `select c.id from contact c where ${LIVE}`
  const { rows, hasMore } = await queryStretch<{ id: string }>(db, select, [teamId], stretch, 'c.id')
  return { ids: rows.map((row) => row.id), hasMore, count: null }
}

/** The conditions as SQL, and its parameters from `$1` (the team) on. */
function whereOf(
  teamId: string,
  conditions: readonly ContactCondition[],
  form: 'sql' | 'gatherSql' = 'gatherSql',
) {
  const values: unknown[] = [teamId]
  const place = (value: unknown) => `$${values.push(value)}`
  const parts = conditions.map((condition) => `and (${condition[form]?.(place) ?? condition.sql(place)})`)
  return { where: [LIVE, ...parts].join('\n       '), fits: parts.join('\n       '), values, place }
}

/** Contacts that are looked at one by one, nearest first, before anything else: milliseconds. */
const WALK_MAX = 8000
/** The same where gathering is quick, and counts them by the way. */
const SOUGHT_WALK_MAX = 2000
/** Fitting contacts that are gathered and sorted: a tenth of a second at most, where walking a million takes longer. */
const GATHER_MAX = 100_000

async function findFitting(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<Found> {
  const { ids, count } = await findIds(db, teamId, conditions, stretch)
  const hasMore = ids.length > stretch.size
  if (hasMore) ids.pop()
  return { ids: stretch.before === null ? ids : ids.reverse(), hasMore, count }
}

/**
 * The ids of a stretch of the contacts that fit, and of one more, in three steps, each for what the one before cannot
 * do within milliseconds:
 * 1. Walk along the ids and test each contact, WALK_MAX or SOUGHT_WALK_MAX at most. Finds what many contacts fit.
 * 2. Gather all that fit, in any order, and sort them. Finds what few contacts fit, through the indexes of the
 *    conditions. Left to itself, PostgreSQL would walk for these too, past a million contacts that do not fit.
 * 3. More than GATHER_MAX fit, but none near: read in order, by whatever plan.
 */
async function findIds(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<Omit<Found, 'hasMore'>> {
  const [first] = conditions
  if (conditions.length === 1 && first?.isOrdered === true) {
    return { ids: await readInOrder(db, teamId, conditions, stretch), count: null }
  }
  const walkMax = isSought(conditions) ? SOUGHT_WALK_MAX : WALK_MAX
  const near =
    stretch.offset + stretch.size < walkMax ? await walkNear(db, teamId, conditions, stretch, walkMax) : []
  return near.length > stretch.size ? { ids: near, count: null } : gather(db, teamId, conditions, stretch)
}

/** What a stretch says in SQL: how it is bounded and ordered, towards newer contacts or older ones. */
function sqlOf({ size, offset, after, before }: Stretch, place: (value: unknown) => string) {
  const bound = before ?? after
  const [sign, order] = before === null ? ['<', 'desc'] : ['>', 'asc']
  return {
    bound: bound === null ? '' : `and c.id ${sign} ${place(bound)}`,
    order,
    limit: `limit ${place(size + 1)} offset ${place(offset)}`,
  }
}

async function walkNear(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
  walkMax: number,
): Promise<string[]> {
  const { fits, values, place } = whereOf(teamId, conditions, 'sql')
  const { bound, order, limit } = sqlOf(stretch, place)
  const rows = await db.query<{ id: string }>(
    `select c.id
     from (select *
           from contact c
           where ${LIVE}
             ${bound}
           order by c.id ${order}
           limit ${place(walkMax)}) as c
     where true
       ${fits}
     order by c.id ${order}
     ${limit}`,
    values,
    { isOneOff: true },
  )
  return rows.map((row) => row.id)
}

async function gather(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<Omit<Found, 'hasMore'>> {
  const { where, values, place } = whereOf(teamId, conditions)
  const { bound, order, limit } = sqlOf(stretch, place)
  const sql = `with fitting as materialized (
       select c.id
       from contact c
       where ${where}
         ${bound}
       limit ${GATHER_MAX + 1}
     )
     select (select count(*)::int4 from fitting) as count,
       array(select c.id from fitting c order by c.id ${order} ${limit}) as ids`
  const rows = isSought(conditions)
    ? await queryHashing<{ count: number; ids: string[] }>(db, sql, values)
    : await db.query<{ count: number; ids: string[] }>(sql, values, { isOneOff: true })
  const gathered = rows[0] as { count: number; ids: string[] }
  const ids = gathered.count <= GATHER_MAX ? gathered.ids : await readInOrder(db, teamId, conditions, stretch)
  // Behind a bound only a part of them was gathered.
  return { ids, count: bound === '' ? Math.min(gathered.count, FILTERED_TOTAL_MAX) : null }
}

async function readInOrder(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<string[]> {
  const { where, values, place } = whereOf(teamId, conditions)
  const { bound, order, limit } = sqlOf(stretch, place)
  const rows = await db.query<{ id: string }>(
    `select c.id
     from contact c
     where ${where}
       ${bound}
     order by c.id ${order}
     ${limit}`,
    values,
    { isOneOff: true },
  )
  return rows.map((row) => row.id)
}
