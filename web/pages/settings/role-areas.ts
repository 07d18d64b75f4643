import type { Role } from '../../api/session.ts'

interface Area {
  area: string
  reads: Role
  changes: Role
}

const area = (name: string, reads: Role, changes: Role): Area => ({ area: name, reads, changes })

/**
 * The lowest role that may read and change each area. A test compares them with the API's table
 * (src/access/permissions.ts).
 */
export const ROLE_AREAS: readonly Area[] = [
  area('Emails', 'viewer', 'member'),
  area('Templates', 'viewer', 'member'),
  area('Template folders', 'viewer', 'member'),
  area('Senders', 'viewer', 'member'),
  area('Contacts', 'viewer', 'member'),
  area('Properties', 'viewer', 'member'),
  area('Lists', 'viewer', 'member'),
  area('Segments', 'viewer', 'member'),
  area('Suppressions', 'viewer', 'member'),
  area('Unsubscriptions', 'viewer', 'member'),
  area('Campaigns', 'viewer', 'member'),
  area('Broadcasts', 'viewer', 'member'),
  area('Automations', 'viewer', 'member'),
  area('Captured', 'viewer', 'member'),
  area('Events', 'viewer', 'member'),
  area('Usage', 'viewer', 'member'),
  area('Overview', 'viewer', 'member'),
  area('Domains', 'viewer', 'admin'),
  area('Webhooks', 'viewer', 'admin'),
  area('Request log', 'member', 'admin'),
  area('Retention', 'viewer', 'admin'),
  area('Personal data', 'viewer', 'admin'),
  area('Team', 'viewer', 'admin'),
  area('API keys', 'admin', 'admin'),
  area('Audit log', 'admin', 'admin'),
]

/** From the fewest rights to the most. */
const ORDER: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

export type Right = 'change' | 'read' | 'none'

/** Returns the highest right of a role in an area. */
export function rightOf(role: Role, { reads, changes }: Area): Right {
  const has = (least: Role) => ORDER.indexOf(role) >= ORDER.indexOf(least)
  return has(changes) ? 'change' : has(reads) ? 'read' : 'none'
}
