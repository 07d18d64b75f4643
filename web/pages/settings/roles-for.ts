import type { Role } from '../../api/session.ts'
import { ROLES } from '../../ui/role-words.ts'

/** Returns the roles that a user with this role may grant and revoke, none above their own. The API checks it again. */
export const rolesFor = (ownRole: Role): readonly Role[] =>
  ownRole === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner')
