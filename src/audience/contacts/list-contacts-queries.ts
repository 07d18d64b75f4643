import { readCounter } from '../../db/counters.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../../db/page.ts'
import { queryPatiently } from '../../db/query-patiently.ts'
import { CONTACT_COUNTER, type Contact, type ContactCondition, findContacts } from './contacts-queries.ts'

/** A stretch of a list of contacts, and how many the whole list has. */
export interface ContactPage extends Rows<Contact> {
  /** With conditions, counting stops at FILTERED_TOTAL_MAX; where it takes too long, the newest contacts are judged by. */
  total: number
  /** False: `total` was judged by the newest contacts, or more fit than are counted. */
  isExact: boolean
}

interface Count {
  total: number
  isExact: boolean
}

/**
 * The contacts that fit all conditions, newest first.
 * @param knownTotal where a counter has it; else they are counted
 */
export async function listContacts(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
  knownTotal?: number,
): Promise<ContactPage> {
  const { ids, hasMore, stoppedAt, total, isExact } = isSought(conditions)
    ? await seek(db, teamId, conditions, range, knownTotal)
    : await read(db, teamId, conditions, range, knownTotal)
  return { rows: await findContacts(db, teamId, ids), hasMore, stoppedAt, total, isExact }
}

/** Whether any of them tells how to find few among very many. */
function isSought(conditions: readonly ContactCondition[]): boolean {
  return conditions.some((condition) => condition.gatherSql !== undefined)
}

async function read(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
  knownTotal: number | undefined,
) {
  if (conditions.length === 0) {
    const walk = walkAll(db, teamId, range)
    const [found, total] = await Promise.all([walk, knownTotal ?? readCounter(db, teamId, CONTACT_COUNTER)])
    return { ...found, total, isExact: true }
  }
  const [found, count] = await Promise.all([
    findFitting(db, teamId, conditions, range),
    knownTotal === undefined ? countFitting(db, teamId, conditions) : exactly(knownTotal),
  ])
  return { ...found, ...count }
}

/** What gathers the contacts has counted them: they are counted apart only where walking has filled the page. */
async function seek(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
  knownTotal: number | undefined,
) {
  const found = await findFitting(db, teamId, conditions, range)
  const known = knownTotal ?? found.count
  if (known !== null) return { ...found, ...exactly(known) }
  // What was too slow to gather is too slow to count.
  const count = found.stoppedAt === null ? countSought : estimate
  return { ...found, ...(await count(db, teamId, conditions)) }
}

/** What was counted, up to FILTERED_TOTAL_MAX. */
function exactly(total: number): Count {
  return { total, isExact: total < FILTERED_TOTAL_MAX }
}

/** Patience with counting, where the page itself is there already. */
const COUNT_PATIENCE_MS = 100
/** Of this many contacts a share tells how dense those are who fit. */
const SAMPLE = 1000
/** From this many of them on, FILTERED_TOTAL_MAX are found sooner by walking than by gathering. */
const SAMPLE_DENSE = 500

async function countFitting(db: Db, teamId: string, conditions: readonly ContactCondition[]): Promise<Count> {
  const { where, values } = whereOf(teamId, conditions)
  const rows = await queryPatiently<{ count: number }>(
    db,
    `select count(*)::int4 as count
     from (select 1
           from contact c
           where ${where}
           limit ${FILTERED_TOTAL_MAX}) as fitting`,
    values,
    { timeoutMs: COUNT_PATIENCE_MS, mayHash: isSought(conditions) },
  )
  const count = rows?.[0]?.count
  return count === undefined ? estimate(db, teamId, conditions) : exactly(count)
}

async function countSought(db: Db, teamId: string, conditions: readonly ContactCondition[]): Promise<Count> {
  const near = await countWalking(db, teamId, conditions, SAMPLE, SAMPLE)
  const walkMax = (FILTERED_TOTAL_MAX * SAMPLE) / SAMPLE_DENSE
  const isFull =
    near >= SAMPLE_DENSE &&
    (await countWalking(db, teamId, conditions, FILTERED_TOTAL_MAX, walkMax)) === FILTERED_TOTAL_MAX
  return isFull ? exactly(FILTERED_TOTAL_MAX) : countFitting(db, teamId, conditions)
}

async function estimate(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
): Promise<Count> {
  const total = Math.min(FILTERED_TOTAL_MAX, await estimateContacts(db, teamId, conditions))
  return { total, isExact: false }
}

/** How many fit if all contacts are like the newest thousand; of fewer contacts, how many do. */
export async function estimateContacts(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
): Promise<number> {
  const near = await countWalking(db, teamId, conditions, SAMPLE, SAMPLE)
  const all = await readCounter(db, teamId, CONTACT_COUNTER)
  return Math.round((near * Math.max(all, SAMPLE)) / SAMPLE)
}

