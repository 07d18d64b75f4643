import { listMembershipsOf, lockMembership, lockOtherOwners } from '../access/memberships-queries.ts'
import { deleteSessionsOf } from '../access/sessions-queries.ts'
import type { Db, Tx } from '../db/db-types.ts'
import { hintAccessChanged } from '../domains/domains-queries.ts'
import { ApiError } from '../lib/api-error.ts'
import { deleteAccountLinks } from './account-links-queries.ts'
import { deleteInvitationsTo } from './invitations/invitations-queries.ts'
import { endMembership } from './members.ts'
import { forgetSecondFactors } from './second-factor/forget-second-factor.ts'
import { deleteLoginChallengesOf } from './second-factor/login-challenges-queries.ts'
import { deleteUser, lockUser } from './users-queries.ts'

/**
 * Removes a user with everything that is known of the person; audit logs keep the id, which then says nothing. Throws ApiError:
 * 409 for the last owner of a team, unless that does not matter. False: there is no such user.
 */
export async function removeUser(db: Db, userId: string, mayBeLastOwner: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Memberships before the user, as where roles change: whoever waits, waits in one order.
    await leaveTeams(tx, userId, mayBeLastOwner)
    const user = await lockUser(tx, userId)
    if (user === null) return false
    // Those joined meanwhile; from here on nobody joins any more.
    await leaveTeams(tx, userId, mayBeLastOwner)
    await deleteSessionsOf(tx, userId, null)
    await deleteLoginChallengesOf(tx, userId)
    await deleteAccountLinks(tx, userId)
    await deleteInvitationsTo(tx, user.email)
    await forgetSecondFactors(tx, userId)
    await deleteUser(tx, userId)
    await hintAccessChanged(tx)
    return true
  })
}

async function leaveTeams(tx: Tx, userId: string, mayBeLastOwner: boolean): Promise<void> {
  for (const { teamId } of await listMembershipsOf(tx, userId)) {
    await leaveBehind(tx, teamId, userId, mayBeLastOwner)
  }
}

async function leaveBehind(tx: Tx, teamId: string, userId: string, mayBeLastOwner: boolean): Promise<void> {
  const others = await lockOtherOwners(tx, teamId, userId)
  const own = await lockMembership(tx, teamId, userId)
  if (own?.role === 'owner' && others === 0 && !mayBeLastOwner)
    throw new ApiError('conflict', `This user is the last owner of the team ${teamId}.`)
  await endMembership(tx, teamId, userId)
}
