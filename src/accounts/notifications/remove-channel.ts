import type { Tx } from '../../db/db-types.ts'
import { deleteChannel } from './channels-queries.ts'
import { holdWatch } from './watches-queries.ts'

/** Deletes a channel with its messages: the team's webhook, or that of a member who leaves. */
export async function removeChannel(tx: Tx, teamId: string, id: string): Promise<boolean> {
  await holdWatch(tx, teamId)
  return deleteChannel(tx, teamId, id)
}
