import { lockMembership } from '../../access/memberships-queries.ts'
import { isAtLeast, type Role } from '../../access/roles.ts'
import type { Tx } from '../../db/db-types.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'

/** A member who performs an action in a team. */
export interface Actor {
  teamId: string
  userId: string
}

/**
 * Returns and locks the actor's current role: an admin at the start of the request may no longer be one. Throws
 * ApiError (404).
 */
export async function holdRole(tx: Tx, { teamId, userId }: Actor): Promise<Role> {
  const membership = orNotFound(await lockMembership(tx, teamId, userId))
  return membership.role
}

/**
 * Throws ApiError (403) unless the role may manage the given roles: admins everything below owner, owners everything.
 */
export function refuseAbove(ownRole: Role, roles: readonly Role[]): void {
  if (!isAtLeast(ownRole, 'admin') || !roles.every((role) => isAtLeast(ownRole, role)))
    throw new ApiError('forbidden_role')
}
