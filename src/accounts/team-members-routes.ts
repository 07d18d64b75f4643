import Type from 'typebox'
import { countMembers, listMembers, type Member } from '../access/memberships-queries.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db-types.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { type Route, routesOf } from '../http/route.ts'
import { Deleted, IdParams } from '../http/schemas.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { MemberRecord, RoleName } from './account-schemas.ts'
import { changeRole, removeMember } from './members.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
  forgetAccess(): void
}

const { sessionRoute } = routesOf<Deps>()

const common = { tag: 'Team', permission: 'member', limit: 'general' } as const

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
  description: 'Newest member first, with role and last activity.',
  query: PageQuery,
  responses: { 200: { description: 'Newest user first.', schema: listOf(MemberRecord) } },
  async handle({ caller: { teamId }, session, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listMembers(lists, teamId, page)
    const total = await countMembers(lists, teamId)
    const data = rows.map((member) => memberToJson(member, session.userId))
    const list = { publicUrl: config.publicUrl, path: '/team/members', query, page, total, hasMore, data }
    return { status: 200, json: listToJson(list) }
  },
})

const patchMember = sessionRoute('PATCH', '/team/members/:id', {
  ...common,
  operationId: 'updateMember',
  action: 'team.members.update',
  summary: 'Change the role of a member',
  description:
    'Only owners can grant or take the role of owner; the last owner keeps it (409). The change applies immediately, in other processes within a second.',
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
    'The person keeps the account and other teams. Access to this team ends immediately, in other processes within a second. Only owners can remove owners, and the last owner stays (409).',
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
