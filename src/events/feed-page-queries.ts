import type { Queryable } from '../db/db-types.ts'
import type { EventType } from './catalogue.ts'
import {
  type FeedEvent,
  type FeedQuery,
  findFeedEnd,
  type StoredEvent,
  toFeedEvents,
} from './feed-queries.ts'

export interface FeedPage {
  events: FeedEvent[]
  /** Everything up to this number was scanned: the next page starts here. */
  position: number
  /** The team's feed continues after `position`. */
  hasMore: boolean
}

/** The most events of the requested types scanned for a page, however few of them match. */
const SCAN_MAX = 10_000

/**
 * Types that are rare in most feeds: a separate index (`event_feed_rare`, whose condition must match this list exactly)
 * finds the next one wherever it is.
 */
export const RARE_TYPES: readonly EventType[] = [
  'email.bounced',
  'email.failed',
  'email.rejected',
  'email.suppressed',
  'email.canceled',
  'email.complained',
  'email.received',
  'contact.deleted',
  'contact.unsubscribed',
  'domain.created',
  'domain.verified',
  'domain.failed',
  'domain.deleted',
  'suppression.added',
  'suppression.removed',
  'webhook.disabled',
  'team.paused',
  'team.resumed',
]
const IS_RARE = `e.type in (${RARE_TYPES.map((type) => `'${type}'`).join(', ')})`

/**
 * Returns the next events of a team in commit order: at most `countMax`, and fewer, even none, when too few of the
 * events scanned for one page match. Null: the feed is shorter than `after`.
 */
export async function readFeedPage(
  db: Queryable,
  teamId: string,
  query: FeedQuery,
): Promise<FeedPage | null> {
  // Read before the events: everything numbered up to here is committed, and nothing is added below it from now on.
  const end = await findFeedEnd(db, teamId)
  if (query.after > end) return null
  if (query.after === end) return { events: [], position: end, hasMore: false }
  const scannedTo = await findHorizon(db, teamId, query, end)
  const rowsMax = query.domainId === null ? query.countMax : Math.max(query.countMax, DOMAIN_ROWS_MIN)
  const rows = await readRange(db, teamId, { ...query, countMax: rowsMax }, scannedTo)
  const shown = await toFeedEvents(db, teamId, rows, query.domainId)
  const events = shown.slice(0, query.countMax)
  // All events of one subject are shown, or none. A subject of another domain then looks like one without events.
  const isCut = rows.length === rowsMax && (shown.length > 0 || query.subjectId === null)
  const last = shown.length > events.length ? events.at(-1) : isCut ? rows.at(-1) : undefined
  const position = last?.position ?? scannedTo
  return { events, position, hasMore: position < end }
}

/** The events read for a page of one domain, of which most may be of others, however small the page is. */
const DOMAIN_ROWS_MIN = 100

type ScanKind = 'all' | 'of_subject' | 'rare' | 'of_types'

function wayOf({ types, subjectId }: FeedQuery): ScanKind {
  if (subjectId !== null) return 'of_subject'
  if (types.length === 0) return 'all'
  return types.every((type) => (RARE_TYPES as readonly string[]).includes(type)) ? 'rare' : 'of_types'
}

/** Returns how far a page scans: to the end of the feed, unless that could be too much. */
async function findHorizon(db: Queryable, teamId: string, query: FeedQuery, end: number): Promise<number> {
  if (wayOf(query) !== 'of_types' || end - query.after <= SCAN_MAX) return end
  // Counted, not computed: retention leaves gaps in the numbers.
  const rows = await db.query<{ position: number }>(
    `select position
     from event
     where team_id = $1 and position > $2 and position <= $3
     order by position
     offset $4 limit 1`,
    [teamId, query.after, end, SCAN_MAX - 1],
  )
  return rows[0]?.position ?? end
}

function readRange(db: Queryable, teamId: string, query: FeedQuery, to: number): Promise<StoredEvent[]> {
  const { after, types, subjectId, countMax } = query
  switch (wayOf(query)) {
    case 'all':
      return db.query<StoredEvent>(ALL, [teamId, after, to, countMax])
    case 'of_subject':
      return db.query<StoredEvent>(OF_SUBJECT, [
        teamId,
        after,
        to,
        subjectId,
        types.length === 0 ? null : types,
        countMax,
      ])
    case 'rare':
      return db.query<StoredEvent>(RARE, [teamId, after, to, [...new Set(types)], countMax])
    case 'of_types':
      return db.query<StoredEvent>(OF_TYPES, [teamId, after, to, types, countMax])
  }
}

const COLUMNS = 'e.subject_id, e.id, e.type, e.data, e.created_at, e.position'

const ALL = `select ${COLUMNS}
from event e
where e.team_id = $1 and e.position > $2 and e.position <= $3
order by e.position
limit $4`

const OF_TYPES = `select ${COLUMNS}
from event e
where e.team_id = $1 and e.position > $2 and e.position <= $3 and e.type = any ($4::text[])
order by e.position
limit $5`

// One index scan for each type, limited to the page.
const RARE = `select found.*
from unnest($4::text[]) as t (type)
cross join lateral (
  select ${COLUMNS}
  from event e
  where e.team_id = $1 and e.type = t.type and ${IS_RARE}
    and e.position > $2 and e.position <= $3
  order by e.position
  limit $5
) found
order by found.position
limit $5`

// By the primary key; otherwise the planner might scan the feed until it has found enough of one email.
const OF_SUBJECT = `with own as materialized (
  select ${COLUMNS}
  from event e
  where e.team_id = $1 and e.subject_id = $4
)
select *
from own
where position > $2 and position <= $3 and ($5::text[] is null or type = any ($5))
order by position
limit $6`
