import { ApiError } from '../lib/api-error.ts'
import type { Caller } from './caller.ts'
import { isAtLeast, type Role } from './roles.ts'

/** The minimum roles for reading an area and for changing it. */
interface Area {
  read: Role
  change: Role
}

const everyoneReads = (change: Role): Area => ({ read: 'viewer', change })

/**
 * The minimum roles by the area (`tag`) of a route. A test keeps docs/permissions.md in step. Areas without a team
 * are not listed: they only require a login or the operator role.
 */
export const PERMISSIONS: Readonly<Record<string, Area>> = {
  Emails: everyoneReads('member'),
  Templates: everyoneReads('member'),
  'Template folders': everyoneReads('member'),
  Senders: everyoneReads('member'),
  Contacts: everyoneReads('member'),
  Properties: everyoneReads('member'),
  Lists: everyoneReads('member'),
  Segments: everyoneReads('member'),
  Suppressions: everyoneReads('member'),
  Unsubscriptions: everyoneReads('member'),
  Campaigns: everyoneReads('member'),
  Broadcasts: everyoneReads('member'),
  Automations: everyoneReads('member'),
  Captured: everyoneReads('member'),
  Events: everyoneReads('member'),
  Usage: everyoneReads('member'),
  Overview: everyoneReads('member'),
  Domains: everyoneReads('admin'),
  Webhooks: everyoneReads('admin'),
  Retention: everyoneReads('admin'),
  'Personal data': everyoneReads('admin'),
  Team: everyoneReads('admin'),
  // Entries name client addresses and the errors of programs.
  'Request log': { read: 'member', change: 'admin' },
  'API keys': { read: 'admin', change: 'admin' },
  'Audit log': { read: 'admin', change: 'admin' },
}

/** Areas that do not belong to a team. */
export const AREAS_WITHOUT_TEAM: readonly string[] = [
  'Account',
  'Session',
  'Installation',
  'People',
  'Tracking',
  'Unsubscribe',
  'Sites',
  'Operator',
  'Operation',
  'Description',
]

/**
 * Areas that concern the emails of all domains of a team, so that a key bound to one domain is rejected: webhooks receive
 * every event, and the data of a person includes every email to them.
 */
const AREAS_OF_ALL_DOMAINS: readonly string[] = ['Webhooks', 'Personal data']

/** Returns whether the permission and domain of an API key allow a route. */
export function keyMayCall(
  { permission, tag }: { permission: string; tag: string },
  key: Pick<Caller, 'permission' | 'domainId'>,
): boolean {
  if (permission !== 'send' && (permission !== 'full' || key.permission !== 'full')) return false
  return key.domainId === null || !AREAS_OF_ALL_DOMAINS.includes(tag)
}

/** The properties of a route that determine its minimum role (http/route/route.ts). */
interface RouteAccess {
  method: string
  tag: string
  role?: Role
  changesNothing?: true
}

/** Returns the minimum role for a route. An unlisted area requires an owner. */
export function leastRole({ method, tag, role, changesNothing }: RouteAccess): Role {
  const area = PERMISSIONS[tag]
  if (role !== undefined || area === undefined) return role ?? 'owner'
  return method === 'GET' || changesNothing ? area.read : area.change
}

/** Throws ApiError (403) when the role is too low. */
export function requireRole(route: RouteAccess, role: Role): void {
  if (!isAtLeast(role, leastRole(route))) throw new ApiError('forbidden_role')
}

/** Returns whether the caller may change an area. API keys may, if the route admits them. */
export function mayChange({ user }: Pick<Caller, 'user'>, tag: string): boolean {
  return user === null || isAtLeast(user.role, PERMISSIONS[tag]?.change ?? 'owner')
}

/** Returns the areas that a role may read, and those that it may change. */
export function areasOf(role: Role): { mayRead: string[]; mayChange: string[] } {
  const areasWith = (right: keyof Area) =>
    Object.keys(PERMISSIONS).filter((tag) => isAtLeast(role, (PERMISSIONS[tag] as Area)[right]))
  return { mayRead: areasWith('read'), mayChange: areasWith('change') }
}
