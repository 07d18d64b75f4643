import { hintAccessChanged } from '../../access/access-changes-queries.ts'
import {
  deleteMembership,
  findMember,
  lockMembership,
  lockOtherOwners,
  type Member,
  updateRole,
} from '../../access/memberships-queries.ts'
import { isAtLeast, type Role } from '../../access/roles.ts'
import type { Transactions, Tx } from '../../db/db-types.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { deleteInvitationsBy } from '../invitations/invitations-queries.ts'
import { removeChannel } from '../notifications/remove-channel.ts'
import { type Actor, holdRole, refuseAbove } from '../users/member-rights.ts'

/**
 * Changes a member's role. Throws ApiError: 404, 403 if the actor lacks the right (only owners create and change
 * owners), 409 for the last owner.
 */
export async function changeRole(
  db: Transactions,
  actor: Actor,
  { userId, role }: { userId: string; role: Role },
  now: Date,
): Promise<Member> {
  return db.transaction(async (tx) => {
    const { before, others } = await holdMember(tx, actor, userId)
    await requireRight(tx, actor, [before, role])
    if (before === 'owner' && role !== 'owner') refuseLast(others)
    await updateRole(tx, actor.teamId, userId, role, now)
    if (!isAtLeast(role, 'admin')) await deleteInvitationsBy(tx, actor.teamId, userId)
    await hintAccessChanged(tx)
    return (await findMember(tx, actor.teamId, userId)) as Member
  })
}

/** Ends a member's access. Throws the same errors as `changeRole`. */
export async function removeMember(db: Transactions, actor: Actor, userId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { before, others } = await holdMember(tx, actor, userId)
    await requireRight(tx, actor, [before])
    if (before === 'owner') refuseLast(others)
    return endMembership(tx, actor.teamId, userId)
  })
}

/** Removes the actor from the team. Throws ApiError (409) for the last owner. */
export async function leaveTeam(db: Transactions, actor: Actor): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { before, others } = await holdMember(tx, actor, actor.userId)
    if (before === 'owner') refuseLast(others)
    return endMembership(tx, actor.teamId, actor.userId)
  })
}

/** Deletes a membership, with the user's invitations to the team and settings for alerts. */
export async function endMembership(tx: Tx, teamId: string, userId: string): Promise<boolean> {
  const isEnded = await deleteMembership(tx, teamId, userId)
  await deleteInvitationsBy(tx, teamId, userId)
  await removeChannel(tx, teamId, userId)
  await hintAccessChanged(tx)
  return isEnded
}

/**
 * Locks a member. Always locks owners first and in the same order, so that concurrent changes of a team cannot
 * deadlock.
 */
async function holdMember(
  tx: Tx,
  { teamId }: Actor,
  userId: string,
): Promise<{ before: Role; others: number }> {
  const others = await lockOtherOwners(tx, teamId, userId)
  const membership = orNotFound(await lockMembership(tx, teamId, userId))
  return { before: membership.role, others }
}

async function requireRight(tx: Tx, actor: Actor, roles: readonly Role[]): Promise<void> {
  refuseAbove(await holdRole(tx, actor), roles)
}

function refuseLast(otherOwners: number): void {
  if (otherOwners > 0) return
  throw new ApiError('conflict', 'A team must have an owner. Make another member an owner first.')
}
