import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { PropertyType } from '../properties/properties-queries.ts'

/** A value that is set for the contact. */
export interface ContactProperty {
  propertyId: string
  key: string
  type: PropertyType
  value: string | number | Date
}

/** A list of a contact. */
export interface ContactList {
  id: string
  name: string
  createdAt: Date
  updatedAt: Date
}

export interface Contact {
  teamId: string
  id: string
  /** The normalized address (mime/address.ts, suppressionKey), which identifies the contact. */
  email: string
  firstName: string | null
  lastName: string | null
  userId: string | null
  /** The name of an IANA time zone. */
  timeZone: string | null
  unsubscribed: boolean
  /** Ordered by key. */
  properties: ContactProperty[]
  /** Newest first, at most LISTS_SHOWN_MAX, or LISTS_SHOWN_IN_PAGE_MAX in a page of contacts. */
  lists: ContactList[]
  createdAt: Date
  updatedAt: Date
}

/** The counter of a team's contacts without deleted ones. */
export const CONTACT_COUNTER = 'contacts'

/** Complete lists of a contact are read in pages. */
const LISTS_SHOWN_MAX = 1000
/**
 * Bounds the size of a page of contacts, as CONTACT_TEXT_BYTES_MAX (audience/contacts/contact-values-queries.ts)
 * does.
 */
const LISTS_SHOWN_IN_PAGE_MAX = 100

interface Row extends Omit<Contact, 'properties' | 'lists'> {
  properties: {
    id: string
    key: string
    type: PropertyType
    text: string | null
    number: number | null
    date: string | null
  }[]
  lists: { id: string; name: string; created_at: string; updated_at: string }[]
}

/** Selects whole contacts with their values and lists in one statement, without further queries per contact. */
const selectShowing = (
  listsMax: number,
) => `select c.team_id, c.id, c.email, c.first_name, c.last_name, c.user_id, c.time_zone, c.unsubscribed,
    c.created_at, c.updated_at,
    (select coalesce(json_agg(json_build_object('id', p.id, 'key', p.key, 'type', p.type, 'text', v.text_value,
         'number', v.number_value, 'date', v.date_value) order by lower(p.key)), '[]')
     from contact_value v
     join property p on p.team_id = v.team_id and p.id = v.property_id
     where v.team_id = c.team_id and v.contact_id = c.id) as properties,
    (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'created_at', l.created_at,
         'updated_at', l.updated_at) order by l.id desc), '[]')
     from (select l.*
           from list_member m
           join list l on l.team_id = m.team_id and l.id = m.list_id
           where m.team_id = c.team_id and m.contact_id = c.id
           order by m.list_id desc
           limit ${listsMax}) as l) as lists`
const SELECT_ONE = selectShowing(LISTS_SHOWN_MAX)
const SELECT_MANY = selectShowing(LISTS_SHOWN_IN_PAGE_MAX)

function toContact(row: Row): Contact {
  return {
    ...row,
    properties: row.properties.map(({ id, key, type, text, number, date }) => ({
      propertyId: id,
      key,
      type,
      value: date === null ? (number ?? text ?? '') : new Date(date),
    })),
    lists: row.lists.map((list) => ({
      id: list.id,
      name: list.name,
      createdAt: new Date(list.created_at),
      updatedAt: new Date(list.updated_at),
    })),
  }
}

export async function findContact(db: Queryable, teamId: string, id: string): Promise<Contact | null> {
  const rows = await db.query<Row>(
    `${SELECT_ONE}
     from contact c
     where c.team_id = $1 and c.id = $2 and c.deleted_at is null`,
    [teamId, id],
  )
  return rows[0] === undefined ? null : toContact(rows[0])
}

/** @param email in normalized form (suppressionKey) */
export async function findContactIdByEmail(
  db: Queryable,
  teamId: string,
  email: string,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(
    'select id from contact where team_id = $1 and email = $2 and deleted_at is null',
    [teamId, email],
  )
  return rows[0]?.id ?? null
}

/** Returns whole contacts in the order of `ids`, without those that no longer exist. */
export async function findContacts(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Contact[]> {
  if (ids.length === 0) return []
  const rows = await db.query<Row>(
    `${SELECT_MANY}
     from unnest($2::uuid[]) with ordinality as wanted (id, position)
     join contact c on c.team_id = $1 and c.id = wanted.id and c.deleted_at is null
     order by wanted.position`,
    [teamId, arrays.uuid(ids)],
  )
  return rows.map(toContact)
}