/** Counts up to `countMax` who fit among the newest `walkMax` contacts. */
async function countWalking(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  countMax: number,
  walkMax: number,
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

interface Found {
  ids: string[]
  hasMore: boolean
  /** The last contact that was looked at, where walking came to its limit before the stretch was full. */
  stoppedAt: string | null
  /** How many fit in all, up to FILTERED_TOTAL_MAX, where that came out by the way. */
  count: number | null
}

const LIVE = 'c.team_id = $1 and c.deleted_at is null'

async function walkAll(db: Queryable, teamId: string, range: PageRange): Promise<Found> {
  const select = `select c.id from contact c where ${LIVE}`
  const { rows, hasMore } = await queryRange<{ id: string }>(db, select, [teamId], range, 'c.id')
  return { ids: rows.map((row) => row.id), hasMore, stoppedAt: null, count: null }
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
/** Fitting contacts that are gathered and sorted. */
const GATHER_MAX = 100_000
/** Patience with gathering. Past it, conditions that each leave very many contacts are still at work on all of them. */
const GATHER_PATIENCE_MS = 150
/** Contacts that are looked at one by one when all else failed; a page by number has to pass those before it as well. */
const FAR_WALK_MAX = 10_000
const DEEP_WALK_MAX = 100_000

/** Ids in the order of reading, one more than the stretch has room for if there is one. */
type Ids = Pick<Found, 'ids' | 'stoppedAt' | 'count'>

async function findFitting(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
): Promise<Found> {
  const { ids, stoppedAt, count } = await findIds(db, teamId, conditions, range)
  const shown = ids.slice(0, range.size)
  const hasMore = ids.length > range.size || stoppedAt !== null
  return { ids: range.before === null ? shown : shown.reverse(), hasMore, stoppedAt, count }
}

/**
 * The ids of a stretch of the contacts that fit, in three steps, each for what the one before cannot do within
 * milliseconds:
 * 1. Walk along the ids and test each contact, WALK_MAX or SOUGHT_WALK_MAX at most. Finds what many contacts fit.
 * 2. Gather all that fit, in any order, and sort them, as long as that takes no more than GATHER_PATIENCE_MS. Finds what
 *    few contacts fit, through the indexes of the conditions. Left to itself, PostgreSQL would walk for these too, past a
 *    million contacts that do not fit.
 * 3. Walk on. The stretch may come out short then, and says where to go on.
 */
async function findIds(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
): Promise<Ids> {
  const [first] = conditions
  if (conditions.length === 1 && first?.isOrdered === true) {
    return { ids: await readInOrder(db, teamId, conditions, range), stoppedAt: null, count: null }
  }
  const walkMax = isSought(conditions) ? SOUGHT_WALK_MAX : WALK_MAX
  const isNear = range.offset + range.size < walkMax
  const near = isNear ? await walk(db, teamId, conditions, range, walkMax) : []
  if (near.length > range.size) return { ids: near, stoppedAt: null, count: null }
  // Where most contacts fit, a page deep in the list is found by walking as well.
  const isDense = !isNear && (await countWalking(db, teamId, conditions, SAMPLE, SAMPLE)) >= SAMPLE_DENSE
  const gathered = isDense ? null : await gather(db, teamId, conditions, range)
  return gathered ?? walkFar(db, teamId, conditions, range)
}

/** What a stretch says in SQL: how it is bounded and ordered, towards newer contacts or older ones. */
function sqlOf({ size, offset, after, before }: PageRange, place: (value: unknown) => string) {
  const bound = before ?? after
  const [sign, order] = before === null ? ['<', 'desc'] : ['>', 'asc']
  return {
    bound: bound === null ? '' : `and c.id ${sign} ${place(bound)}`,
    order,
    limit: `limit ${place(size + 1)} offset ${place(offset)}`,
  }
}

async function walk(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
  walkMax: number,
): Promise<string[]> {
  const { fits, values, place } = whereOf(teamId, conditions, 'sql')
  const { bound, order, limit } = sqlOf(range, place)
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

/** Null where too many fit, or finding them took too long. */
async function gather(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
): Promise<Ids | null> {
  const { where, values, place } = whereOf(teamId, conditions)
  const { bound, order, limit } = sqlOf(range, place)
  const rows = await queryPatiently<{ count: number; ids: string[] }>(
    db,
    `with fitting as materialized (
       select c.id
       from contact c
       where ${where}
         ${bound}
       limit ${GATHER_MAX + 1}
     )
     select (select count(*)::int4 from fitting) as count,
       array(select c.id from fitting c order by c.id ${order} ${limit}) as ids`,
    values,
    { timeoutMs: GATHER_PATIENCE_MS, mayHash: isSought(conditions) },
  )
  const gathered = rows?.[0]
  if (gathered === undefined || gathered.count > GATHER_MAX) return null
  // Behind a bound only a part of them was gathered.
  const count = bound === '' ? Math.min(gathered.count, FILTERED_TOTAL_MAX) : null
  return { ids: gathered.ids, stoppedAt: null, count }
}

async function walkFar(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
): Promise<Ids> {
  const walkMax = Math.min(FAR_WALK_MAX + 4 * range.offset, DEEP_WALK_MAX)
  const ids = await walk(db, teamId, conditions, range, walkMax)
  if (ids.length > range.size) return { ids, stoppedAt: null, count: null }
  const last = await walkAll(db, teamId, { ...range, size: 1, offset: walkMax - 1 })
  return { ids, stoppedAt: last.hasMore ? (last.ids[0] ?? null) : null, count: null }
}

/** What one index tells in the order of ids. */
async function readInOrder(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
): Promise<string[]> {
  const { where, values, place } = whereOf(teamId, conditions)
  const { bound, order, limit } = sqlOf(range, place)
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
