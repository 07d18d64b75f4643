import { readCounter } from '../../db/counters.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../../db/page.ts'
import { queryPatiently } from '../../db/query-patiently.ts'
import type { ContactCondition } from '../segments/contact-condition.ts'
import { CONTACT_COUNTER, type Contact, findContacts } from './contacts-queries.ts'

/** A page of a list of contacts, with the size of the whole list. */
export interface ContactPage extends Rows<Contact> {
  /**
   * With conditions, counting stops at FILTERED_TOTAL_MAX. If it takes too long, the total is estimated from the
   * newest contacts.
   */
  total: number
  /** False if `total` was estimated, or if more contacts match than are counted. */
  isExact: boolean
}

interface Count {
  total: number
  isExact: boolean
}

/**
 * Lists the contacts that match all conditions, newest first.
 * @param knownTotal the total if a counter has it; otherwise the matches are counted
 */
export async function listContacts(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
  knownTotal?: number,
): Promise<ContactPage> {
  const { ids, hasMore, stoppedAt, total, isExact } = isGatherable(conditions)
    ? await seek(db, teamId, conditions, range, knownTotal)
    : await read(db, teamId, conditions, range, knownTotal)
  return { rows: await findContacts(db, teamId, ids), hasMore, stoppedAt, total, isExact }
}

/** Returns whether any condition has a form that finds few matches among very many contacts. */
function isGatherable(conditions: readonly ContactCondition[]): boolean {
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
    const [contacts, total] = await Promise.all([
      walk,
      knownTotal ?? readCounter(db, teamId, CONTACT_COUNTER),
    ])
    return { ...contacts, total, isExact: true }
  }
  const [contacts, count] = await Promise.all([
    findMatching(db, teamId, conditions, range),
    knownTotal === undefined ? countMatching(db, teamId, conditions) : exactly(knownTotal),
  ])
  return { ...contacts, ...count }
}

/** Gathering also counts the matches. They are counted separately only if walking filled the page. */
async function seek(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
  knownTotal: number | undefined,
) {
  const matches = await findMatching(db, teamId, conditions, range)
  const total = knownTotal ?? matches.count
  if (total !== null) return { ...matches, ...exactly(total) }
  // If gathering was too slow, counting would be too slow as well.
  const count = matches.stoppedAt === null ? countGatherable : estimate
  return { ...matches, ...(await count(db, teamId, conditions)) }
}

/** Returns a count, exact below FILTERED_TOTAL_MAX. */
function exactly(total: number): Count {
  return { total, isExact: total < FILTERED_TOTAL_MAX }
}

/** The time limit for counting when the page itself is already found. */
const COUNT_TIMEOUT_MS = 100
/** The size of the sample from which the share of matches is estimated. */
const SAMPLE = 1000
/** From this share on, walking finds FILTERED_TOTAL_MAX matches sooner than gathering. */
const SAMPLE_DENSE = 500

async function countMatching(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
): Promise<Count> {
  const { where, values } = whereOf(teamId, conditions)
  const rows = await queryPatiently<{ count: number }>(
    db,
    `select count(*)::int4 as count
     from (select 1
           from contact c
           where ${where}
           limit ${FILTERED_TOTAL_MAX}) as fitting`,
    values,
    { timeoutMs: COUNT_TIMEOUT_MS, mayHash: isGatherable(conditions) },
  )
  const count = rows?.[0]?.count
  return count === undefined ? estimate(db, teamId, conditions) : exactly(count)
}

async function countGatherable(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
): Promise<Count> {
  const near = await countWalking(db, teamId, conditions, SAMPLE, SAMPLE)
  const walkMax = (FILTERED_TOTAL_MAX * SAMPLE) / SAMPLE_DENSE
  const isFull =
    near >= SAMPLE_DENSE &&
    (await countWalking(db, teamId, conditions, FILTERED_TOTAL_MAX, walkMax)) === FILTERED_TOTAL_MAX
  return isFull ? exactly(FILTERED_TOTAL_MAX) : countMatching(db, teamId, conditions)
}

async function estimate(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
): Promise<Count> {
  const total = Math.min(FILTERED_TOTAL_MAX, await estimateContacts(db, teamId, conditions))
  return { total, isExact: false }
}

