import Type from 'typebox'
import { auditedByOperator } from '../../audit/operator-audit.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Log } from '../../lib/log.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import type { SendAccountMail } from '../users/account-mail.ts'
import { EmailAddress, RoleName, SentInvitationRecord } from '../users/account-schemas.ts'
import { sentInvitationToJson } from './invitation-json.ts'
import { invite } from './invitations.ts'

interface Deps extends Pick<ResourceDeps, 'config' | 'db' | 'clock'> {
  log: Log
  sendAccountMail: SendAccountMail
}

const { route } = routesOf<Deps>()

const postInvitation = route('POST', '/operator/teams/:id/invitations', {
  area: 'operator',
  permission: 'operator',
  operationId: 'inviteToTeam',
  summary: 'Invite a person to a team',
  description:
    'For operators, for example to give a new team its owner. Sendwright emails the invitation if a verified domain can send it (`emailed`). Only this response contains the link.',
  params: IdParams,
  body: Type.Object(
    { email: EmailAddress, role: RoleName },
    { examples: [{ email: 'ann@example.com', role: 'owner' }] },
  ),
  responses: { 201: { description: 'The invitation.', schema: SentInvitationRecord } },
  async handle(request) {
    const { params, body, deps } = request
    const teamId = params.id.toLowerCase()
    if ((await findTeam(deps.db, teamId)) === null) throw new ApiError('not_found')
    const change = { teamId, action: 'team.invitations.create', fields: ['email', 'role'] }
    const db = { ...deps.db, ...auditedByOperator(request, change) }
    const inviting = { ...deps, db, publicUrl: deps.config.publicUrl }
    const invitation = await invite(inviting, teamId, null, body)
    return { status: 201, json: sentInvitationToJson(invitation, deps.clock.now()) }
  },
})

export const operatorInvitationRoutes: readonly Route<Deps>[] = [postInvitation]
