import type { Role } from './memberships-queries.ts'

export type { Role }

/** Each may do what those before it may. */
export const ROLES: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}