/** Estimates the number of matches from the newest thousand contacts. Exact for fewer contacts. */
export async function estimateContacts(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
): Promise<number> {
  const near = await countWalking(db, teamId, conditions, SAMPLE, SAMPLE)
  const all = await readCounter(db, teamId, CONTACT_COUNTER)
  return Math.round((near * Math.max(all, SAMPLE)) / SAMPLE)
}

/** Counts up to `countMax` matches among the newest `walkMax` contacts. */
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
  /** The last tested contact, if walking reached its limit before the page was full. */
  stoppedAt: string | null
  /** The number of all matches, up to FILTERED_TOTAL_MAX, if the search found it. */
  count: number | null
}

const LIVE = 'c.team_id = $1 and c.deleted_at is null'

async function walkAll(db: Queryable, teamId: string, range: PageRange): Promise<Found> {
  const select = `select c.id from contact c where ${LIVE}`
  const { rows, hasMore } = await queryRange<{ id: string }>(db, select, [teamId], range, 'c.id')
  return { ids: rows.map((row) => row.id), hasMore, stoppedAt: null, count: null }
}

/** Returns the conditions as SQL with their parameters, from `$1` (the team). */
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

/** The limit on contacts that are tested one by one, nearest first, as the first step. Takes milliseconds. */
const WALK_MAX = 8000
/** The same limit if gathering is fast and also counts the matches. */
const GATHERABLE_WALK_MAX = 2000
/** The limit on matches that are gathered and sorted. */
const GATHER_MAX = 100_000
/** The time limit for gathering. It is exceeded when several conditions match very many contacts each. */
const GATHER_TIMEOUT_MS = 150
/**
 * The limits on contacts that are tested one by one as the last step. A page by number must also pass all earlier
 * ones.
 */
const FAR_WALK_MAX = 10_000
const DEEP_WALK_MAX = 100_000

/** Ids in reading order: one more than the page holds, if there is one. */
type Ids = Pick<Found, 'ids' | 'stoppedAt' | 'count'>

async function findMatching(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  range: PageRange,
): Promise<Found> {
  const { ids, stoppedAt, count } = await findIds(db, teamId, conditions, range)
  const pageIds = ids.slice(0, range.size)
  const hasMore = ids.length > range.size || stoppedAt !== null
  return { ids: range.before === null ? pageIds : pageIds.reverse(), hasMore, stoppedAt, count }
}

/**
 * Returns the ids of one page of matches. It takes three steps, each for cases that the previous one cannot handle
 * within milliseconds:
 * 1. Walk along the ids and test each contact, at most WALK_MAX or SOUGHT_WALK_MAX. This finds common matches.
 * 2. Gather all matches in any order and sort them, within GATHER_PATIENCE_MS. This finds rare matches through the
 * indexes of the conditions. PostgreSQL by itself would walk here too, past a million contacts that do not match.
 * 3. Walk further. The page may then be incomplete, and `stoppedAt` says where to continue.
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
  const walkMax = isGatherable(conditions) ? GATHERABLE_WALK_MAX : WALK_MAX
  const isNear = range.offset + range.size < walkMax
  const near = isNear ? await walk(db, teamId, conditions, range, walkMax) : []
  if (near.length > range.size) return { ids: near, stoppedAt: null, count: null }
  // If most contacts match, walking also finds a page deep in the list.
  const isDense = !isNear && (await countWalking(db, teamId, conditions, SAMPLE, SAMPLE)) >= SAMPLE_DENSE
  const gathered = isDense ? null : await gather(db, teamId, conditions, range)
  return gathered ?? walkFar(db, teamId, conditions, range)
}

/** Returns the ids of the newest matches; fewer than `countMax`, perhaps none, if the scan would take too long. */
export async function findNewestIds(
  db: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
  countMax: number,
): Promise<string[]> {
  const range = { size: countMax, offset: 0, after: null, before: null }
  return (await findIds(db, teamId, conditions, range)).ids.slice(0, countMax)
}

/** Returns the bound, order and limit of a page as SQL, towards newer or older contacts. */
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

/** Returns null if there are too many matches or finding them took too long. */
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
    { timeoutMs: GATHER_TIMEOUT_MS, mayHash: isGatherable(conditions) },
  )
  const gathered = rows?.[0]
  if (gathered === undefined || gathered.count > GATHER_MAX) return null
  // With a bound, only some of the matches were gathered.
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

/** Reads ids from one index, in its order. */
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
