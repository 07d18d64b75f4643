import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { CounterBump } from '../../db/counters.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

export interface ListMembership {
  listId: string
  contactId: string
}

/** Returns the counter of a list's contacts. */
export function listContactCounter(listId: string): string {
  return `list_contacts:${listId}`
}

const MEMBERS = batchOf('list_id uuid, contact_id uuid')

/** Adds locked contacts to locked lists. Returns the new memberships. */
export async function insertMembers(
  tx: Tx,
  teamId: string,
  members: readonly ListMembership[],
  now: Date,
): Promise<ListMembership[]> {
  if (members.length === 0) return []
  return tx.query<ListMembership>(
    `insert into list_member (team_id, list_id, contact_id, created_at)
     select $1, list_id, contact_id, $2
     from unnest(${MEMBERS.arraysFrom(3)}) as row (${MEMBERS.names})
     on conflict (team_id, list_id, contact_id) do nothing
     returning list_id, contact_id`,
    [teamId, now, ...MEMBERS.values(members)],
  )
}

/** Returns the memberships that existed. */
export async function deleteMembers(
  tx: Tx,
  teamId: string,
  members: readonly ListMembership[],
): Promise<ListMembership[]> {
  if (members.length === 0) return []
  return tx.query<ListMembership>(
    `delete from list_member m
     using unnest(${MEMBERS.arraysFrom(2)}) as row (${MEMBERS.names})
     where m.team_id = $1 and m.list_id = row.list_id and m.contact_id = row.contact_id
     returning m.list_id, m.contact_id`,
    [teamId, ...MEMBERS.values(members)],
    { isOneOff: true },
  )
}

/** Removes a locked contact from all lists. */
export async function deleteMembersOf(tx: Tx, teamId: string, contactId: string): Promise<ListMembership[]> {
  return tx.query<ListMembership>(
    `delete from list_member
     where team_id = $1 and contact_id = $2
     returning list_id, contact_id`,
    [teamId, contactId],
  )
}

/** Returns the memberships of contacts in lists that are not deleted. */
export async function findMemberships(
  db: Queryable,
  teamId: string,
  contactIds: readonly string[],
): Promise<ListMembership[]> {
  if (contactIds.length === 0) return []
  return db.query<ListMembership>(
    `select m.list_id, m.contact_id
     from unnest($2::uuid[]) as wanted (contact_id)
     join list_member m on m.team_id = $1 and m.contact_id = wanted.contact_id
     join list l on l.team_id = m.team_id and l.id = m.list_id`,
    [teamId, arrays.uuid(contactIds)],
    { isOneOff: true },
  )
}

/** Returns the counter changes for added and removed memberships. */
export function memberBumps(
  teamId: string,
  joined: readonly ListMembership[],
  left: readonly ListMembership[],
): CounterBump[] {
  const bump = (by: number) => (member: ListMembership) => ({
    teamId,
    name: listContactCounter(member.listId),
    by,
  })
  return [...joined.map(bump(1)), ...left.map(bump(-1))]
}

/** Deletes up to `countMax` members of a deleted list. Returns the number of deleted members. */
export async function sweepListMembers(
  tx: Tx,
  teamId: string,
  listId: string,
  countMax: number,
): Promise<number> {
  const rows = await tx.query(
    `with gone as materialized (
       select contact_id
       from list_member
       where team_id = $1 and list_id = $2
       limit $3
     )
     delete from list_member m
     using gone
     where m.team_id = $1 and m.list_id = $2 and m.contact_id = gone.contact_id
     returning 1`,
    [teamId, listId, countMax],
    { isOneOff: true },
  )
  return rows.length
}
