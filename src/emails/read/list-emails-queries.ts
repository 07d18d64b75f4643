import type { Place, Queryable } from '../../db/db-types.ts'
import { cutToSize, FILTERED_TOTAL_MAX, type PageRange, type Rows } from '../../db/page.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { countEmails } from '../../teams/usage-queries.ts'
import {
  ALL_EMAILS,
  type EmailFilter,
  type EmailIndex,
  type EmailPart,
  listParts,
  simulatedCondition,
} from './email-filters-queries.ts'
import { DOMAIN_JOIN, EMAIL_COLUMNS, type Email, type EmailRow, toEmail } from './read-emails-queries.ts'

/** The limit on emails that are tested one by one for a page if no index leads. They are adjacent rows. */
export const SCAN_MAX = 10_000
/** The same limit if an index leads: each email may be on a different disk page. */
export const INDEXED_SCAN_MAX = 3_000
/** The same limit for a page by number, which must find the rows of all earlier pages again. */
const DEEP_SCAN_MAX = 100_000
/** The shortest of several indexes leads. Indexes with more entries than this count as equally long. */
const PROBE_MAX = 2_000

/** A filter prepared for reading: the leading index, the conditions to test on each of its emails, and the times. */
interface Search {
  /** Several are read together. */
  lead: readonly EmailIndex[]
  rest: readonly EmailPart[]
  createdFrom: Date | undefined
  createdBefore: Date | undefined
  isSimulated: boolean | undefined
}

type Read = (db: Queryable, teamId: string, search: Search, range: PageRange) => Promise<Rows<EmailRow>>

/**
 * Lists emails, newest first. A single filter is read from its index, in order. Of several filters, the
 * shortest index leads, and at most INDEXED_SCAN_MAX of its emails are tested for the rest. If that does not fill a
 * page, `stoppedAt` says where to continue. A part of the subject alone has no index: at most SCAN_MAX of all
 * emails are tested.
 * @returns the emails. `total` counts the emails that match: all of the team without a filter, else up to
 * FILTERED_TOTAL_MAX, and only among the newest if emails are tested one by one
 */
export async function listEmails(
  db: Queryable,
  teamId: string,
  filter: EmailFilter,
  range: PageRange,
): Promise<Rows<Email> & { total: number }> {
  const isFiltered = Object.keys(filter).length > 0
  const search = await chooseLead(db, teamId, filter, range)
  const knownTotal = isFiltered ? null : await countEmails(db, teamId)
  const read: Read = search.rest.length > 0 ? scanPage : knownTotal === null ? readIndex : readAll(knownTotal)
  const page = await read(db, teamId, search, range)
  const total = knownTotal ?? countShown(range, page) ?? (await countMatching(db, teamId, search))
  return { ...page, rows: page.rows.map((row) => toEmail(teamId, row)), total }
}

function createValues(teamId: string): { values: unknown[]; place: Place } {
  const values: unknown[] = [teamId]
  return { values, place: (value) => `$${values.push(value)}` }
}

/** Towards newer emails, the nearest come first, so they are read in the other order and reversed. */
const orderOf = (range: PageRange | null) => (range === null || range.before === null ? 'desc' : 'asc')
const idOf = (index: EmailIndex) => (index.table === 'email' ? 's.id' : 's.email_id')

/** Returns the SQL of the rows `s` of an index, within the times of the search and the bounds of the range. */
function fromIndex(index: EmailIndex, search: Search, place: Place, range: PageRange | null): string {
  const { createdFrom, createdBefore, isSimulated } = search
  const id = idOf(index)
  const conditions = ['s.team_id = $1', index.condition(place)]
  if (createdFrom !== undefined) conditions.push(`${id} >= ${place(firstIdAt(createdFrom))}`)
  if (createdBefore !== undefined) conditions.push(`${id} < ${place(firstIdAt(createdBefore))}`)
  if (range !== null && range.after !== null) conditions.push(`${id} < ${place(range.after)}`)
  if (range !== null && range.before !== null) conditions.push(`${id} > ${place(range.before)}`)
  const rows = `from ${index.table} s\n    where ${conditions.join('\n      and ')}`
  // PostgreSQL merges the branches in the order of ids.
  const branches = index.oneOf?.map((condition) => `select s.* ${rows} and ${condition}`)
  const all = branches === undefined ? rows : `from (${branches.join('\n    union all ')}) s\n    where true`
  return isSimulated === undefined ? all : withSimulated(index, all, isSimulated, range)
}

