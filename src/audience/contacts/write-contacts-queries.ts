import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Tx } from '../../db/db-types.ts'

/** The fields of a contact to write. Undefined fields stay unchanged, or empty in a new contact. */
export interface ContactFields {
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  userId?: string | null | undefined
  /** As `readTimeZone` returns it. */
  timeZone?: string | null | undefined
  unsubscribed?: boolean | undefined
}

/**
 * Statements over many rows are planned for the current table: a plan made for an empty table would scan a full one.
 */
const REPLAN = { isOneOff: true } as const

type NewContact = ContactFields & { id: string; email: string }

const CONTACTS = batchOf(
  'id uuid, email text, first_name text, last_name text, user_id text, time_zone text, unsubscribed bool',
  {
    first_name: (contact: NewContact) => contact.firstName ?? null,
    last_name: (contact: NewContact) => contact.lastName ?? null,
    user_id: (contact: NewContact) => contact.userId ?? null,
    time_zone: (contact: NewContact) => contact.timeZone ?? null,
    unsubscribed: (contact: NewContact) => contact.unsubscribed ?? false,
  },
)

/**
 * Inserts the contacts whose address is new to the team. Waits for other transactions that write the same addresses,
 * so contacts must be sorted by address to prevent deadlocks.
 * @returns the ids of the inserted contacts, by address
 */
export async function insertContacts(
  tx: Tx,
  teamId: string,
  contacts: readonly NewContact[],
  now: Date,
): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; email: string }>(
    `insert into contact (team_id, ${CONTACTS.names}, created_at, updated_at)
     select $1, row.*, $2, $2
     from unnest(${CONTACTS.arraysFrom(3)}) as row (${CONTACTS.names})
     on conflict (team_id, email) where deleted_at is null do nothing
     returning id, email`,
    [teamId, now, ...CONTACTS.values(contacts)],
  )
  return new Map(rows.map((row) => [row.email, row.id]))
}

/**
 * Locks contacts by address and returns whether each is unsubscribed. Addresses must be sorted to prevent deadlocks.
 */
export async function lockContactsByEmail(
  tx: Tx,
  teamId: string,
  emails: readonly string[],
): Promise<Map<string, { id: string; unsubscribed: boolean }>> {
  if (emails.length === 0) return new Map()
  const rows = await tx.query<{ id: string; email: string; unsubscribed: boolean }>(
    `select c.id, c.email, c.unsubscribed
     from unnest($2::text[]) with ordinality as wanted (email, position)
     join contact c on c.team_id = $1 and c.email = wanted.email and c.deleted_at is null
     order by wanted.position
     for update of c`,
    [teamId, arrays.text(emails)],
    REPLAN,
  )
  return new Map(rows.map((row) => [row.email, row]))
}

/** Locks a contact. Returns whether it is unsubscribed, or null if it does not exist. */
export async function lockContact(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<{ unsubscribed: boolean } | null> {
  const rows = await tx.query<{ unsubscribed: boolean }>(
    'select unsubscribed from contact where team_id = $1 and id = $2 and deleted_at is null for update',
    [teamId, id],
  )
  return rows[0] ?? null
}

type ChangedContact = ContactFields & { id: string }

const CHANGES = batchOf(
  `id uuid, first_name text, has_first_name bool, last_name text, has_last_name bool, user_id text, has_user_id bool,
   time_zone text, has_time_zone bool, unsubscribed bool`,
  {
    first_name: (contact: ChangedContact) => contact.firstName ?? null,
    has_first_name: (contact: ChangedContact) => contact.firstName !== undefined,
    last_name: (contact: ChangedContact) => contact.lastName ?? null,
    has_last_name: (contact: ChangedContact) => contact.lastName !== undefined,
    user_id: (contact: ChangedContact) => contact.userId ?? null,
    has_user_id: (contact: ChangedContact) => contact.userId !== undefined,
    time_zone: (contact: ChangedContact) => contact.timeZone ?? null,
    has_time_zone: (contact: ChangedContact) => contact.timeZone !== undefined,
    unsubscribed: (contact: ChangedContact) => contact.unsubscribed ?? null,
  },
)

/** Writes the given fields of locked contacts. */
export async function updateContacts(
  tx: Tx,
  teamId: string,
  contacts: readonly ChangedContact[],
  now: Date,
): Promise<void> {
  if (contacts.length === 0) return
  await tx.query(
    `update contact c
     set first_name = case when row.has_first_name then row.first_name else c.first_name end,
       last_name = case when row.has_last_name then row.last_name else c.last_name end,
       user_id = case when row.has_user_id then row.user_id else c.user_id end,
       time_zone = case when row.has_time_zone then row.time_zone else c.time_zone end,
       unsubscribed = coalesce(row.unsubscribed, c.unsubscribed),
       updated_at = $2
     from unnest(${CHANGES.arraysFrom(3)}) as row (${CHANGES.names})
     where c.team_id = $1 and c.id = row.id`,
    [teamId, now, ...CHANGES.values(contacts)],
    REPLAN,
  )
}

/**
 * Unsubscribes the contact with this address. Returns its id, or null if there is none or it was already
 * unsubscribed.
 */
export async function unsubscribeContact(
  tx: Tx,
  teamId: string,
  email: string,
  now: Date,
): Promise<string | null> {
  const rows = await tx.query<{ id: string }>(
    `update contact
     set unsubscribed = true, updated_at = $3
     where team_id = $1 and email = $2 and deleted_at is null and not unsubscribed
     returning id`,
    [teamId, email, now],
  )
  return rows[0]?.id ?? null
}

/** Changes the address of a locked contact. May violate `contact_email_unique`. */
export async function changeContactEmail(tx: Tx, teamId: string, id: string, email: string): Promise<void> {
  await tx.query('update contact set email = $3 where team_id = $1 and id = $2', [teamId, id, email])
}

/** Marks a contact as deleted, which hides its row from every response. Returns false if it does not exist. */
export async function markContactDeleted(tx: Tx, teamId: string, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `update contact
     set deleted_at = $3, updated_at = $3
     where team_id = $1 and id = $2 and deleted_at is null
     returning id`,
    [teamId, id, now],
  )
  return rows.length > 0
}
