import { deleteCounter } from '../../db/counters.ts'
import type { Tx } from '../../db/db-types.ts'
import { isInFollowedVersion } from '../../db/references.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { insertTombstone } from '../tombstones/tombstones-queries.ts'
import { listContactCounter } from './list-members-queries.ts'
import {
  deleteList,
  findList,
  findListUse,
  insertList,
  isListInAutomation,
  type List,
  lockList,
  saveListName,
} from './lists-queries.ts'

/** Adds an empty list. Names need not be unique. */
export async function addList(tx: Tx, teamId: string, name: string, now: Date): Promise<List> {
  const list = { teamId, id: newId(now.getTime()), name, createdAt: now, updatedAt: now }
  await insertList(tx, list)
  return { ...list, contactCount: 0 }
}

/**
 * Renames a list. Throws `not_found`.
 * @param name undefined to leave the name unchanged
 */
export async function updateList(
  tx: Tx,
  teamId: string,
  id: string,
  name: string | undefined,
  now: Date,
): Promise<List> {
  if (!(await saveListName(tx, teamId, id, name ?? null, now))) throw new ApiError('not_found')
  return (await findList(tx, teamId, id)) as List
}

/**
 * Deletes a list, which disappears from every response at once. Its memberships are swept up later; its contacts
 * stay. Throws `not_found`, or `conflict` while an active campaign or automation uses the list, or a campaign that may still
 * go out leaves out its contacts.
 */
export async function removeList(tx: Tx, teamId: string, id: string, now: Date): Promise<void> {
  if (!(await lockList(tx, teamId, id))) throw new ApiError('not_found')
  const use = await findListUse(tx, teamId, id)
  if (use === 'excluded') {
    throw new ApiError(
      'conflict',
      'A campaign leaves out the contacts of this list, so it cannot be deleted.',
    )
  }
  if (use === 'active') throw inUse('campaigns')
  if ((await isListInAutomation(tx, teamId, id)) || (await isInFollowedVersion(tx, teamId, id)))
    throw inUse('automations')
  await insertTombstone(tx, teamId, 'list', id, now)
  await deleteList(tx, teamId, id)
  await deleteCounter(tx, teamId, listContactCounter(id))
}

function inUse(users: string): ApiError {
  return new ApiError('conflict', `This list is used by active ${users} and cannot be deleted.`)
}