/** Adds the condition on simulated mail, which has no index: DEEP_SCAN_MAX emails are tested for it. */
function withSimulated(
  index: EmailIndex,
  all: string,
  isSimulated: boolean,
  range: PageRange | null,
): string {
  if (index.table === 'email') {
    const scanned = `select s.* ${all} order by s.id ${orderOf(range)} limit ${DEEP_SCAN_MAX}`
    return `from (${scanned}) s\n    where ${simulatedCondition('s', isSimulated)}`
  }
  return `${all} and exists (
         select 1
         from email e
         where e.team_id = $1 and e.id = ${idOf(index)} and ${simulatedCondition('e', isSimulated)}
       )`
}

/** Returns the SQL of the ids of an index, each once, in reading order. */
function idsOf(search: Search, place: Place, range: PageRange | null): string {
  const [index, ...others] = search.lead
  if (index === undefined || others.length > 0)
    return `select distinct u.id as id
    from (${unionOf(search, place, range)}) as u
    order by u.id ${orderOf(range)}`
  const id = idOf(index)
  // Two recipients, or two values of one tag, may lead to the same email.
  const distinct = index.table === 'email' ? '' : 'distinct '
  return `select ${distinct}${id} as id
    ${fromIndex(index, search, place, range)}
    order by ${id} ${orderOf(range)}`
}

/** Returns the SQL of the ids of all leading indexes, in no order. */
function unionOf(search: Search, place: Place, range: PageRange | null): string {
  return search.lead
    .map((index) => `select ${idOf(index)} as id\n    ${fromIndex(index, search, place, range)}`)
    .join('\n    union all\n    ')
}

/**
 * Chooses the index that has the fewest entries in the range. Several that find emails together are read to their end,
 * so they lead only below PROBE_MAX.
 */
async function chooseLead(
  db: Queryable,
  teamId: string,
  filter: EmailFilter,
  range: PageRange,
): Promise<Search> {
  const { createdFrom, createdBefore, isSimulated } = filter
  const bounds = { createdFrom, createdBefore, isSimulated }
  const parts = listParts(filter)
  const searches = parts.flatMap((part): Search[] => {
    const rest = parts.filter((other) => other !== part)
    return part.indexes.length === 0 ? [] : [{ lead: part.indexes, rest, ...bounds }]
  })
  const [first, ...others] = searches
  const scan: Search = { lead: ALL_EMAILS, rest: parts, ...bounds }
  if (first === undefined) return scan
  if (others.length === 0 && first.lead.length === 1) return first
  const { values, place } = createValues(teamId)
  const lengths = searches.map(
    (search) => `(select count(*)::int4 from (${probeOf(search, place, range)} limit ${PROBE_MAX}) as probe)`,
  )
  const rows = await db.query<{ lengths: number[] }>(
    `select array[${lengths.join(',\n')}] as lengths`,
    values,
    {
      isOneOff: true,
    },
  )
  const counts = rows[0]?.lengths ?? []
  const fewest = Math.min(...counts)
  const ordered = searches.find(({ lead }, index) => counts[index] === fewest && lead.length === 1)
  if (ordered !== undefined) return ordered
  return (fewest < PROBE_MAX && searches[counts.indexOf(fewest)]) || scan
}

/** Returns the SQL of the entries that the probe counts, each index up to PROBE_MAX and in its own order. */
function probeOf(search: Search, place: Place, range: PageRange): string {
  if (search.lead.length === 1) return idsOf(search, place, range)
  return search.lead
    .map((index) => {
      const order = index.startOf === undefined ? '' : `order by s.${index.startOf} using ~<~`
      return `(select 1 ${fromIndex(index, search, place, range)} ${order} limit ${PROBE_MAX})`
    })
    .join('\n    union all\n    ')
}

/** Reads without a filter. Pages beyond the middle are read from the other end. */
const readAll =
  (total: number): Read =>
  async (db, teamId, search, range) => {
    const { offset, size } = range
    if (offset <= total / 2) return readIndex(db, teamId, search, range)
    const fromEnd = {
      size: Math.max(0, Math.min(size, total - offset)),
      offset: Math.max(0, total - offset - size),
    }
    if (fromEnd.size === 0) return { rows: [], hasMore: false }
    const { rows } = await readIndex(db, teamId, search, { ...fromEnd, after: null, before: NO_ID })
    return { rows, hasMore: fromEnd.offset > 0 }
  }

