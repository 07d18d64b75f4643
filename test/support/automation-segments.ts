import type { ContactCause } from '../../src/audience/contacts/contact-events.ts'
import { updateContact } from '../../src/audience/contacts/contacts.ts'
import { addList } from '../../src/audience/lists/lists.ts'
import { changeSegment, createSegment, type SegmentInput } from '../../src/audience/segments/segments.ts'
import { arrays } from '../../src/db/arrays.ts'
import type { Db } from '../../src/db/db-types.ts'
import { newId } from '../../src/lib/ids.ts'
import { givenSendingEngine } from './automation-engine.ts'
import { chainOf } from './automations.ts'

export type Condition = SegmentInput['groups'][number]['conditions'][number]

export const groupsOf = (...conditions: Condition[]) => [{ conditions }]
export const isVip: Condition = { field: 'first_name', operator: 'equals', value: 'Vip' }

/**
 * An engine with a segment, by default of contacts called Vip, and with a list. Contacts have the property `since`, when they were
 * created.
 */
export async function givenSegment(
  db: Db,
  conditionsOf: (since: Partial<Condition>, listId: string) => Condition[] = () => [isVip],
) {
  const engine = await givenSendingEngine(db)
  const { teamId } = engine
  const propertyId = newId()
  await db.query(
    `insert into property (team_id, id, key, type, created_at, updated_at) values ($1, $2, 'since', 'date', $3, $3)`,
    [teamId, propertyId, engine.at()],
  )
  const list = await db.transaction((tx) => addList(tx, teamId, 'L', engine.at()))
  const groups = groupsOf(...conditionsOf({ field: 'property', property_id: propertyId }, list.id))
  const segment = await db.transaction((tx) =>
    createSegment(tx, teamId, { name: 'S', matchType: 'all', groups }, engine.at()),
  )
  return {
    ...engine,
    async contacts(count: number): Promise<string[]> {
      const ids = await engine.contacts(count)
      await db.query(
        `insert into contact_value (team_id, contact_id, property_id, date_value)
         select $1, id, $2, $3 from unnest($4::uuid[]) as k (id)`,
        [teamId, propertyId, engine.at(), arrays.uuid(ids)],
      )
      // As on a server, where the statements are planned for what is there.
      if (count > 100) await db.query('analyze contact, contact_value')
      return ids
    },
    /** Activates an automation that begins with the segment. */
    begin: () =>
      engine.activate(
        chainOf(['start', 'trigger', { type: 'segment_entered', segment_id: segment.id }], ['end', 'exit']),
      ),
    rename: (id: string, firstName: string | null, cause: ContactCause = {}) =>
      updateContact(db, teamId, id, { firstName }, engine.at(), cause),
    segmentId: segment.id,
    listId: list.id,
    /** Returns what is remembered of the segment. */
    members: () =>
      db.query<{ contactId: string }>(
        'select contact_id from automation_member where team_id = $1 and segment_id = $2',
        [teamId, segment.id],
      ),
    edit: (changes: Partial<SegmentInput>) =>
      db.transaction((tx) => changeSegment(tx, teamId, segment.id, changes, engine.at())),
  }
}

/** The cause of a change by an import that begins no runs. */
export const QUIET: ContactCause = { import: { id: newId(), runs_automations: false } }
