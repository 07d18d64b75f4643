import { setTimeout as pause } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { DatabaseUnavailable } from '../db/db-types.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Reply, type Request, type Route, routesOf } from '../http/route/route.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import { EVENT_TYPES, isEventType } from './catalogue.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { eventToJson } from './event-json.ts'
import { EventPage } from './event-schemas.ts'
import { streamEvents } from './event-stream.ts'
import { EXAMPLES } from './example-values.ts'
import { readFeedPage } from './feed-page-queries.ts'
import { type FeedQuery, findFeedEnd } from './feed-queries.ts'
import type { FeedWatch } from './feed-watch.ts'
import type { WaitingPlaces } from './waiting-places.ts'

interface Deps extends Pick<ResourceDeps, 'db' | 'lists'> {
  feedWatch: FeedWatch
  waitingPlaces: WaitingPlaces
}

const { route } = routesOf<Deps>()

const COUNT_DEFAULT = 25
/** At ten requests a second, which the rate limit allows, a reader keeps up with a busy account. */
const COUNT_MAX = 1_000
const WAIT_SECONDS_MAX = 30
/** Events per read. An event may contain 50 addresses of 2,000 characters. */
const EVENTS_PER_READ_MAX = 100
/** A page that reaches this length ends early. */
const PAGE_LENGTH_MAX = 2 * 1024 * 1024
/** Minimum time between two reads of a waiting request, because a filter may skip hundreds of events. */
const READ_GAP_MS = 100
/** A stream whose client reads nothing for this long ends. */
const STALL_MS = 30_000
const PARTS_MAX = 50

const Types = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: PARTS_MAX, description }))
const Id = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

const EventQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description: 'The `next_cursor` of the last response. Returns the events after it, oldest first.',
    }),
  ),
  from: Type.Optional(
    Type.Enum(['start', 'end'], {
      description:
        'Without `after`: `start` (default) returns the oldest events first, `end` only new events.',
    }),
  ),
  types: Types('Only events of these types: comma-separated, or as a repeated parameter.'),
  type: Types('Alias of `types`.'),
  email_id: Id('Only events of this email.'),
  subject_id: Id('Only events of this email, contact, domain, suppression, or webhook.'),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: COUNT_MAX,
      description: `Maximum number of events. Default ${COUNT_DEFAULT}. A page can have fewer, or none, while \`has_more\` is true.`,
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_SECONDS_MAX,
      description: 'Seconds to wait if there is no event yet. Default 0.',
    }),
  ),
})
type EventQuery = Static<typeof EventQuery>

const DESCRIPTION = [
  'All events of the team, in the order of their commits. If you continue from `next_cursor`, you miss no event and see none twice.',
  'Cursors do not expire. Events are kept for the period of `GET /retention`; an older cursor continues with the oldest. One beyond the newest event returns 422 (see the guide).',
  'With `wait`, an empty page comes only after that many seconds. With `Accept: text/event-stream`, it returns a stream of Server-Sent Events: `id` is the cursor, `event` the type, `data` the event. The stream resumes from `Last-Event-ID`.',
].join('\n\n')

const getEvents = route('GET', '/events', {
  area: 'events',
  permission: 'full',
  operationId: 'listEvents',
  summary: 'List events',
  description: DESCRIPTION,
  query: EventQuery,
  headers: {
    'Last-Event-ID': 'For streams: the last `id` received. Takes precedence over `after` and `from`.',
  },
  responses: { 200: { description: 'The next events, oldest first.', schema: EventPage } },
  alsoAs: { 'text/event-stream': { description: 'Events as they happen.', example: EXAMPLES.eventStream } },
  handle: (request) => (wantsStream(request.headers) ? openStream(request) : readPage(request)),
})

type Given = Request<unknown, EventQuery, unknown, Deps>

function wantsStream({ accept }: Given['headers']): boolean {
  return /(^|[,\s])text\/event-stream\s*([;,]|$)/i.test(String(accept ?? ''))
}

/** Reads a page, waiting for events if requested. Counts as one request, however long it waits. */
async function readPage({ caller, query, deps, closeSignal }: Given): Promise<Reply> {
  const { lists, feedWatch, waitingPlaces } = deps
  const { teamId } = caller
  const untilMs = performance.now() + (query.wait ?? 0) * 1_000
  const filter = readFilter(query, caller)
  const countMax = query.limit ?? COUNT_DEFAULT
  let after = await readStart(deps, teamId, query, null)
  let signal: AbortSignal | null = null
  for (;;) {
    const readMs = performance.now()
    const page = await readPageEvents(lists, teamId, { ...filter, after, countMax })
    after = page.position
    const timeoutMs = untilMs - performance.now()
    if (page.events.length > 0 || page.hasMore || timeoutMs <= 0 || signal?.aborted) return pageToJson(page)
    if (signal === null) {
      signal = closeSignal()
      waitingPlaces.take(teamId, signal)
    }
    const isPast = await feedWatch.waitPast(teamId, after, { timeoutMs, signal })
    if (!isPast) return pageToJson(page)
    await pause(Math.max(0, Math.min(readMs + READ_GAP_MS, untilMs) - performance.now()))
  }
}

