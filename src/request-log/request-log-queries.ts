import { batchOf } from '../db/batch.ts'
import { bumpCounters, REQUESTS_LOGGED } from '../db/counters.ts'
import type { Queryable, Transactions } from '../db/db-types.ts'
import { cutToSize, type PageRange, type Rows } from '../db/page.ts'
import { together } from '../db/transactions.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { LoggedRequest } from './logged-request.ts'

const REQUESTS = batchOf(
  `team_id uuid, id uuid, api_key_id uuid, method text, route text, path text, status int4, duration_ms int4,
   request_bytes int8, response_bytes int8, ip_address text, user_agent text, record_id uuid, error jsonb,
   created_at timestamptz`,
  { ip_address: ({ ipAddress }: LoggedRequest) => (ipAddress === '' ? null : ipAddress) },
)

const INSERT_REQUESTS = `insert into request_log (${REQUESTS.names})
  select *
  from unnest(${REQUESTS.arrays})
  on conflict do nothing
  returning team_id`

/**
 * Inserts entries, and counts them. Inserting one again changes nothing. The commit does not wait for the disk, so that
 * it does not compete with those of accepted emails: a crash of PostgreSQL can lose the last half second.
 */
export async function insertRequests(db: Transactions, requests: readonly LoggedRequest[]): Promise<void> {
  await db.transaction(async (tx) => {
    const [, inserted] = await together([
      tx.query('set local synchronous_commit = off'),
      tx.query<{ teamId: string }>(INSERT_REQUESTS, REQUESTS.values(requests)),
    ])
    const bumps = inserted.map(({ teamId }) => ({ teamId, name: REQUESTS_LOGGED, by: 1 }))
    tx.writeLast(REQUESTS_LOGGED, bumps, bumpCounters)
  })
}

/** An entry as read, with the name of its key. */
export interface ReadRequest extends Omit<LoggedRequest, 'ipAddress'> {
  ipAddress: string | null
  apiKeyName: string | null
}

const COLUMNS = `r.team_id, r.id, r.api_key_id, k.name as api_key_name, r.method, r.route, r.path, r.status, r.duration_ms,
  r.request_bytes, r.response_bytes, r.ip_address, r.user_agent, r.record_id, r.error, r.created_at`
const KEY_JOIN = 'left join api_key k on k.team_id = r.team_id and k.id = r.api_key_id'

/** @param scopeKeyId as in `RequestFilter`; null: all keys */
export async function findRequest(
  db: Queryable,
  teamId: string,
  id: string,
  scopeKeyId: string | null,
): Promise<ReadRequest | null> {
  const rows = await db.query<ReadRequest>(
    `select ${COLUMNS}
     from request_log r
     ${KEY_JOIN}
     where r.team_id = $1 and r.id = $2 and ($3::uuid is null or r.api_key_id = $3)`,
    [teamId, id, scopeKeyId],
  )
  return rows[0] ?? null
}

export interface RequestFilter {
  id?: string
  method?: string
  /** Inclusive. */
  statusFrom?: number
  statusTo?: number
  /** As in the API document. */
  route?: string
  /** A path, or the beginning of paths if it ends with a slash. */
  path?: string
  apiKeyId?: string
  /** The only key whose requests the caller may read, beside any `apiKeyId` that the request names. */
  scopeKeyId?: string
  from?: Date
  to?: Date
}

/** The limit on entries that are tested one by one for a page. They are adjacent rows. */
export const REQUEST_SCAN_MAX = 10_000
const FAILED_FROM = 400

type Place = (value: unknown) => string

function createValues(teamId: string): { values: unknown[]; place: Place } {
  const values: unknown[] = [teamId]
  return { values, place: (value) => `$${values.push(value)}` }
}

