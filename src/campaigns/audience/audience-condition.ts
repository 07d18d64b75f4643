import { inAnyList } from '../../audience/contacts/contact-filters-queries.ts'
import type { ContactCondition } from '../../audience/segments/contact-condition.ts'
import { contactsIn } from '../../audience/segments/segments.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { FrozenAudience, FrozenItem } from './audience.ts'

type Form = 'sql' | 'gatherSql'
type Place = (value: unknown) => string

/** Returns an audience as of a moment as a condition on contacts. Whether a contact is unsubscribed is not part of it. */
export async function audienceCondition(
  db: Queryable,
  teamId: string,
  { include, exclude }: FrozenAudience,
  now: Date,
): Promise<ContactCondition> {
  const [included, excluded] = await Promise.all([
    anyOf(db, teamId, include, now),
    anyOf(db, teamId, exclude, now),
  ])
  const render = (form: Form) => (place: Place) => {
    if (included.length === 0) return 'false'
    const within = join(included, form, place)
    // The test of a missing value is null, and leaves nobody out.
    return excluded.length === 0 ? within : `${within} and ${join(excluded, form, place)} is not true`
  }
  return { sql: render('sql'), gatherSql: render('gatherSql') }
}

function join(conditions: readonly ContactCondition[], form: Form, place: Place): string {
  const parts = conditions.map((condition) => `(${condition[form]?.(place) ?? condition.sql(place)})`)
  return `(${parts.join(' or ')})`
}

/** All lists become one condition, so that a contact of the team costs one look for them. */
async function anyOf(
  db: Queryable,
  teamId: string,
  items: readonly FrozenItem[],
  now: Date,
): Promise<ContactCondition[]> {
  const listIds = items.flatMap((item) => ('listId' in item ? [item.listId] : []))
  const segments = items.flatMap((item) => ('segment' in item ? [item.segment] : []))
  const conditions = await Promise.all(segments.map((segment) => contactsIn(db, { teamId, ...segment }, now)))
  return listIds.length === 0 ? conditions : [inAnyList(listIds), ...conditions]
}
