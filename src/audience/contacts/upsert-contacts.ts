import { bumpCounters } from '../../db/counters.ts'
import type { Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import {
  deleteMembers,
  findMemberships,
  insertMembers,
  type ListMembership,
  memberBumps,
} from '../lists/list-members-queries.ts'
import type { TypedValue } from '../properties/property-values.ts'
import { findFieldChanges } from './contact-changes-queries.ts'
import { type ContactCause, emitContactEvents } from './contact-events.ts'
import type { ContactFacts } from './contact-facts-queries.ts'
import {
  CONTACT_TEXT_BYTES_MAX,
  type ContactValue,
  isAnyContactHeavy,
  saveContactValues,
} from './contact-values-queries.ts'
import { CONTACT_COUNTER } from './contacts-queries.ts'
import {
  type ContactFields,
  insertContacts,
  lockContactsByEmail,
  updateContacts,
} from './write-contacts-queries.ts'

/** The changes to one contact except its address. Undefined fields stay unchanged. */
export interface ContactChange extends ContactFields {
  /** Lists that the caller has locked (audience/lists/lists-queries.ts, holdLists). */
  lists?: { ids: readonly string[]; mode: 'replace' | 'add' } | undefined
  /**
   * Values of properties that the caller has locked (audience/properties/properties-queries.ts). Null removes a
   * value.
   */
  values?: readonly { propertyId: string; value: TypedValue | null }[] | undefined
}

export interface ContactInput extends ContactChange {
  /** In normalized form (mime/address.ts, suppressionKey). */
  email: string
}

export interface Upserted {
  id: string
  isNew: boolean
}

/** The limit on attempts with an address that others keep deleting and creating. */
const ROUNDS_MAX = 5

/**
 * Creates contacts with new addresses and updates the others, in a few statements for any number of inputs. Each
 * address ends up as one contact, however many transactions write it at once. An address given twice counts as two
 * consecutive requests.
 * @returns the outcome of each input, in order
 */
export async function upsertContacts(
  tx: Tx,
  teamId: string,
  inputs: readonly ContactInput[],
  now: Date,
  cause: ContactCause = {},
): Promise<Upserted[]> {
  const merged = mergeByEmail(inputs)
  const created = new Map<string, string>()
  const existing = new Map<string, string>()
  const subscribed = new Set<string>()
  let pending = merged
  for (let round = 0; pending.length > 0; round++) {
    if (round === ROUNDS_MAX) throw new ApiError('conflict', 'The contact was changed at the same moment.')
    const fresh = pending.map((input) => ({ ...input, id: newId(now.getTime()) }))
    for (const [email, id] of await insertContacts(tx, teamId, fresh, now)) created.set(email, id)
    const rest = pending.filter(({ email }) => !created.has(email))
    const contacts = await lockContactsByEmail(
      tx,
      teamId,
      rest.map(({ email }) => email),
    )
    for (const [email, { id, unsubscribed }] of contacts) {
      existing.set(email, id)
      if (!unsubscribed) subscribed.add(id)
    }
    // A contact that is neither new nor found was deleted between the two statements.
    pending = rest.filter(({ email }) => !contacts.has(email))
  }
  const changes = (ids: ReadonlyMap<string, string>) =>
    merged.flatMap((input) => {
      const id = ids.get(input.email)
      return id === undefined ? [] : [{ ...input, id }]
    })
  // Sent together: the first statement reads what the second one replaces.
  const [fields] = await together([
    findFieldChanges(tx, teamId, changes(existing)),
    updateContacts(tx, teamId, changes(existing), now),
  ])
  const relations = { created: changes(created), changed: changes(existing) }
  const moved = await writeRelations(tx, teamId, relations, now)
  const contacts = {
    created: relations.created.map((input) => factsOf(input, now)),
    changed: [...existing.values()],
  }
  await emitContactEvents(tx, teamId, { ...contacts, ...moved, subscribed, fields }, now, cause)
  return toUpserted(inputs, created, existing)
}

/** Returns the facts of a contact as `insertContacts` has stored them, with its defaults. */
function factsOf({ id, email, ...fields }: ContactInput & { id: string }, now: Date): ContactFacts {
  const { firstName = null, lastName = null, unsubscribed = false } = fields
  return { id, email, firstName, lastName, unsubscribed, createdAt: now, updatedAt: now }
}

function toUpserted(
  inputs: readonly ContactInput[],
  created: ReadonlyMap<string, string>,
  existing: ReadonlyMap<string, string>,
): Upserted[] {
  const seen = new Set<string>()
  return inputs.map(({ email }) => {
    const isNew = created.has(email) && !seen.has(email)
    seen.add(email)
    return { id: (created.get(email) ?? existing.get(email)) as string, isNew }
  })
}

/** Merges inputs by address and sorts them, because every transaction must lock addresses in the same order. */
function mergeByEmail(inputs: readonly ContactInput[]): ContactInput[] {
  const byEmail = new Map<string, ContactInput>()
  for (const input of inputs) {
    const before = byEmail.get(input.email)
    byEmail.set(input.email, before === undefined ? input : mergeInputs(before, input))
  }
  return [...byEmail.keys()].sort().map((email) => byEmail.get(email) as ContactInput)
}

function mergeInputs(before: ContactInput, after: ContactInput): ContactInput {
  const changes = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined))
  const values = new Map(
    [...(before.values ?? []), ...(after.values ?? [])].map((each) => [each.propertyId, each]),
  )
  const lists =
    after.lists?.mode === 'add' && before.lists !== undefined
      ? { ids: [...before.lists.ids, ...after.lists.ids], mode: before.lists.mode }
      : (after.lists ?? before.lists)
  return { ...before, ...changes, email: after.email, values: [...values.values()], lists }
}

