import { contactsIn } from '../../audience/segments/segments.ts'
import { findSegment } from '../../audience/segments/segments-queries.ts'
import type { Tx } from '../../db/db-types.ts'
import { findMatchingContacts } from '../rows/contact-scopes-queries.ts'
import { changeSegmentMembers } from '../rows/segment-members-queries.ts'
import type { RunPlan } from '../running/plans.ts'
import type { HeardEvent } from './heard-events.ts'
import { TRIGGER_EVENTS } from './triggers.ts'

/**
 * Compares which contacts of a page are in the segments that begin automations with what was known before, and remembers it.
 * Returns the segments that were entered, by the id of the last event about each contact that entered one.
 */
export async function findSegmentEntries(
  tx: Tx,
  teamId: string,
  plans: readonly RunPlan[],
  events: readonly HeardEvent[],
): Promise<Map<string, Set<string>>> {
  const segmentIds = new Set(
    plans.flatMap(({ index: { trigger } }) =>
      trigger?.config.type === 'segment_entered' ? [trigger.config.segment_id] : [],
    ),
  )
  const last = new Map<string, HeardEvent>()
  for (const event of events)
    if (TRIGGER_EVENTS.segment_entered.includes(event.type)) last.set(event.contactId, event)
  const entries = new Map<string, Set<string>>()
  if (last.size === 0) return entries
  for (const segmentId of segmentIds) {
    const segment = await findSegment(tx, teamId, segmentId)
    if (segment === null) continue
    const contactIds = [...last.keys()]
    const members = await findMatchingContacts(tx, teamId, contactIds, await contactsIn(tx, segment))
    for (const contactId of await changeSegmentMembers(tx, teamId, segmentId, contactIds, members)) {
      const { id } = last.get(contactId) as HeardEvent
      entries.set(id, (entries.get(id) ?? new Set()).add(segmentId))
    }
  }
  return entries
}
