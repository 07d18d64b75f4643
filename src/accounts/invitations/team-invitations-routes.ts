import Type from 'typebox'
import type { Transactions } from '../../db/db-types.ts'
import { listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import { deletedToJson } from '../../http/route/present.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf, withAudit } from '../../http/route/route.ts'
import { Deleted, IdParams } from '../../http/route/schemas.ts'
import type { Log } from '../../lib/log.ts'
import type { SendAccountMail } from '../users/account-mail.ts'
import { EmailAddress, InvitationRecord, RoleName, SentInvitationRecord } from '../users/account-schemas.ts'
import { invitationToJson, sentInvitationToJson } from './invitation-json.ts'
import { type InvitationDeps, invite, inviteAgain, withdrawInvitation } from './invitations.ts'
import { countInvitations, listInvitations } from './invitations-queries.ts'

interface Deps extends ResourceDeps {
  log: Log
  sendAccountMail: SendAccountMail
}

const { sessionRoute } = routesOf<Deps>()

const common = { area: 'team', permission: 'member', bodyBytesMax: 16_384 } as const

function invitationDeps(deps: Deps, audited: Transactions): InvitationDeps {
  return { ...withAudit(deps, audited), publicUrl: deps.config.publicUrl }
}

const postInvitation = sessionRoute('POST', '/team/invitations', {
  ...common,
  operationId: 'createInvitation',
  action: 'team.invitations.create',
  summary: 'Invite a person',
  description:
    'Sendwright emails the invitation if a verified domain can send it (`emailed`). Only this response contains the link. You cannot invite to a role above your own.',
  body: Type.Object(
    { email: EmailAddress, role: RoleName },
    { examples: [{ email: 'bob@example.com', role: 'member' }] },
  ),
  responses: { 201: { description: 'The invitation.', schema: SentInvitationRecord } },
  async handle({ caller: { teamId }, session, body, audited, deps }) {
    const actor = { teamId, userId: session.userId }
    const invitation = await invite(invitationDeps(deps, audited), teamId, actor, body)
    return { status: 201, json: sentInvitationToJson(invitation, deps.clock.now()) }
  },
})

const getInvitations = sessionRoute('GET', '/team/invitations', {
  ...common,
  role: 'admin',
  operationId: 'listInvitations',
  summary: 'List open invitations',
  description: 'Newest first.',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(InvitationRecord) } },
  async handle(request) {
    const { caller, query, deps } = request
    const page = readPage(query)
    const invitations = await listInvitations(deps.lists, caller.teamId, page)
    const total = await countInvitations(deps.lists, caller.teamId)
    return pageReply(request, '/team/invitations', { ...invitations, page, total }, (invitation) =>
      invitationToJson(invitation, deps.clock.now()),
    )
  },
})

const deleteInvitation = sessionRoute('DELETE', '/team/invitations/:id', {
  ...common,
  operationId: 'revokeInvitation',
  action: 'team.invitations.delete',
  summary: 'Revoke an invitation',
  description: 'Its link stops working.',
  params: IdParams,
  responses: { 200: { description: 'The invitation was revoked.', schema: Deleted } },
  async handle({ caller: { teamId }, session, params, audited }) {
    const id = params.id.toLowerCase()
    await withdrawInvitation(audited, { teamId, userId: session.userId }, id)
    return { status: 200, json: deletedToJson('invitation', id) }
  },
})

const resend = sessionRoute('POST', '/team/invitations/:id/resend', {
  ...common,
  operationId: 'resendInvitation',
  action: 'team.invitations.resend',
  summary: 'Resend an invitation',
  description: 'Creates a new link that is valid for an hour. The previous link stops working.',
  params: IdParams,
  responses: { 200: { description: 'The invitation.', schema: SentInvitationRecord } },
  async handle({ caller: { teamId }, session, params, audited, deps }) {
    const actor = { teamId, userId: session.userId }
    const invitation = await inviteAgain(invitationDeps(deps, audited), actor, params.id.toLowerCase())
    return { status: 200, json: sentInvitationToJson(invitation, deps.clock.now()) }
  },
})

export const teamInvitationRoutes: readonly Route<Deps>[] = [
  postInvitation,
  getInvitations,
  deleteInvitation,
  resend,
]
