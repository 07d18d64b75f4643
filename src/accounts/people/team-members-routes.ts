import Type from 'typebox'
import { countMembers, listMembers, type Member } from '../../access/memberships-queries.ts'
import { listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import { deletedToJson } from '../../http/route/present.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Deleted, IdParams } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { MemberRecord, RoleName } from '../users/account-schemas.ts'
import { changeRole, removeMember } from './members.ts'

interface Deps extends ResourceDeps {
  forgetAccess(): void
}

const { sessionRoute } = routesOf<Deps>()

const common = { area: 'team', permission: 'member' } as const

function memberToJson(member: Member, ownId: string) {
  return {
    object: 'member',
    id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    is_you: member.userId === ownId,
    created_at: formatTime(member.createdAt),
  }
}

const getMembers = sessionRoute('GET', '/team/members', {
  ...common,
  operationId: 'listMembers',
  summary: 'List members',
  description: 'Newest member first, with their roles.',
  query: PageQuery,
  responses: { 200: { description: 'Newest member first.', schema: listOf(MemberRecord) } },
  async handle(request) {
    const { caller, session, query, deps } = request
    const page = readPage(query)
    const members = await listMembers(deps.lists, caller.teamId, page)
    const total = await countMembers(deps.lists, caller.teamId)
    return pageReply(request, '/team/members', { ...members, page, total }, (member) =>
      memberToJson(member, session.userId),
    )
  },
})

const patchMember = sessionRoute('PATCH', '/team/members/:id', {
  ...common,
  operationId: 'updateMember',
  action: 'team.members.update',
  summary: 'Change the role of a member',
  description:
    'Only owners can grant or revoke the role `owner`. The last owner cannot lose it (409). The change takes effect within a second.',
  params: IdParams,
  body: Type.Object({ role: RoleName }, { examples: [{ role: 'viewer' }] }),
  responses: { 200: { description: 'The member.', schema: MemberRecord } },
  async handle({ caller: { teamId }, session, params, body, audited, deps: { clock, forgetAccess } }) {
    const { userId: ownId } = session
    const change = { userId: params.id.toLowerCase(), role: body.role }
    const member = await changeRole(audited, { teamId, userId: ownId }, change, clock.now())
    forgetAccess()
    return { status: 200, json: memberToJson(member, ownId) }
  },
})

const deleteMember = sessionRoute('DELETE', '/team/members/:id', {
  ...common,
  operationId: 'removeMember',
  action: 'team.members.delete',
  summary: 'Remove a member',
  description:
    'Access to the team ends within a second. The person keeps the account and other teams. Only owners can remove owners, and nobody can remove the last one (409).',
  params: IdParams,
  responses: { 200: { description: 'The member was removed.', schema: Deleted } },
  async handle({ caller: { teamId }, session, params, audited, deps: { forgetAccess } }) {
    const userId = params.id.toLowerCase()
    await removeMember(audited, { teamId, userId: session.userId }, userId)
    forgetAccess()
    return { status: 200, json: deletedToJson('member', userId) }
  },
})

export const teamMemberRoutes: readonly Route<Deps>[] = [getMembers, patchMember, deleteMember]
