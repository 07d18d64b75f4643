import { arrays } from '../../db/arrays.ts'
import { escapeLike } from '../../db/like.ts'
import type { ContactCondition } from '../segments/contact-condition.ts'

/** No name contains more white space. The rest of a search text counts as part of the last name. */
const SPLITS_MAX = 5

/** @param email in normalized form (suppressionKey) */
export function withEmail(email: string): ContactCondition {
  return { sql: (place) => `c.email = ${place(email)}`, isOrdered: true }
}

export function withSubscription(unsubscribed: boolean): ContactCondition {
  return { sql: () => `c.unsubscribed = ${unsubscribed}`, isOrdered: true }
}

/** Selects the members of a list that is not deleted. Members of a deleted list are swept up later. */
export function inList(listId: string): ContactCondition {
  return { ...memberWhere((place) => `m.list_id = ${place(listId)}::uuid`), isOrdered: true }
}

/** Selects the members of any of several lists that are not deleted. */
export function inAnyList(listIds: readonly string[]): ContactCondition {
  const isOfList = (place: (value: unknown) => string) =>
    `m.list_id = any (${place(arrays.uuid(listIds))}::uuid[])`
  return {
    ...memberWhere(isOfList),
    // Half a million members are hashed in a second. As a test of each contact, the same takes twenty.
    gatherSql: (place) =>
      `c.id in (select m.contact_id from list_member m where m.team_id = $1 and ${isOfList(place)})`,
  }
}

function memberWhere(isOfList: (place: (value: unknown) => string) => string): ContactCondition {
  const exists = (place: (value: unknown) => string, end: string) => `exists (
         select 1
         from list_member m
         where m.team_id = $1 and ${isOfList(place)} and m.contact_id = c.id
         ${end}
       )`
  return {
    // The offset keeps PostgreSQL from collecting all members first when only a few thousand contacts are tested.
    sql: (place) => exists(place, 'offset 0'),
    gatherSql: (place) => exists(place, ''),
  }
}

/**
 * Selects contacts whose address, first name, last name or full name (`first last`) begins with a text, in any case.
 */
export function beginningWith(text: string): ContactCondition {
  const term = text.trim()
  return {
    sql: (place) => {
      const name = place(`${escapeLike(term)}%`)
      return [
        `c.email like ${place(`${escapeLike(term.normalize('NFC').toLowerCase())}%`)}`,
        `c.first_name is not null and lower(c.first_name) collate "C" like lower(${name})`,
        `c.last_name is not null and lower(c.last_name) collate "C" like lower(${name})`,
        ...splitsOf(term).map(
          ([first, last]) =>
            `c.first_name is not null and lower(c.first_name) collate "C" = lower(${place(first)})
           and lower(c.last_name) collate "C" like lower(${place(`${escapeLike(last)}%`)})`,
        ),
      ]
        .map((part) => `(${part})`)
        .join('\n         or ')
    },
  }
}

/** Returns every split of a text into a whole first name and the beginning of a last name. */
function splitsOf(text: string): [first: string, last: string][] {
  return [...text.matchAll(/\s+/g)]
    .slice(0, SPLITS_MAX)
    .map(({ index, 0: space }) => [text.slice(0, index), text.slice(index + space.length)])
}
