import { arrays } from './arrays.ts'
import { readCounter } from './counters.ts'
import type { Queryable } from './db.ts'
import { FILTERED_TOTAL_MAX, queryStretch, type Rows, type Stretch } from './page.ts'
import type { PropertyType } from './properties.ts'

/** A value of a contact's own. */
export interface ContactProperty {
  propertyId: string
  key: string
  type: PropertyType
  value: string | number | Date
}

/** A list as its contacts show it. */
export interface ContactList {
  id: string
  name: string
  createdAt: Date
  updatedAt: Date
}

export interface Contact {
  teamId: string
  id: string
  /** In the form in which addresses are compared (mime/address.ts, suppressionKey): the identity of a contact. */
  email: string
  firstName: string | null
  lastName: string | null
  userId: string | null
  unsubscribed: boolean
  /** By key. */
  properties: ContactProperty[]
  /** Newest first; of a contact in more than LISTS_SHOWN_MAX lists the newest of them. */
  lists: ContactList[]
  createdAt: Date
  updatedAt: Date
}

/** The counter of a team's contacts: those that are not deleted. */
export const CONTACT_COUNTER = 'contacts'

/** Bounds what a page of contacts can weigh; all lists of one contact are read in pages. */
const LISTS_SHOWN_MAX = 1000

/**
 * One condition that contacts must fit. It is literal SQL over the alias `c` of table contact; `$1` is the team's id.
 * Whatever comes from outside goes through `place`, which makes a parameter of it and returns its `$n`. Write a cast
 * behind a place whose type does not follow from what it is compared with.
 */
export interface ContactCondition {
  sql(place: (value: unknown) => string): string
  /** The same in the form that finds few among very many; `sql` then is for contacts that are looked at one by one. */
  gatherSql?(place: (value: unknown) => string): string
  /** Set: an index has the contacts that fit it, and it alone, in the order of their ids. */
  isOrdered?: true
}