/** Returns SQL of the entries that an index has in order: all of the team, or those that failed. */
function fromScanned(columns: string, filter: RequestFilter, range: PageRange | null, place: Place): string {
  const { id, from, to, statusFrom } = filter
  const parts = ['s.team_id = $1']
  if (id !== undefined) parts.push(`s.id = ${place(id)}`)
  // Ids start with the time.
  if (from !== undefined) parts.push(`s.id >= ${place(firstIdAt(from))}`)
  if (to !== undefined) parts.push(`s.id < ${place(firstIdAt(to))}`)
  // As in the predicate of the index.
  if (statusFrom !== undefined && statusFrom >= FAILED_FROM) parts.push(`s.status >= ${FAILED_FROM}`)
  if (range !== null && range.after !== null) parts.push(`s.id < ${place(range.after)}`)
  if (range !== null && range.before !== null) parts.push(`s.id > ${place(range.before)}`)
  return `select ${columns}
       from request_log s
       where ${parts.join(' and ')}
       order by s.id ${orderOf(range)}
       limit ${REQUEST_SCAN_MAX}`
}

/** Towards newer entries, the nearest come first, so they are read in the other order and reversed. */
const orderOf = (range: PageRange | null) => (range === null || range.before === null ? 'desc' : 'asc')

/** Returns the conditions that no index covers. */
function testsOf(filter: RequestFilter, place: Place): string {
  const { method, statusFrom, statusTo, route, path, apiKeyId, scopeKeyId } = filter
  const parts: string[] = []
  if (method !== undefined) parts.push(`r.method = ${place(method)}`)
  if (statusFrom !== undefined) parts.push(`r.status >= ${place(statusFrom)}`)
  if (statusTo !== undefined) parts.push(`r.status <= ${place(statusTo)}`)
  if (route !== undefined) parts.push(`r.route = ${place(route)}`)
  if (path?.endsWith('/')) parts.push(`starts_with(r.path, ${place(path)})`)
  else if (path !== undefined) parts.push(`r.path = ${place(path)}`)
  if (apiKeyId !== undefined) parts.push(`r.api_key_id = ${place(apiKeyId)}`)
  if (scopeKeyId !== undefined) parts.push(`r.api_key_id = ${place(scopeKeyId)}`)
  return parts.length === 0 ? '' : `where ${parts.join(' and ')}`
}

/**
 * Lists entries, newest first. Tests at most REQUEST_SCAN_MAX of them. If that does not fill a page, `stoppedAt` says
 * where to continue.
 */
export async function listRequests(
  db: Queryable,
  teamId: string,
  filter: RequestFilter,
  range: PageRange,
): Promise<Rows<ReadRequest>> {
  const { values, place } = createValues(teamId)
  const rows = await db.query<ReadRequest>(
    `select ${COLUMNS}
     from (${fromScanned('s.*', filter, range, place)}) r
     ${KEY_JOIN}
     ${testsOf(filter, place)}
     order by r.id ${orderOf(range)}
     limit ${place(range.size + 1)}
     offset ${place(range.offset)}`,
    values,
    { isOneOff: true },
  )
  const page = cutToSize(rows, range)
  if (page.hasMore) return page
  const stoppedAt = await findRequestStop(db, teamId, filter, range)
  return { ...page, hasMore: stoppedAt !== null, stoppedAt }
}

/** Returns where the scan stopped, or null if it covered all entries. */
async function findRequestStop(
  db: Queryable,
  teamId: string,
  filter: RequestFilter,
  range: PageRange,
): Promise<string | null> {
  const { values, place } = createValues(teamId)
  const rows = await db.query<{ id: string }>(
    `${fromScanned('s.id', filter, range, place)}
     offset ${REQUEST_SCAN_MAX - 1}`,
    values,
    { isOneOff: true },
  )
  return rows[0]?.id ?? null
}

/** Counts the matches among the newest entries, within the scan limit. Returns null without a filter: use the counter. */
export async function countLogged(
  db: Queryable,
  teamId: string,
  filter: RequestFilter,
): Promise<number | null> {
  if (Object.keys(filter).length === 0) return null
  const { values, place } = createValues(teamId)
  const columns = 's.method, s.status, s.route, s.path, s.api_key_id'
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (${fromScanned(columns, filter, null, place)}) r
     ${testsOf(filter, place)}`,
    values,
    { isOneOff: true },
  )
  return rows[0]?.count ?? 0
}
