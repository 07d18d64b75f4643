import Type, { type Static } from 'typebox'
import { hintAccessChanged } from '../access/access-changes-queries.ts'
import type { PlanName } from '../access/plans.ts'
import { audit } from '../audit/audited-transactions.ts'
import { auditedByOperator, operatorEntry } from '../audit/operator-audit.ts'
import type { Transactions } from '../db/db-types.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Reply, type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import { Changes, Name, OperatorTeamRecord, Plan, teamToJson } from './operator-team-schemas.ts'
import { listTeamOverviews, updateTeamSettings } from './operator-teams-queries.ts'
import { createTeam, pauseTeam, resumeTeam } from './teams.ts'

type Deps = Pick<ResourceDeps, 'db' | 'lists' | 'clock'>

const { route } = routesOf<Deps>()

const SIZE_MAX = 100
const SIZE_DEFAULT = 25

const common = { area: 'operator', permission: 'operator' } as const

const ALL = { id: null, prefix: null, isPaused: null, after: null }

/** Returns the team as a reply. Throws ApiError `not_found`. */
async function replyWithTeam({ db, clock }: Deps, id: string, status = 200): Promise<Reply> {
  const [team] = await listTeamOverviews(db, { ...ALL, id }, clock.now(), 1)
  if (team === undefined) throw new ApiError('not_found')
  return { status, json: teamToJson(team) }
}

const getTeams = route('GET', '/operator/teams', {
  ...common,
  operationId: 'listTeams',
  summary: 'List teams',
  description: 'Newest first. To continue, pass the id of the last team as `after`.',
  query: Type.Object({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Start of the name, case-insensitive.' }),
    ),
    paused: Type.Optional(
      Type.Boolean({ description: '`true`: paused teams. `false`: teams that can send.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SIZE_MAX,
        description: `Maximum number of teams. Default ${SIZE_DEFAULT}.`,
      }),
    ),
    after: Type.Optional(Type.String({ format: 'uuid', description: 'Returns the teams after this id.' })),
  }),
  responses: {
    200: {
      description: 'The teams.',
      schema: Type.Object({
        object: Type.Literal('list'),
        has_more: Type.Boolean({ description: 'Whether more records follow.' }),
        data: Type.Array(OperatorTeamRecord),
      }),
    },
  },
  async handle({ query: { q, paused, limit = SIZE_DEFAULT, after }, deps: { lists, clock } }) {
    const filter = { id: null, prefix: q ?? null, isPaused: paused ?? null, after: after ?? null }
    const teams = await listTeamOverviews(lists, filter, clock.now(), limit + 1)
    const data = teams.slice(0, limit).map(teamToJson)
    return { status: 200, json: { object: 'list', has_more: teams.length > limit, data } }
  },
})

const postTeam = route('POST', '/operator/teams', {
  ...common,
  operationId: 'createTeam',
  summary: 'Create a team',
  description: 'The new team has no members and no API keys. Without a `plan`, it has no limits.',
  body: Type.Object({ name: Name, plan: Type.Optional(Plan) }, { examples: [{ name: 'Acme', plan: '50k' }] }),
  responses: { 201: { description: 'The new team.', schema: OperatorTeamRecord } },
  async handle(request) {
    const { body, deps } = request
    const input = { name: body.name, plan: body.plan ?? 'unlimited' } as const
    const team = await deps.db.transaction(async (tx) => {
      const newTeam = await createTeam(tx, input, deps.clock.now())
      const fields = Object.keys(body).filter((name) => name === 'name' || name === 'plan')
      const entry = operatorEntry(request, { teamId: newTeam.id, action: 'team.create', fields })
      audit(tx, entry)
      return newTeam
    })
    return replyWithTeam(deps, team.id, 201)
  },
})

const one = { description: 'The team.', schema: OperatorTeamRecord }

const getTeam = route('GET', '/operator/teams/:id', {
  ...common,
  operationId: 'getTeamAsOperator',
  summary: 'Get a team as an operator',
  description: 'The plan, the usage, and whether sending is paused.',
  params: IdParams,
  responses: { 200: one },
  handle: ({ params, deps }) => replyWithTeam(deps, params.id),
})

const patchTeam = route('PATCH', '/operator/teams/:id', {
  ...common,
  operationId: 'updateTeamAsOperator',
  summary: 'Change the name or plan of a team',
  description: 'A new plan takes effect within a second; earlier usage still counts.',
  params: IdParams,
  body: Changes,
  responses: { 200: one },
  async handle(request) {
    const { params, deps } = request
    const body: Static<typeof Changes> = request.body
    const fields = (['name', 'plan'] as const).filter((name) => body[name] !== undefined)
    const audited = auditedByOperator(request, {
      teamId: params.id.toLowerCase(),
      action: 'team.update',
      fields,
    })
    const changes = { name: body.name ?? null, plan: body.plan ?? null }
    if (fields.length > 0) await changeTeamSettings(audited, params.id, changes, deps.clock.now())
    return replyWithTeam(deps, params.id)
  },
})

const postPause = route('POST', '/operator/teams/:id/pause', {
  ...common,
  operationId: 'pauseTeam',
  summary: 'Pause sending for a team',
  description: 'New emails are rejected; emails accepted earlier are still delivered.',
  params: IdParams,
  body: Type.Object(
    {
      reason: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'Reason. Members of the team see it.',
      }),
    },
    { examples: [{ reason: 'Please answer our question about your list first.' }] },
  ),
  responses: { 200: one },
  async handle(request) {
    const { params, body, deps } = request
    const teamId = params.id.toLowerCase()
    const audited = auditedByOperator(request, { teamId, action: 'team.pause', fields: ['reason'] })
    await pauseTeam(audited, params.id, deps.clock.now(), body.reason.trim())
    return replyWithTeam(deps, params.id)
  },
})

const postResume = route('POST', '/operator/teams/:id/resume', {
  ...common,
  operationId: 'resumeTeam',
  summary: 'Resume sending for a team',
  description: 'For a day, Sendwright does not pause the team automatically.',
  params: IdParams,
  responses: { 200: one },
  async handle(request) {
    const { params, deps } = request
    const audited = auditedByOperator(request, { teamId: params.id.toLowerCase(), action: 'team.resume' })
    await resumeTeam(audited, params.id, deps.clock.now())
    return replyWithTeam(deps, params.id)
  },
})

/**
 * Changes the given settings of a team, which every process applies within a second. Returns false when the team does
 * not exist.
 */
async function changeTeamSettings(
  db: Transactions,
  teamId: string,
  changes: { name: string | null; plan: PlanName | null },
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isThere = await updateTeamSettings(tx, teamId, changes, now)
    if (isThere) await hintAccessChanged(tx)
    return isThere
  })
}

export const operatorTeamRoutes: readonly Route<Deps>[] = [
  getTeams,
  postTeam,
  getTeam,
  patchTeam,
  postPause,
  postResume,
]
