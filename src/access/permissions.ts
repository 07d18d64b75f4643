import { ApiError } from '../lib/api-error.ts'
import type { Caller } from './caller.ts'
import { isAtLeast, type Role } from './roles.ts'

/** The minimum roles for reading an area and for changing it. */
interface AreaRoles {
  read: Role
  change: Role
}

interface AreaSpec {
  /** What readers call it: a tag of the OpenAPI document, a row of docs/permissions.md, and a right of a session. */
  tag: string
  /** Null for areas without a team, which only require a login or the operator role. */
  roles: AreaRoles | null
}

const everyoneReads = (tag: string, change: Role): AreaSpec => ({ tag, roles: { read: 'viewer', change } })
const withoutTeam = (tag: string): AreaSpec => ({ tag, roles: null })

/** The areas of the API. Each route belongs to one. A test keeps docs/permissions.md in step. */
const AREA_SPECS = {
  emails: everyoneReads('Emails', 'member'),
  templates: everyoneReads('Templates', 'member'),
  templateFolders: everyoneReads('Template folders', 'member'),
  senders: everyoneReads('Senders', 'member'),
  contacts: everyoneReads('Contacts', 'member'),
  properties: everyoneReads('Properties', 'member'),
  lists: everyoneReads('Lists', 'member'),
  segments: everyoneReads('Segments', 'member'),
  suppressions: everyoneReads('Suppressions', 'member'),
  unsubscriptions: everyoneReads('Unsubscriptions', 'member'),
  campaigns: everyoneReads('Campaigns', 'member'),
  broadcasts: everyoneReads('Broadcasts', 'member'),
  automations: everyoneReads('Automations', 'member'),
  captured: everyoneReads('Captured', 'member'),
  events: everyoneReads('Events', 'member'),
  usage: everyoneReads('Usage', 'member'),
  overview: everyoneReads('Overview', 'member'),
  domains: everyoneReads('Domains', 'admin'),
  webhooks: everyoneReads('Webhooks', 'admin'),
  retention: everyoneReads('Retention', 'admin'),
  personalData: everyoneReads('Personal data', 'admin'),
  team: everyoneReads('Team', 'admin'),
  // Entries name client addresses and the errors of programs.
  requestLog: { tag: 'Request log', roles: { read: 'member', change: 'admin' } },
  apiKeys: { tag: 'API keys', roles: { read: 'admin', change: 'admin' } },
  auditLog: { tag: 'Audit log', roles: { read: 'admin', change: 'admin' } },
  account: withoutTeam('Account'),
  session: withoutTeam('Session'),
  installation: withoutTeam('Installation'),
  tracking: withoutTeam('Tracking'),
  unsubscribe: withoutTeam('Unsubscribe'),
  sites: withoutTeam('Sites'),
  operator: withoutTeam('Operator'),
  operation: withoutTeam('Operation'),
  reference: withoutTeam('Reference'),
  mcp: withoutTeam('MCP'),
} satisfies Record<string, AreaSpec>

export type Area = keyof typeof AREA_SPECS

export const AREAS: Readonly<Record<Area, AreaSpec>> = AREA_SPECS

/**
 * Areas that concern the emails of all domains of a team, so that a key bound to one domain is rejected: webhooks receive
 * every event, the data of a person includes every email to them, a shorter retention period deletes the content of every
 * email, the audit log names records of every domain, and campaigns and automations send from every domain.
 */
const AREAS_OF_ALL_DOMAINS: readonly Area[] = [
  'webhooks',
  'personalData',
  'retention',
  'auditLog',
  'campaigns',
  'broadcasts',
  'automations',
]

/** Returns whether the permission and domain of an API key allow a route. */
export function keyMayCall(
  { permission, area }: { permission: string; area: Area },
  key: Pick<Caller, 'permission' | 'domainId'>,
): boolean {
  if (permission !== 'send' && (permission !== 'full' || key.permission !== 'full')) return false
  return key.domainId === null || !AREAS_OF_ALL_DOMAINS.includes(area)
}

/** The properties of a route that determine its minimum role (http/route/route.ts). */
interface RouteAccess {
  method: string
  area: Area
  role?: Role
  changesNothing?: true
}

/** Returns the minimum role for a route. An area without roles requires an owner. */
export function leastRole({ method, area, role, changesNothing }: RouteAccess): Role {
  const { roles } = AREAS[area]
  if (role !== undefined || roles === null) return role ?? 'owner'
  return method === 'GET' || changesNothing ? roles.read : roles.change
}

/** Throws ApiError (403) when the role is too low. */
export function requireRole(route: RouteAccess, role: Role): void {
  if (!isAtLeast(role, leastRole(route))) throw new ApiError('forbidden_role')
}

/** Returns whether the caller may change an area. API keys may, if the route admits them. */
export function mayChange({ user }: Pick<Caller, 'user'>, area: Area): boolean {
  return user === null || isAtLeast(user.role, AREAS[area].roles?.change ?? 'owner')
}

/** Returns the names of the areas that a role may read, and of those that it may change. */
export function areasOf(role: Role): { mayRead: string[]; mayChange: string[] } {
  const areasWith = (right: keyof AreaRoles) =>
    Object.values(AREAS)
      .filter(({ roles }) => roles !== null && isAtLeast(role, roles[right]))
      .map(({ tag }) => tag)
  return { mayRead: areasWith('read'), mayChange: areasWith('change') }
}
