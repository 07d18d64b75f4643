import type { Tx } from '../../db/db-types.ts'
import { findSubjectsOfLater } from '../rows/automation-feed-queries.ts'
import { findMatchingContacts } from '../rows/contact-scopes-queries.ts'
import { entryKeyOf } from '../rows/runs-queries.ts'
import { changeSegmentMembers } from '../rows/segment-members-queries.ts'
import type { RunPlan } from '../running/plans.ts'
import type { HeardEvent } from './heard-events.ts'
import { lockSegment } from './read-segments.ts'
import { TRIGGER_EVENTS } from './triggers.ts'

/** Returns the segment whose entry begins runs; null for none. */
export function segmentOf({ index }: RunPlan): string | null {
  const config = index.trigger?.config
  return config?.type === 'segment_entered' ? config.segment_id : null
}

/**
 * The entries of a page of events. Contacts are compared as they are now, not as each event left them, so any event of the page may
 * have caused an entry: the first one that may begin runs does.
 */
export class SegmentEntries {
  /** The contacts that entered, by segment. */
  readonly #entered: ReadonlyMap<string, ReadonlySet<string>>
  /** The deepest event that may have caused the entry of a contact. The depth of a shallower one would hide a loop of automations. */
  readonly #deepest: ReadonlyMap<string, HeardEvent>
  readonly #taken = new Set<string>()

  constructor(entered: ReadonlyMap<string, ReadonlySet<string>>, deepest: ReadonlyMap<string, HeardEvent>) {
    this.#entered = entered
    this.#deepest = deepest
  }

  /** Returns the event to begin a run with, the first time that one of these events can begin it; null otherwise. */
  takeStart(plan: RunPlan, event: HeardEvent): HeardEvent | null {
    const segmentId = segmentOf(plan)
    if (segmentId === null || !isCause(event)) return null
    if (this.#entered.get(segmentId)?.has(event.contactId) !== true) return null
    const key = entryKeyOf({ automationId: plan.automationId, contactId: event.contactId })
    if (this.#taken.has(key)) return null
    this.#taken.add(key)
    const { depth, causedBy } = this.#deepest.get(event.contactId) ?? event
    return { ...event, depth, causedBy }
  }
}

function isCause({ type }: HeardEvent): boolean {
  return TRIGGER_EVENTS.segment_entered.includes(type)
}

/** Compares which contacts of a page are in the segments that begin automations with what was known before, and remembers it. */
export async function findSegmentEntries(
  tx: Tx,
  teamId: string,
  plans: readonly RunPlan[],
  events: readonly HeardEvent[],
  now: Date,
): Promise<SegmentEntries> {
  const deepest = new Map<string, HeardEvent>()
  for (const event of events.filter(isCause)) {
    const before = deepest.get(event.contactId)
    if (before === undefined || event.depth > before.depth) deepest.set(event.contactId, event)
  }
  const entered = new Map<string, Set<string>>()
  const segmentIds = new Set(plans.flatMap((plan) => segmentOf(plan) ?? []))
  if (segmentIds.size === 0 || deepest.size === 0) return new SegmentEntries(entered, deepest)
  const contactIds = await withoutLaterCauses(tx, teamId, events, [...deepest.keys()])
  for (const segmentId of [...segmentIds].sort()) {
    const locked = await lockSegment(tx, teamId, segmentId, 'wait', now)
    if (locked === null) continue
    const members = await findMatchingContacts(tx, teamId, contactIds, locked.rules.condition)
    const found = await changeSegmentMembers(tx, teamId, segmentId, contactIds, members)
    entered.set(segmentId, new Set(found))
  }
  return new SegmentEntries(entered, deepest)
}

/**
 * Leaves out contacts whose causes in this page begin no runs, and that have more causes in later pages: those may have brought them
 * in, because contacts are compared as they are now.
 */
async function withoutLaterCauses(
  tx: Tx,
  teamId: string,
  events: readonly HeardEvent[],
  contactIds: readonly string[],
): Promise<string[]> {
  const beginning = new Set(
    events.filter((event) => event.begins && isCause(event)).map((event) => event.contactId),
  )
  const quiet = contactIds.filter((id) => !beginning.has(id))
  const last = Math.max(...events.map(({ position }) => position))
  const later = await findSubjectsOfLater(tx, teamId, last, TRIGGER_EVENTS.segment_entered, quiet)
  return contactIds.filter((id) => !later.has(id))
}
