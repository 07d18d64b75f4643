import { ApiError } from '../lib/api-error.ts'
import type { Caller } from './authenticate.ts'
import { isAtLeast, type Role } from './roles.ts'

/** The least role that may read an area, and the least that may change something in it. */
interface Area {
  read: Role
  change: Role
}

const EVERYBODY_READS = (change: Role): Area => ({ read: 'viewer', change })

/**
 * What which role may do, by the area (`tag`) of a route; docs/permissions.md is held to it by a test. Areas without a team
 * are not in it: there, being logged in or being an operator is all that counts.
 */
export const PERMISSIONS: Readonly<Record<string, Area>> = {
  Emails: EVERYBODY_READS('member'),
  Templates: EVERYBODY_READS('member'),
  'Template folders': EVERYBODY_READS('member'),
  Senders: EVERYBODY_READS('member'),
  Contacts: EVERYBODY_READS('member'),
  Properties: EVERYBODY_READS('member'),
  Lists: EVERYBODY_READS('member'),
  Segments: EVERYBODY_READS('member'),
  Suppressions: EVERYBODY_READS('member'),
  Unsubscriptions: EVERYBODY_READS('member'),
  Campaigns: EVERYBODY_READS('member'),
  Automations: EVERYBODY_READS('member'),
  Captured: EVERYBODY_READS('member'),
  Events: EVERYBODY_READS('member'),
  Usage: EVERYBODY_READS('member'),
  Overview: EVERYBODY_READS('member'),
  Domains: EVERYBODY_READS('admin'),
  Webhooks: EVERYBODY_READS('admin'),
  Retention: EVERYBODY_READS('admin'),
  'Personal data': EVERYBODY_READS('admin'),
  Team: EVERYBODY_READS('admin'),
  'API keys': { read: 'admin', change: 'admin' },
  'Audit log': { read: 'admin', change: 'admin' },
}

/** Areas without a team. */
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

/** What of a route decides (http/route.ts). */
interface Asked {
  method: string
  tag: string
  role?: Role
  changesNothing?: true
}

/** The least role of a session that may ask this of its team. An area that nobody named is its owners'. */
export function leastRole({ method, tag, role, changesNothing }: Asked): Role {
  const area = PERMISSIONS[tag]
  if (role !== undefined || area === undefined) return role ?? 'owner'
  return method === 'GET' || changesNothing ? area.read : area.change
}

/** Throws ApiError (403) where the role is too low. */
export function refuseRole(route: Asked, role: Role): void {
  if (!isAtLeast(role, leastRole(route))) throw new ApiError('forbidden_role')
}

/** Whether whoever asks may change what is in an area; keys that come so far may. */
export function mayChange({ user }: Pick<Caller, 'user'>, tag: string): boolean {
  return user === null || isAtLeast(user.role, PERMISSIONS[tag]?.change ?? 'owner')
}

/** The areas that a role may read, and those that it may change. */
export function areasOf(role: Role): { mayRead: string[]; mayChange: string[] } {
  const having = (right: keyof Area) =>
    Object.keys(PERMISSIONS).filter((tag) => isAtLeast(role, (PERMISSIONS[tag] as Area)[right]))
  return { mayRead: having('read'), mayChange: having('change') }
}
