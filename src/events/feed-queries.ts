import { arrays } from '../db/arrays.ts'
import { batchOf } from '../db/batch.ts'
import type { Queryable } from '../db/db-types.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { type EmailFacts, findEmailFacts } from './email-facts-queries.ts'
import { describeOwnData } from './own-data.ts'

/** One event as sent to readers of the feed and to webhooks. */
export interface FeedEvent {
  id: string
  teamId: string
  /** The id of its subject. */
  subjectId: string
  /** Its number in the team's feed. */
  position: number
  type: string
  createdAt: Date
  /** As described in events/catalogue.ts. */
  data: Record<string, unknown>
}

export interface FeedQuery {
  /** Only events after this number. */
  after: number
  /** Empty: all. */
  types: readonly string[]
  /** Only events of this email (or contact, domain, ...). */
  subjectId: string | null
  /** Of emails, only events of those of this domain. Null: all. */
  domainId: string | null
  countMax: number
}

/** An event as it is stored. */
export interface StoredEvent {
  subjectId: string
  id: string
  type: string
  data: Record<string, unknown>
  createdAt: Date
  position: number
}

/** Returns the number of the newest event of a team; 0 when there is none. */
export async function findFeedEnd(db: Queryable, teamId: string): Promise<number> {
  const rows = await db.query<{ position: number }>('select position from event_feed where team_id = $1', [
    teamId,
  ])
  return rows[0]?.position ?? 0
}

/** Returns the number of the newest event of each team that has any. */
export async function findFeedEnds(db: Queryable, teamIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ teamId: string; position: number }>(
    'select team_id, position from event_feed where team_id = any ($1)',
    [arrays.uuid(teamIds)],
  )
  return new Map(rows.map((row) => [row.teamId, row.position]))
}

const KEYS = batchOf('subject_id uuid, id uuid')

/** Returns events by their keys, in no order; those no longer stored are missing. */
export async function findEvents(
  db: Queryable,
  teamId: string,
  keys: readonly { subjectId: string; id: string }[],
): Promise<FeedEvent[]> {
  if (keys.length === 0) return []
  const rows = await db.query<StoredEvent>(
    `select e.subject_id, e.id, e.type, e.data, e.created_at, e.position
     from unnest(${KEYS.arraysFrom(2)}) as k (${KEYS.names})
     join event e on e.team_id = $1 and e.subject_id = k.subject_id and e.id = k.id`,
    [teamId, ...KEYS.values(keys)],
  )
  return toFeedEvents(db, teamId, rows)
}

/**
 * Adds the data of the events' emails with a single query.
 * @param domainId omits events of emails that are not of this domain, or no longer stored, and those of webhooks; null for none
 */
export async function toFeedEvents(
  db: Queryable,
  teamId: string,
  rows: readonly StoredEvent[],
  domainId: string | null = null,
): Promise<FeedEvent[]> {
  const ids = [...new Set(rows.filter(isAboutEmail).map((row) => row.subjectId))]
  const facts = await findEmailFacts(db, teamId, ids)
  const isShown = (row: StoredEvent) =>
    domainId === null ||
    (isAboutEmail(row) ? facts.get(row.subjectId)?.domainId === domainId : !row.type.startsWith('webhook.'))
  return rows.filter(isShown).map((row) => ({
    id: row.id,
    teamId,
    subjectId: row.subjectId,
    position: row.position,
    type: row.type,
    createdAt: row.createdAt,
    data: {
      ...(isAboutEmail(row) ? aboutEmail(row.subjectId, facts.get(row.subjectId)) : {}),
      ...describeOwnData(row.type, row.data, row.createdAt),
    },
  }))
}

function isAboutEmail({ type }: StoredEvent): boolean {
  return type.startsWith('email.')
}

function aboutEmail(id: string, facts: EmailFacts | undefined): Record<string, unknown> {
  if (facts === undefined) return { email_id: id }
  return {
    email_id: id,
    message_id: `<${facts.messageId}>`,
    from: facts.sender,
    to: facts.to,
    subject: facts.subject,
    created_at: formatTime(facts.createdAt),
    tags: Object.fromEntries(facts.tags.map(({ name, value }) => [name, value])),
    template_id: facts.templateId,
  }
}
