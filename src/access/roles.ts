import type { Role } from './memberships-queries.ts'

export type { Role }

/** Ordered by power: each role includes the permissions of those before it. */
export const ROLES: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}
