import { hintAccessChanged } from '../../access/access-changes-queries.ts'
import {
  insertGroupMembership,
  listMembershipsOf,
  lockMembership,
  lockOtherOwners,
  type Membership,
  updateRole,
} from '../../access/memberships-queries.ts'
import { isAtLeast, type Role } from '../../access/roles.ts'
import type { AuditEntry } from '../../audit/audit-queries.ts'
import { audit } from '../../audit/audited-transactions.ts'
import type { Tx } from '../../db/db-types.ts'
import type { Browser } from '../../http/route/browser-of.ts'
import { newId } from '../../lib/ids.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { deleteInvitationsBy } from '../invitations/invitations-queries.ts'
import { endMembership } from '../people/members.ts'

export interface RoleSync {
  userId: string
  /** The roles that the person's groups give, by team. */
  roles: ReadonlyMap<string, Role>
  browser: Browser
  requestId: string
}

/**
 * Gives a user the roles of their groups. Removes roles that earlier logins gave and that no group gives now. Roles that
 * people gave stay. The last owner of a team stays its owner.
 */
export async function syncRoles(tx: Tx, sync: RoleSync, now: Date): Promise<void> {
  const memberships = new Map((await listMembershipsOf(tx, sync.userId)).map((each) => [each.teamId, each]))
  const groupTeams = [...memberships.values()].filter(({ byGroups }) => byGroups).map(({ teamId }) => teamId)
  // Sorted, so that simultaneous logins lock in the same order.
  const teams = [...new Set([...sync.roles.keys(), ...groupTeams])].sort()
  for (const teamId of teams) await syncTeam(tx, sync, teamId, now)
}

async function syncTeam(tx: Tx, sync: RoleSync, teamId: string, now: Date): Promise<void> {
  const { userId } = sync
  const role = sync.roles.get(teamId) ?? null
  // Every change of roles locks in this order: owners first.
  const otherOwners = await lockOtherOwners(tx, teamId, userId)
  const current = await lockMembership(tx, teamId, userId)
  if (current === null) {
    if (role === null || (await findTeam(tx, teamId)) === null) return
    await insertGroupMembership(tx, { teamId, userId, role, createdAt: now, updatedAt: now })
    await hintAccessChanged(tx)
    return auditRole(tx, sync, { teamId, action: 'team.members.create' }, now)
  }
  if (!current.byGroups || current.role === role) return
  if (current.role === 'owner' && otherOwners === 0) return
  await (role === null ? endMembership(tx, teamId, userId) : changeTo(tx, current, role, now))
  const action = role === null ? 'team.members.delete' : 'team.members.update'
  return auditRole(tx, sync, { teamId, action }, now)
}

async function changeTo(tx: Tx, { teamId, userId }: Membership, role: Role, now: Date): Promise<void> {
  await updateRole(tx, teamId, userId, role, now)
  if (!isAtLeast(role, 'admin')) await deleteInvitationsBy(tx, teamId, userId)
  await hintAccessChanged(tx)
}

function auditRole(
  tx: Tx,
  { userId, browser, requestId }: RoleSync,
  { teamId, action }: Pick<AuditEntry, 'teamId' | 'action'>,
  now: Date,
): void {
  audit(tx, {
    teamId,
    id: newId(now.getTime()),
    actorKind: 'user',
    actorId: userId,
    action,
    targetId: userId,
    fields: ['sso_groups'],
    ...browser,
    requestId,
    createdAt: now,
  })
}
