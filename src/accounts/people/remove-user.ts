import { hintAccessChanged } from '../../access/access-changes-queries.ts'
import { listMembershipsOf, lockMembership, lockOtherOwners } from '../../access/memberships-queries.ts'
import { deleteSessionsOf } from '../../access/sessions-queries.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { deleteInvitationsTo } from '../invitations/invitations-queries.ts'
import { forgetSecondFactors } from '../second-factor/forget-second-factor.ts'
import { deleteLoginChallengesOf } from '../sessions/login-challenges-queries.ts'
import { deleteAccountLinks } from '../users/account-links-queries.ts'
import { deleteSsoIdentities } from '../users/sso-identities-queries.ts'
import { deleteUser, lockUser } from '../users/users-queries.ts'
import { endMembership } from './members.ts'

/**
 * Deletes a user with all personal data. Audit logs keep the id, which is then meaningless. Returns false if the user
 * does not exist. Throws ApiError (409) for the last owner of a team, unless `mayBeLastOwner`.
 */
export async function removeUser(db: Db, userId: string, mayBeLastOwner: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Lock memberships before the user, as role changes do, so that the order of locks is always the same.
    await leaveTeams(tx, userId, mayBeLastOwner)
    const user = await lockUser(tx, userId)
    if (user === null) return false
    // Leave teams joined in the meantime. From here on, the user cannot join any more teams.
    await leaveTeams(tx, userId, mayBeLastOwner)
    await deleteSessionsOf(tx, userId, null)
    await deleteLoginChallengesOf(tx, userId)
    await deleteAccountLinks(tx, userId)
    await deleteInvitationsTo(tx, user.email)
    await forgetSecondFactors(tx, userId)
    await deleteSsoIdentities(tx, userId)
    await deleteUser(tx, userId)
    await hintAccessChanged(tx)
    return true
  })
}

async function leaveTeams(tx: Tx, userId: string, mayBeLastOwner: boolean): Promise<void> {
  for (const { teamId } of await listMembershipsOf(tx, userId)) {
    await leaveOneTeam(tx, teamId, userId, mayBeLastOwner)
  }
}

async function leaveOneTeam(tx: Tx, teamId: string, userId: string, mayBeLastOwner: boolean): Promise<void> {
  const others = await lockOtherOwners(tx, teamId, userId)
  const membership = await lockMembership(tx, teamId, userId)
  if (membership?.role === 'owner' && others === 0 && !mayBeLastOwner)
    throw new ApiError('conflict', `This user is the last owner of the team ${teamId}.`)
  await endMembership(tx, teamId, userId)
}
