import type { Db, Tx } from '../../db/db-types.ts'
import type { PageRange, Rows } from '../../db/page.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { addList } from '../lists/lists.ts'
import { contactsIn } from '../segments/segments.ts'
import {
  holdSegment,
  listSegments,
  type Segment,
  type SegmentGroup,
  updateSegment,
} from '../segments/segments-queries.ts'
import type { ContactCause } from './contact-events.ts'
import { isContact } from './contact-segments-queries.ts'
import { addToLists, lookUpContact, removeFromList } from './contacts.ts'
import { listContacts } from './list-contacts-queries.ts'

const ONE: PageRange = { size: 1, offset: 0, after: null, before: null }

/** Lists the segments that a contact matches now. Each page scans as many segments as it has room for. */
export async function listSegmentsOfContact(
  db: Db,
  teamId: string,
  contactId: string,
  range: PageRange,
  now: Date,
): Promise<Rows<Segment>> {
  const { rows, hasMore } = await listSegments(db, teamId, range)
  const matching: Segment[] = []
  for (const segment of rows) {
    const conditions = [isContact(contactId), await contactsIn(db, segment, now)]
    const contacts = await listContacts(db, teamId, conditions, ONE, 0)
    if (contacts.rows.length > 0) matching.push(segment)
  }
  const last = range.before === null ? rows.at(-1) : rows[0]
  return { rows: matching, hasMore, stoppedAt: hasMore ? (last?.id ?? null) : null }
}

/**
 * Adds a contact to a segment whose only condition is one list. For a segment without conditions, first creates a list
 * with the name of the segment. Throws ApiError: `not_found`, or `conflict` for a segment with other conditions.
 */
export async function addToSegment(
  tx: Tx,
  teamId: string,
  idOrEmail: string,
  segmentId: string,
  now: Date,
  cause: ContactCause = {},
): Promise<Segment> {
  const segment = await holdForContact(tx, teamId, idOrEmail, segmentId)
  const listId = listOf(segment) ?? (await createListFor(tx, segment, now))
  await addToLists({ transaction: (work) => work(tx) }, teamId, idOrEmail, [listId], now, cause)
  return segment
}

/** Removes a contact from such a segment. Throws the same errors. */
export async function removeFromSegment(
  tx: Tx,
  teamId: string,
  idOrEmail: string,
  segmentId: string,
  now: Date,
): Promise<Segment> {
  const segment = await holdForContact(tx, teamId, idOrEmail, segmentId)
  const listId = listOf(segment)
  if (listId !== null) await removeFromList(tx, teamId, idOrEmail, listId, now)
  return segment
}

/** Throws ApiError (404) unless the team has both. */
async function holdForContact(
  tx: Tx,
  teamId: string,
  idOrEmail: string,
  segmentId: string,
): Promise<Segment> {
  orNotFound(await lookUpContact(tx, teamId, idOrEmail))
  return orNotFound(await holdSegment(tx, teamId, segmentId))
}

/**
 * Returns the list of a segment whose only condition is one list, or null for a segment without conditions. Throws
 * ApiError for any other segment, because its conditions select its contacts.
 */
function listOf({ groups }: Segment): string | null {
  const [condition, ...more] = groups.flatMap((group) => group.conditions)
  if (condition === undefined) return null
  const { field, operator, value } = condition
  if (more.length === 0 && field === 'list' && operator === 'in') return value as string
  throw new ApiError('conflict', 'This segment selects its contacts by conditions.')
}

async function createListFor(tx: Tx, segment: Segment, now: Date): Promise<string> {
  const { id } = await addList(tx, segment.teamId, segment.name, now)
  const group: SegmentGroup = {
    matchType: 'all',
    conditions: [{ field: 'list', type: 'list', operator: 'in', value: id, propertyId: null }],
  }
  await updateSegment(tx, { ...segment, groups: [group], updatedAt: now })
  return id
}