/** Sorts before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Reads a range of one index. No conditions are left to test: ids are counted off, and only the emails of the
 * range are fetched.
 */
async function readIndex(
  db: Queryable,
  teamId: string,
  search: Search,
  range: PageRange,
): Promise<Rows<EmailRow>> {
  const { values, place } = createValues(teamId)
  const ids = `${idsOf(search, place, range)}
    limit ${place(range.size + 1)} offset ${place(range.offset)}`
  const rows = await db.query<EmailRow>(
    `select ${EMAIL_COLUMNS}
  from (${ids}) as l
  join email e on e.team_id = $1 and e.id = l.id
  ${DOMAIN_JOIN}
  order by l.id ${orderOf(range)}`,
    values,
    { isOneOff: true },
  )
  return cutToSize(rows, range)
}

/** Tests the emails of the leading index one by one, until the range is full or the limit is reached. */
async function scanPage(
  db: Queryable,
  teamId: string,
  search: Search,
  range: PageRange,
): Promise<Rows<EmailRow>> {
  const scanMax = Math.min(scanMaxOf(search) + range.offset, DEEP_SCAN_MAX)
  const { values, place } = createValues(teamId)
  const { from, id } = fromScanned(search, place, range, scanMax)
  const rows = await db.query<EmailRow>(
    `select ${EMAIL_COLUMNS}
  ${from}
  ${DOMAIN_JOIN}
  where ${fitsRest(search, place)}
  order by ${id} ${orderOf(range)}
  limit ${place(range.size + 1)} offset ${place(range.offset)}`,
    values,
    { isOneOff: true },
  )
  if (rows.length > range.size) return cutToSize(rows, range)
  const stoppedAt = await findStop(db, teamId, search, range, scanMax)
  return { ...cutToSize(rows, range), hasMore: stoppedAt !== null, stoppedAt }
}

const scanMaxOf = ({ lead, rest }: Search) =>
  lead === ALL_EMAILS && !rest.some(({ isCostly }) => isCostly) ? SCAN_MAX : INDEXED_SCAN_MAX

/** Returns the SQL of the first `scanMax` emails `e` of the leading index. */
function fromScanned(search: Search, place: Place, range: PageRange | null, scanMax: number) {
  const [index, ...others] = search.lead
  if (index?.table !== 'email' || others.length > 0) {
    const ids = `${idsOf(search, place, range)}\n    limit ${scanMax}`
    return { from: `from (${ids}) as l\n  join email e on e.team_id = $1 and e.id = l.id`, id: 'l.id' }
  }
  const rows = `select s.*
    ${fromIndex(index, search, place, range)}
    order by s.id ${orderOf(range)}
    limit ${scanMax}`
  return { from: `from (${rows}) as e`, id: 'e.id' }
}

function fitsRest(search: Search, place: Place): string {
  return search.rest.map((part) => part.fits(place)).join('\n    and ')
}

/** Returns the last tested email if the leading index continues after it, or null if all were tested. */
async function findStop(
  db: Queryable,
  teamId: string,
  search: Search,
  range: PageRange,
  scanMax: number,
): Promise<string | null> {
  const { values, place } = createValues(teamId)
  const ids = `${idsOf(search, place, range)}\n    limit 2 offset ${scanMax - 1}`
  const rows = await db.query<{ id: string }>(ids, values, { isOneOff: true })
  return rows.length === 2 ? (rows[0]?.id ?? null) : null
}

/** Returns the number of matching emails if a first page shows all of them, else null. */
function countShown({ after, before, offset }: PageRange, page: Rows<EmailRow>): number | null {
  const isFirst = after === null && before === null && offset === 0
  return isFirst && (!page.hasMore || page.stoppedAt) ? page.rows.length : null
}

async function countMatching(db: Queryable, teamId: string, search: Search): Promise<number> {
  const { values, place } = createValues(teamId)
  const fitting =
    search.rest.length === 0
      ? `${idsOf(search, place, null)}\n    limit ${FILTERED_TOTAL_MAX}`
      : `select 1\n  ${fromScanned(search, place, null, scanMaxOf(search)).from}\n  where ${fitsRest(search, place)}`
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count from (${fitting}) as fitting`,
    values,
    { isOneOff: true },
  )
  return rows[0]?.count ?? 0
}