type Change = ContactChange & { id: string }

/**
 * Writes the values, memberships and counters of created or changed contacts, whose rows are locked. Returns the memberships that
 * are new and gone. Throws `validation_error` if the text values of a contact are too large.
 */
export async function writeRelations(
  tx: Tx,
  teamId: string,
  { created, changed }: { created: readonly Change[]; changed: readonly Change[] },
  now: Date,
): Promise<{ joined: ListMembership[]; left: ListMembership[] }> {
  const all = [...created, ...changed]
  const values = valuesOf(all)
  // Sent together: the second statement reads what the first one has written.
  await together([saveContactValues(tx, teamId, values), refuseTooLarge(tx, teamId, values)])
  const left = await leaveLists(tx, teamId, changed)
  const joined = await insertMembers(tx, teamId, membershipsOf(all), now)
  const bumps = memberBumps(teamId, joined, left)
  if (created.length > 0) bumps.push({ teamId, name: CONTACT_COUNTER, by: created.length })
  // The name comes before 'automation figures', which other steps of automations lock after these counters.
  tx.writeLast('account counters', bumps, bumpCounters)
  return { joined, left }
}

async function refuseTooLarge(tx: Tx, teamId: string, values: readonly ContactValue[]): Promise<void> {
  const ids = new Set(values.flatMap(({ contactId, value }) => (typeof value === 'string' ? contactId : [])))
  if (ids.size === 0 || !(await isAnyContactHeavy(tx, teamId, [...ids]))) return
  const message = `The properties of a contact must not be greater than ${CONTACT_TEXT_BYTES_MAX} bytes together.`
  throw invalidField('properties', message)
}

function valuesOf(changes: readonly Change[]): ContactValue[] {
  return changes.flatMap(({ id, values = [] }) => values.map((value) => ({ contactId: id, ...value })))
}

function membershipsOf(changes: readonly Change[]): ListMembership[] {
  return changes.flatMap(({ id, lists }) =>
    [...new Set(lists?.ids ?? [])].map((listId) => ({ listId, contactId: id })),
  )
}

/** Removes contacts whose lists are replaced from lists that are no longer named. */
async function leaveLists(tx: Tx, teamId: string, changed: readonly Change[]): Promise<ListMembership[]> {
  const kept = new Map(
    changed.flatMap(({ id, lists }) =>
      lists?.mode === 'replace' ? [[id, new Set(lists.ids)] as const] : [],
    ),
  )
  const members = await findMemberships(tx, teamId, [...kept.keys()])
  const memberships = members.filter(({ contactId, listId }) => !kept.get(contactId)?.has(listId))
  return deleteMembers(tx, teamId, memberships)
}