interface Page {
  events: ReturnType<typeof eventToJson>[]
  position: number
  hasMore: boolean
}

/** Reads until the page is full or large, or a read returns too few events. */
async function readPageEvents(db: Deps['db'], teamId: string, query: FeedQuery): Promise<Page> {
  const page: Page = { events: [], position: query.after, hasMore: true }
  let length = 0
  while (page.events.length < query.countMax && page.hasMore && length < PAGE_LENGTH_MAX) {
    const countMax = Math.min(EVENTS_PER_READ_MAX, query.countMax - page.events.length)
    const part = await readFeedPage(db, teamId, { ...query, after: page.position, countMax })
    if (part === null) throw beyondEnd('after')
    page.events.push(...part.events.map(eventToJson))
    page.position = part.position
    page.hasMore = part.hasMore
    length += JSON.stringify(part.events).length
    if (part.events.length < countMax) break
  }
  return page
}

function pageToJson({ events, position, hasMore }: Page): Reply {
  const json = { object: 'list', data: events, has_more: hasMore, next_cursor: writeCursor(position) }
  return { status: 200, json }
}

const LAST_EVENT_ID = 'Last-Event-ID'

async function openStream(request: Given): Promise<Reply> {
  const { caller, query, deps, headers } = request
  const { lists: db, feedWatch: watch, waitingPlaces } = deps
  const { teamId } = caller
  const lastEventId = String(headers['last-event-id'] ?? '')
  const filter = readFilter(query, caller)
  const after = await readStart(deps, teamId, query, lastEventId === '' ? null : lastEventId)
  if (watch.stopping.aborted) throw new ApiError('service_unavailable', undefined, { retryAfterSeconds: 1 })
  const gone = request.closeSignal()
  waitingPlaces.take(teamId, gone)
  // The stream goes on with the domain that it began with.
  const isSame = (now: Caller) => now.domainId === caller.domainId
  const isAdmitted = () => request.reauthenticate().then(isSame, isOutage)
  return {
    status: 200,
    chunks: streamEvents({ db, watch, teamId, query: { ...filter, after }, gone, isAdmitted }),
    stallMs: STALL_MS,
    type: 'text/event-stream; charset=utf-8',
    // The connection ends with the stream, so that no client waits for another response while this process stops.
    // Proxies must not buffer the stream.
    headers: { connection: 'close', 'x-accel-buffering': 'no' },
  }
}

/**
 * Returns whether the error is a database outage, during which a stream stays open. Throws any other error but
 * ApiError.
 */
function isOutage(error: unknown): boolean {
  if (error instanceof ApiError) return false
  if (error instanceof DatabaseUnavailable) return true
  throw error
}

/** Returns the position after which to start. Throws ApiError (422) for an invalid cursor. */
async function readStart(
  { db }: Deps,
  teamId: string,
  { after, from }: EventQuery,
  lastEventId: string | null,
): Promise<number> {
  if (after !== undefined && from !== undefined) {
    throw invalidField('from', 'The from field must not be combined with after.')
  }
  const cursor = lastEventId ?? after
  if (cursor === undefined) return from === 'end' ? findFeedEnd(db, teamId) : 0
  const field = lastEventId === null ? 'after' : LAST_EVENT_ID
  const position = readCursor(cursor)
  if (position === null) throw invalidField(field, `The ${field} field must be a cursor of the feed.`)
  if (position > (await findFeedEnd(db, teamId))) throw beyondEnd(field)
  return position
}

function beyondEnd(field: string): ApiError {
  return invalidField(field, `The ${field} field lies beyond the newest event.`)
}

function readFilter(
  query: EventQuery,
  { domainId }: Caller,
): Pick<FeedQuery, 'types' | 'subjectId' | 'domainId'> {
  const { email_id: emailId, subject_id: subjectId = emailId } = query
  if (emailId !== undefined && subjectId !== emailId) {
    throw invalidField('subject_id', 'The subject_id field must not be combined with email_id.')
  }
  const types = [...readTypes('types', query.types), ...readTypes('type', query.type)]
  return { types: [...new Set(types)], subjectId: subjectId?.toLowerCase() ?? null, domainId }
}

function readTypes(field: string, parts: readonly string[] = []): string[] {
  const types = parts.flatMap((part) => part.split(',')).map((type) => type.trim())
  if (!types.every(isEventType)) {
    throw invalidField(field, `The ${field} field must be one of ${EVENT_TYPES.join(', ')}.`)
  }
  return types
}

export const eventRoutes: readonly Route<Deps>[] = [getEvents]
