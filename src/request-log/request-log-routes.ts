import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { REQUESTS_LOGGED } from '../db/counters.ts'
import { readDate } from '../http/route/date-query.ts'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import type { Route } from '../http/route/route.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { countLogged, findRequest, listRequests, type RequestFilter } from './request-log-queries.ts'
import { LogAnswer, LogQuery, logToJson } from './request-log-schemas.ts'

const logs = new Resource('/logs', 'log', {
  area: 'requestLog',
  permission: 'full',
  noun: 'request',
  schema: LogAnswer,
  toJson: logToJson,
})

const listLogs = logs.list('listLogs', 'List requests', {
  description:
    'Newest first: requests with API keys, a moment after their response. Bodies, queries and headers are not stored. With a rare match, a page can be short while `has_more` is true: follow `links.next`.',
  query: LogQuery,
  response: 'A page of requests.',
  async read(db, teamId, page, { query, caller }) {
    const filter = omitUndefined({ ...readFilter(query), scopeKeyId: scopeOf(caller) ?? undefined })
    const requests = await listRequests(db, teamId, filter, page)
    return { ...requests, total: await countLogged(db, teamId, filter) }
  },
  counter: REQUESTS_LOGGED,
})

const getLog = logs.get('getLog', 'Get a request', {
  description: 'The id is the `x-request-id` of the response.',
  read: (db, teamId, id, { caller }) => findRequest(db, teamId, id.toLowerCase(), scopeOf(caller)),
})

/** A key bound to one domain reads its own requests only, because others name emails of other domains. Null: all keys. */
const scopeOf = ({ domainId, keyId }: Caller) => (domainId === null ? null : keyId)

function readFilter(query: Static<typeof LogQuery>): RequestFilter {
  const { request_id: id, method, status, route, endpoint: path, api_key_id: apiKeyId } = query
  const { start_date: start, end_date: end } = query
  return omitUndefined({
    id: id?.toLowerCase(),
    method: method?.toUpperCase(),
    ...(status === undefined ? {} : readStatus(status)),
    route,
    path,
    apiKeyId: apiKeyId?.toLowerCase(),
    from: start === undefined ? undefined : readDate('start_date', start, false),
    to: end === undefined ? undefined : readDate('end_date', end, true),
  })
}

/** Reads `422`, or the class `4xx`. */
function readStatus(status: string): { statusFrom: number; statusTo: number } {
  const exact = Number(status)
  if (Number.isInteger(exact)) return { statusFrom: exact, statusTo: exact }
  const first = Number(status[0]) * 100
  return { statusFrom: first, statusTo: first + 99 }
}

export const requestLogRoutes: readonly Route<ResourceDeps>[] = [listLogs, getLog]
