import { deleteCounter } from '../../db/counters.ts'
import type { Tx } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { leaveBehind } from '../contacts/tombstones-queries.ts'
import { listContactCounter } from './list-members-queries.ts'
import {
  deleteList,
  findList,
  insertList,
  isListInAutomation,
  isListInCampaign,
  type List,
  lockList,
  saveListName,
} from './lists-queries.ts'

/** Adds an empty list. Names need not differ. */
export async function addList(tx: Tx, teamId: string, name: string, now: Date): Promise<List> {
  const list = { teamId, id: newId(now.getTime()), name, createdAt: now, updatedAt: now }
  await insertList(tx, list)
  return { ...list, contactCount: 0 }
}

/** @param name undefined: stays as it is. Refuses `not_found`. */
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
 * The list is gone from every answer at once; its memberships are swept up afterwards. Its contacts stay.
 * Refuses `not_found`, and `conflict` while an active campaign or automation uses it.
 */
export async function removeList(tx: Tx, teamId: string, id: string, now: Date): Promise<void> {
  if (!(await lockList(tx, teamId, id))) throw new ApiError('not_found')
  if (await isListInCampaign(tx, teamId, id)) throw inUse('campaigns')
  if (await isListInAutomation(tx, teamId, id)) throw inUse('automations')
  await leaveBehind(tx, teamId, 'list', id, now)
  await deleteList(tx, teamId, id)
  await deleteCounter(tx, teamId, listContactCounter(id))
}

function inUse(users: string): ApiError {
  return new ApiError('conflict', `This list is used by active ${users} and cannot be deleted.`)
}
