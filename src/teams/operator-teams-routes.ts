import Type, { type Static } from 'typebox'
import { audit } from '../access/audited-transactions.ts'
import { PLANS, type PlanName, parsePlan } from '../access/plans.ts'
import type { Db } from '../db/db-types.ts'
import { type Reply, type Route, routesOf } from '../http/route.ts'
import {
  IdParams,
  IntegerOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Uuid,
} from '../http/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { createTeam, pauseTeam, resumeTeam } from './access.ts'
import { auditedByOperator, operatorEntry } from './operator-audit.ts'
import { changeTeamSettings } from './operator-teams.ts'
import { listTeamOverviews, type TeamOverview } from './operator-teams-queries.ts'

interface Deps {
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const SIZE_MAX = 100
const SIZE_DEFAULT = 25

const common = { tag: 'Operator', permission: 'operator', limit: 'general' } as const

const Plan = Type.Enum(Object.keys(PLANS) as PlanName[], {
  title: 'PlanName',
  description: 'As `GET /operator/plans` lists them.',
})
const Name = Type.String({ minLength: 1, maxLength: 255, description: 'A name for people.' })

const Period = (description: string) =>
  Type.Object(
    {
      used: Type.Integer({ description: 'Recipients, all of to, cc and bcc.' }),
      limit: IntegerOrNull('What the plan allows; null: no limit.'),
    },
    { description },
  )

const EXAMPLE = {
  object: 'operator_team',
  id: '0198c0de-0000-7000-8000-0000000000a1',
  name: 'Acme',
  plan: '50k',
  members: 3,
  month: { used: 12_400, limit: 50_000 },
  day: { used: 310, limit: null },
  emails_this_month: 11_900,
  sending_paused_at: null,
  sending_paused_by: null,
  sending_paused_reason: null,
  guard_until: null,
  created_at: '2026-01-15 09:30:00',
}

export const TeamRecord = Type.Object(
  {
    object: Type.Literal('operator_team'),
    id: Uuid,
    name: Text('A name for people.'),
    plan: Plan,
    members: Type.Integer({ description: 'Users of the team; counted up to 1,000.' }),
    month: Period('The calendar month, UTC.'),
    day: Period('The calendar day, UTC.'),
    emails_this_month: Type.Integer({ description: 'Accepted emails, however many recipients each has.' }),
    sending_paused_at: Type.Union([TimestampOrNull], { description: 'Null: it may send.' }),
    sending_paused_by: Type.Union([Type.Enum(['operator', 'reputation']), Type.Null()], {
      description: '`reputation`: the service itself.',
    }),
    sending_paused_reason: TextOrNull('In words for its people.'),
    guard_until: Type.Union([TimestampOrNull], {
      description: 'Until then the service does not pause it by itself: an operator let it go on.',
    }),
    created_at: Timestamp,
  },
  { title: 'OperatorTeam', examples: [EXAMPLE] },
)

function teamToJson(team: TeamOverview) {
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[parsePlan(team.plan) ?? 'free']
  return {
    object: 'operator_team',
    id: team.id,
    name: team.name,
    plan: team.plan,
    members: team.members,
    month: { used: team.monthRecipients, limit: monthRecipientsMax },
    day: { used: team.dayRecipients, limit: dayRecipientsMax },
    emails_this_month: team.emails,
    sending_paused_at: formatTime(team.sendingPausedAt),
    sending_paused_by: team.sendingPausedBy,
    sending_paused_reason: team.sendingPausedReason,
    guard_until: formatTime(team.guardUntil),
    created_at: formatTime(team.createdAt),
  }
}

const ALL = { id: null, prefix: null, isPaused: null, after: null }

/** Throws ApiError (404). */
async function readTeam({ db, clock }: Deps, id: string, status = 200): Promise<Reply> {
  const [team] = await listTeamOverviews(db, { ...ALL, id }, clock.now(), 1)
  if (team === undefined) throw new ApiError('not_found')
  return { status, json: teamToJson(team) }
}

const getTeams = route('GET', '/operator/teams', {
  ...common,
  operationId: 'listTeams',
  summary: 'List teams',
  description: 'For operators. Newest first; continue after the last team with `after`.',
  query: Type.Object({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Only names that begin so, in any case.' }),
    ),
    paused: Type.Optional(
      Type.Boolean({ description: 'Only those whose sending is paused, or only those that may send.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: SIZE_MAX, description: `Records; ${SIZE_DEFAULT} by default.` }),
    ),
    after: Type.Optional(Type.String({ format: 'uuid', description: 'Continue after this id.' })),
  }),
  responses: {
    200: {
      description: 'The teams.',
      schema: Type.Object({
        object: Type.Literal('list'),
        has_more: Type.Boolean({ description: 'There are more behind the last one.' }),
        data: Type.Array(TeamRecord),
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
  description: 'For operators. The team has no members and no API keys yet.',
  body: Type.Object({ name: Name, plan: Type.Optional(Plan) }, { examples: [{ name: 'Acme', plan: '50k' }] }),
  responses: { 201: { description: 'The team. Without a plan it is unlimited.', schema: TeamRecord } },
  async handle(request) {
    const { body, deps } = request
    const input = { name: body.name, plan: body.plan ?? 'unlimited' } as const
    const team = await deps.db.transaction(async (tx) => {
      const made = await createTeam(tx, input, deps.clock.now())
      const fields = Object.keys(body).filter((name) => name === 'name' || name === 'plan')
      const entry = operatorEntry(request, { teamId: made.id, action: 'team.create', fields })
      audit(tx, entry)
      return made
    })
    return readTeam(deps, team.id, 201)
  },
})

const one = { description: 'The team.', schema: TeamRecord }

const getTeam = route('GET', '/operator/teams/:id', {
  ...common,
  operationId: 'getTeamAsOperator',
  summary: 'Get a team as an operator',
  description: 'For operators.',
  params: IdParams,
  responses: { 200: one },
  handle: ({ params, deps }) => readTeam(deps, params.id),
})

const Changes = Type.Object(
  { name: Type.Optional(Name), plan: Type.Optional(Plan) },
  { title: 'UpdateOperatorTeamRequest', examples: [{ plan: '100k' }] },
)

const patchTeam = route('PATCH', '/operator/teams/:id', {
  ...common,
  operationId: 'updateTeamAsOperator',
  summary: 'Change the name or plan of a team',
  description: 'For operators. A new plan applies within a second; usage so far still counts.',
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
    return readTeam(deps, params.id)
  },
})

const postPause = route('POST', '/operator/teams/:id/pause', {
  ...common,
  operationId: 'pauseTeam',
  summary: 'Pause sending for a team',
  description:
    'For operators. New emails are rejected; emails accepted earlier are still delivered. Members see the reason.',
  params: IdParams,
  body: Type.Object(
    {
      reason: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'Why, in words for its people.',
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
    return readTeam(deps, params.id)
  },
})

const postResume = route('POST', '/operator/teams/:id/resume', {
  ...common,
  operationId: 'resumeTeam',
  summary: 'Resume sending for a team',
  description: 'For operators. The service will not pause the team automatically for a day.',
  params: IdParams,
  responses: { 200: one },
  async handle(request) {
    const { params, deps } = request
    const audited = auditedByOperator(request, { teamId: params.id.toLowerCase(), action: 'team.resume' })
    await resumeTeam(audited, params.id, deps.clock.now())
    return readTeam(deps, params.id)
  },
})

export const operatorTeamRoutes: readonly Route<Deps>[] = [
  getTeams,
  postTeam,
  getTeam,
  patchTeam,
  postPause,
  postResume,
]
