import type { Role } from '../../api/session.ts'
import { ROLES } from '../../ui/role-words.ts'

/** The roles that somebody of this role may give and take: none above their own. The API decides it again. */
export const rolesFor = (own: Role): readonly Role[] =>
  own === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner')