interface Row {
  team_id: string
  id: string
  email: string
  first_name: string | null
  last_name: string | null
  user_id: string | null
  unsubscribed: boolean
  created_at: Date
  updated_at: Date
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

/** Whole contacts, their values and lists in the same statement: never one more for each contact. */
const SELECT = `select c.team_id, c.id, c.email, c.first_name, c.last_name, c.user_id, c.unsubscribed, c.created_at,
    c.updated_at,
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
           limit ${LISTS_SHOWN_MAX}) as l) as lists`

function toContact(row: Row): Contact {
  return {
    teamId: row.team_id,
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    userId: row.user_id,
    unsubscribed: row.unsubscribed,
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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function findContact(db: Queryable, teamId: string, id: string): Promise<Contact | null> {
  const rows = await db.query<Row>(
    `${SELECT}
     from contact c
     where c.team_id = $1 and c.id = $2 and c.deleted_at is null`,
    [teamId, id],
  )
  return rows[0] === undefined ? null : toContact(rows[0])
}

/** @param email in the form in which addresses are compared */
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

/** Whole contacts in the order of their ids; those that are gone are left out. */
async function findContacts(db: Queryable, teamId: string, ids: readonly string[]): Promise<Contact[]> {
  if (ids.length === 0) return []
  const rows = await db.query<Row>(
    `${SELECT}
     from unnest($2::uuid[]) with ordinality as wanted (id, position)
     join contact c on c.team_id = $1 and c.id = wanted.id and c.deleted_at is null
     order by wanted.position`,
    [teamId, arrays.uuid(ids)],
  )
  return rows.map(toContact)
}

/** The contacts that fit all conditions, newest first. */
export async function listContacts(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<Rows<Contact>> {
  const { ids, hasMore } =
    conditions.length === 0
      ? await walkAll(db, teamId, stretch)
      : await findFitting(db, teamId, conditions, stretch)
  return { rows: await findContacts(db, teamId, ids), hasMore }
}

/** How many contacts fit all conditions; with any, counting stops at FILTERED_TOTAL_MAX. */
export async function countContacts(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
): Promise<number> {
  if (conditions.length === 0) return readCounter(db, teamId, CONTACT_COUNTER)
  const { where, values } = whereOf(teamId, conditions)
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1
           from contact c
           where ${where}
           limit ${FILTERED_TOTAL_MAX}) as fitting`,
    values,
    { isOneOff: true },
  )
  return rows[0]?.count ?? 0
}

interface Found {
  ids: string[]
  hasMore: boolean
}

const LIVE = 'c.team_id = $1 and c.deleted_at is null'

async function walkAll(db: Queryable, teamId: string, stretch: Stretch): Promise<Found> {
  const select = `select c.id from contact c where ${LIVE}`
  const { rows, hasMore } = await queryStretch<{ id: string }>(db, select, [teamId], stretch, 'c.id')
  return { ids: rows.map((row) => row.id), hasMore }
}

/** The conditions as SQL, and its parameters from `$1` (the team) on. */
function whereOf(
  teamId: string,
  conditions: readonly ContactCondition[],
  form: 'sql' | 'gatherSql' = 'gatherSql',
) {
  const values: unknown[] = [teamId]
  const place = (value: unknown) => `$${values.push(value)}`
  const parts = conditions.map((condition) => `and (${condition[form]?.(place) ?? condition.sql(place)})`)
  return { where: [LIVE, ...parts].join('\n       '), fits: parts.join('\n       '), values, place }
}

/** Contacts that are looked at one by one, nearest first, before anything else: milliseconds. */
const WALK_MAX = 8000
/** Fitting contacts that are gathered and sorted: a tenth of a second at most, where walking a million takes longer. */
const GATHER_MAX = 100_000

async function findFitting(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<Found> {
  const ids = await findIds(db, teamId, conditions, stretch)
  const hasMore = ids.length > stretch.size
  if (hasMore) ids.pop()
  return { ids: stretch.before === null ? ids : ids.reverse(), hasMore }
}

/**
 * The ids of a stretch of the contacts that fit, and of one more, in three steps, each for what the one before cannot
 * do within milliseconds:
 * 1. Walk along the ids and test each contact, WALK_MAX at most. Finds what many contacts fit.
 * 2. Gather all that fit, in any order, and sort them. Finds what few contacts fit, through the indexes of the
 *    conditions. Left to itself, PostgreSQL would walk for these too, past a million contacts that do not fit.
 * 3. More than GATHER_MAX fit, but none near: read in order, by whatever plan.
 */
async function findIds(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<string[]> {
  const [first] = conditions
  if (conditions.length === 1 && first?.isOrdered === true) {
    return readInOrder(db, teamId, conditions, stretch)
  }
  const near = stretch.offset + stretch.size < WALK_MAX ? await walkNear(db, teamId, conditions, stretch) : []
  return near.length > stretch.size ? near : gather(db, teamId, conditions, stretch)
}

/** What a stretch says in SQL: how it is bounded and ordered, towards newer contacts or older ones. */
function sqlOf({ size, offset, after, before }: Stretch, place: (value: unknown) => string) {
  const bound = before ?? after
  const [sign, order] = before === null ? ['<', 'desc'] : ['>', 'asc']
  return {
    bound: bound === null ? '' : `and c.id ${sign} ${place(bound)}`,
    order,
    limit: `limit ${place(size + 1)} offset ${place(offset)}`,
  }
}

async function walkNear(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<string[]> {
  const { fits, values, place } = whereOf(teamId, conditions, 'sql')
  const { bound, order, limit } = sqlOf(stretch, place)
  const rows = await db.query<{ id: string }>(
    `select c.id
     from (select *
           from contact c
           where ${LIVE}
             ${bound}
           order by c.id ${order}
           limit ${WALK_MAX}) as c
     where true
       ${fits}
     order by c.id ${order}
     ${limit}`,
    values,
    { isOneOff: true },
  )
  return rows.map((row) => row.id)
}

async function gather(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<string[]> {
  const { where, values, place } = whereOf(teamId, conditions)
  const { bound, order, limit } = sqlOf(stretch, place)
  const rows = await db.query<{ count: number; ids: string[] }>(
    `with fitting as materialized (
       select c.id
       from contact c
       where ${where}
         ${bound}
       limit ${GATHER_MAX + 1}
     )
     select (select count(*)::int4 from fitting) as count,
       array(select c.id from fitting c order by c.id ${order} ${limit}) as ids`,
    values,
    { isOneOff: true },
  )
  const { count, ids } = rows[0] as { count: number; ids: string[] }
  return count <= GATHER_MAX ? ids : readInOrder(db, teamId, conditions, stretch)
}

async function readInOrder(
  db: Queryable,
  teamId: string,
  conditions: readonly ContactCondition[],
  stretch: Stretch,
): Promise<string[]> {
  const { where, values, place } = whereOf(teamId, conditions)
  const { bound, order, limit } = sqlOf(stretch, place)
  const rows = await db.query<{ id: string }>(
    `select c.id
     from contact c
     where ${where}
       ${bound}
     order by c.id ${order}
     ${limit}`,
    values,
    { isOneOff: true },
  )
  return rows.map((row) => row.id)
}
