import Type from 'typebox'
import { hintAccessChanged } from '../../access/access-changes-queries.ts'
import { deletedToJson } from '../../http/route/present.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Deleted } from '../../http/route/schemas.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { findTeam, type Team, updateTeamName } from '../../teams/teams-queries.ts'
import { TeamName, TeamRecord } from '../users/account-schemas.ts'
import { leaveTeam } from './members.ts'

interface Deps extends Pick<ResourceDeps, 'db' | 'clock'> {
  forgetAccess(): void
}

const { sessionRoute } = routesOf<Deps>()

const common = { area: 'team', permission: 'member' } as const
const one = { description: 'The team.', schema: TeamRecord }

function teamToJson(team: Team) {
  return {
    object: 'team',
    id: team.id,
    name: team.name,
    plan: team.plan,
    sending_paused_at: formatTime(team.sendingPausedAt),
    sending_paused_reason: team.sendingPausedReason,
    sending_paused_by: team.sendingPausedBy,
    created_at: formatTime(team.createdAt),
  }
}

const getTeam = sessionRoute('GET', '/team', {
  ...common,
  operationId: 'getTeam',
  summary: 'Get the team',
  description: 'The team that the session works in.',
  responses: { 200: one },
  async handle({ caller, deps: { db } }) {
    const team = orNotFound(await findTeam(db, caller.teamId))
    return { status: 200, json: teamToJson(team) }
  },
})

const patchTeam = sessionRoute('PATCH', '/team', {
  ...common,
  operationId: 'updateTeam',
  action: 'team.update',
  summary: 'Rename the team',
  description: 'The name appears in the dashboard and in invitations.',
  body: Type.Object({ name: TeamName }, { examples: [{ name: 'Acme' }] }),
  responses: { 200: one },
  async handle({ caller, body, audited, deps: { clock, forgetAccess } }) {
    const team = await audited.transaction(async (tx) => {
      const renamed = await updateTeamName(tx, caller.teamId, body.name, clock.now())
      await hintAccessChanged(tx)
      return renamed
    })
    if (team === null) throw new ApiError('not_found')
    forgetAccess()
    return { status: 200, json: teamToJson(team) }
  },
})

const leave = sessionRoute('POST', '/team/leave', {
  ...common,
  role: 'viewer',
  operationId: 'leaveTeam',
  action: 'team.leave',
  summary: 'Leave the team',
  description: 'The last owner cannot leave (409).',
  responses: { 200: { description: 'You left the team.', schema: Deleted } },
  async handle({ caller, session, audited, deps: { forgetAccess } }) {
    const { userId } = session
    await leaveTeam(audited, { teamId: caller.teamId, userId })
    forgetAccess()
    return { status: 200, json: deletedToJson('member', userId) }
  },
})

export const teamRoutes: readonly Route<Deps>[] = [getTeam, patchTeam, leave]
