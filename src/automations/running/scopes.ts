import { contactsIn } from '../../audience/segments/segments.ts'
import { findSegment } from '../../audience/segments/segments-queries.ts'
import type { Queryable } from '../../db/db-types.ts'
import { formatTime } from '../../lib/time/format-time.ts'

import type { Rule } from '../graph/graph-types.ts'
import { evaluateRule, segmentIdsOf } from '../graph/rules.ts'
import type { RunScope } from '../graph/run-scope.ts'
import { findMatchingContacts, type RunContact, readRunContacts } from '../rows/contact-scopes-queries.ts'

/** What rules and templates of a team's runs see at a moment, read once for many contacts, and again for one that a step changed. */
export class Scopes {
  readonly #db: Queryable
  readonly #teamId: string
  readonly #contactIds: readonly string[]
  readonly #now: Date
  #contacts: Map<string, RunContact> | null = null
  readonly #members = new Map<string, Set<string>>()
  readonly #deleted = new Set<string>()

  constructor(db: Queryable, teamId: string, contactIds: readonly string[], now: Date) {
    this.#db = db
    this.#teamId = teamId
    this.#now = now
    this.#contactIds = [...new Set(contactIds)]
  }

  /** Returns null for a contact that was deleted. */
  async contactOf(id: string): Promise<RunContact | null> {
    this.#contacts ??= await readRunContacts(this.#db, this.#teamId, this.#contactIds)
    return this.#contacts.get(id) ?? null
  }

  /** Reads a contact again, and which segments it is in. */
  async refresh(id: string): Promise<void> {
    const fresh = await readRunContacts(this.#db, this.#teamId, [id])
    const contact = fresh.get(id)
    if (contact === undefined) this.#contacts?.delete(id)
    else this.#contacts?.set(id, contact)
    for (const segmentId of this.#members.keys()) await this.#readMembers(segmentId, [id])
  }

  async isIn(segmentId: string, contactId: string): Promise<boolean> {
    if (!this.#members.has(segmentId)) await this.#readMembers(segmentId, this.#contactIds)
    return this.#members.get(segmentId)?.has(contactId) === true
  }

  async holds(rule: Rule, contact: RunContact, payload: Record<string, unknown>): Promise<boolean> {
    const segments = new Set<string>()
    for (const id of segmentIdsOf(rule)) if (await this.isIn(id, contact.id)) segments.add(id)
    return evaluateRule(rule, runScopeOf(contact, payload, segments))
  }

  /** Returns whether a rule that was compared names a segment that was deleted. */
  namesDeleted(rule: Rule): boolean {
    return segmentIdsOf(rule).some((id) => this.#deleted.has(id))
  }

  /** A segment that was deleted has no members. */
  async #readMembers(segmentId: string, ids: readonly string[]): Promise<void> {
    const members = this.#members.get(segmentId) ?? new Set()
    this.#members.set(segmentId, members)
    const segment = await findSegment(this.#db, this.#teamId, segmentId)
    if (segment === null) this.#deleted.add(segmentId)
    const found =
      segment === null
        ? new Set<string>()
        : await findMatchingContacts(
            this.#db,
            this.#teamId,
            ids,
            await contactsIn(this.#db, segment, this.#now),
          )
    for (const id of ids) {
      if (found.has(id)) members.add(id)
      else members.delete(id)
    }
  }
}

const NO_SEGMENTS: ReadonlySet<string> = new Set()

export function runScopeOf(
  contact: RunContact,
  payload: Record<string, unknown>,
  segments: ReadonlySet<string> = NO_SEGMENTS,
): RunScope {
  return {
    event: payload,
    contact: {
      email: contact.email,
      first_name: contact.firstName,
      last_name: contact.lastName,
      user_id: contact.userId,
      time_zone: contact.timeZone,
      unsubscribed: contact.unsubscribed,
      created_at: formatTime(contact.createdAt),
      properties: contact.properties,
    },
    segments,
  }
}
