import type { Db } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX } from '../../db/page.ts'
import { contactsMatching, type SegmentInput } from '../segments/segments.ts'
import type { Contact } from './contacts-queries.ts'
import { estimateContacts, listContacts } from './list-contacts-queries.ts'

export interface SegmentPreview {
  count: number
  /** False if `count` is an estimate. */
  isExact: boolean
  /** The newest matches. */
  contacts: Contact[]
}

const PREVIEW_CONTACTS = 5

/** Returns the members that an unsaved segment would have. Throws the same errors as createSegment. */
export async function previewSegment(
  db: Db,
  teamId: string,
  segment: Pick<SegmentInput, 'matchType' | 'groups'>,
): Promise<SegmentPreview> {
  const condition = await contactsMatching(db, teamId, segment)
  const range = { size: PREVIEW_CONTACTS, offset: 0, after: null, before: null }
  const { rows, total, isExact } = await listContacts(db, teamId, [condition], range)
  const isFull = total === FILTERED_TOTAL_MAX
  // Lists stop counting here. For a segment, an estimate distinguishes ten thousand from a million.
  const count = isFull ? Math.max(total, await estimateContacts(db, teamId, [condition])) : total
  return { count, isExact, contacts: rows }
}
