import {
  deleteMembership,
  findMember,
  lockMembership,
  lockOtherOwners,
  type Member,
  updateRole,
} from '../access/memberships-queries.ts'
import { isAtLeast, type Role } from '../access/roles.ts'
import type { Transactions, Tx } from '../db/db-types.ts'
import { hintAccessChanged } from '../domains/domains-queries.ts'
import { ApiError } from '../lib/api-error.ts'
import { deleteInvitationsBy } from './invitations/invitations-queries.ts'

/** Somebody of a team, who asks for something there. */
export interface Actor {
  teamId: string
  userId: string
}

/**
 * Gives a member another role. Throws ApiError: 404, 403 where the actor may not (owners are made and changed by owners
 * alone), 409 for the last owner.
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

/** Ends a member's access. Throws ApiError as `changeRole` does. */
export async function removeMember(db: Transactions, actor: Actor, userId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { before, others } = await holdMember(tx, actor, userId)
    await requireRight(tx, actor, [before])
    if (before === 'owner') refuseLast(others)
    return endMembership(tx, actor.teamId, userId)
  })
}

/** Whoever wants to may go, but for the last owner (409). */
export async function leaveTeam(db: Transactions, actor: Actor): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { before, others } = await holdMember(tx, actor, actor.userId)
    if (before === 'owner') refuseLast(others)
    return endMembership(tx, actor.teamId, actor.userId)
  })
}

/** With what the user promised to others in the team's name. */
export async function endMembership(tx: Tx, teamId: string, userId: string): Promise<boolean> {
  const isEnded = await deleteMembership(tx, teamId, userId)
  await deleteInvitationsBy(tx, teamId, userId)
  await hintAccessChanged(tx)
  return isEnded
}

/** Owners first and in one order, whatever is asked: no two changes of a team wait for each other in a circle. */
async function holdMember(
  tx: Tx,
  { teamId }: Actor,
  userId: string,
): Promise<{ before: Role; others: number }> {
  const others = await lockOtherOwners(tx, teamId, userId)
  const membership = await lockMembership(tx, teamId, userId)
  if (membership === null) throw new ApiError('not_found')
  return { before: membership.role, others }
}

async function requireRight(tx: Tx, actor: Actor, roles: readonly Role[]): Promise<void> {
  refuseAbove(await holdRole(tx, actor), roles)
}

/** As of now, not as of when the request began: who was an admin a moment ago may be none any more. Throws ApiError (404). */
export async function holdRole(tx: Tx, { teamId, userId }: Actor): Promise<Role> {
  const own = await lockMembership(tx, teamId, userId)
  if (own === null) throw new ApiError('not_found')
  return own.role
}

/** Admins do as they like below owners, and owners among themselves. Throws ApiError (403). */
export function refuseAbove(own: Role, roles: readonly Role[]): void {
  if (!isAtLeast(own, 'admin') || !roles.every((role) => isAtLeast(own, role)))
    throw new ApiError('forbidden_role')
}

function refuseLast(otherOwners: number): void {
  if (otherOwners > 0) return
  throw new ApiError('conflict', 'A team must have an owner: make somebody else one first.')
}
