import Type from 'typebox'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { listOf, PAGE_PARAMETERS, pageReply, readPage } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { invalidField, orNotFound } from '../../lib/api-error.ts'
import { readContactReference, readPayload } from '../reported/read-reference.ts'
import { CONTACT_REFERENCE, Payload } from '../reported/reported-schemas.ts'
import { type Automation, findAutomation } from '../rows/automations-queries.ts'
import { listStepsTaken } from '../rows/steps-taken-queries.ts'
import { findAutomationVersions } from '../rows/versions-queries.ts'
import {
  countRuns,
  findRun,
  listFigures,
  listRuns,
  RUN_STATUSES,
  type RunFilter,
  type RunStatus,
} from './run-list-queries.ts'
import { FiguresAnswer, figuresToJson, RunAnswer, RunTrail, runToJson, trailToJson } from './run-schemas.ts'
import { cancelRun, retryRun, startByApi } from './run-verbs.ts'

const { route } = routesOf<ResourceDeps>()

const COMMON = { area: 'automations', permission: 'full' } as const

const RunParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the automation.' }),
  runId: Type.String({ format: 'uuid', description: 'Id of the run.' }),
})
type RunParams = { id: string; runId: string }

const RunQuery = Type.Object({
  ...PAGE_PARAMETERS,
  status: Type.Optional(
    Type.Array(Type.String(), { description: `Comma-separated: ${RUN_STATUSES.join(', ')}.` }),
  ),
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'Only runs of this version.' })),
  step: Type.Optional(Type.String({ description: 'Only runs that are or ended at this step.' })),
  contact_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only runs of this contact.' })),
})

const getRuns = route('GET', '/automations/:id/runs', {
  ...COMMON,
  operationId: 'listAutomationRuns',
  summary: 'List the runs of an automation',
  description: 'Newest first.',
  params: IdParams,
  query: RunQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(RunAnswer) } },
  async handle(request) {
    const { caller, params, query, deps } = request
    const { teamId } = caller
    const { id } = await requireAutomation(deps, teamId, params.id)
    const filter: RunFilter = {
      statuses: readStatuses(query.status),
      version: query.version ?? null,
      step: query.step ?? null,
      contactId: query.contact_id?.toLowerCase() ?? null,
    }
    const page = readPage(query)
    const [runs, total] = await Promise.all([
      listRuns(deps.lists, teamId, id, filter, page),
      countRuns(deps.lists, teamId, id, filter),
    ])
    return pageReply(request, `/automations/${id}/runs`, { ...runs, page, total }, runToJson)
  },
})

function readStatuses(parts: readonly string[] = []): RunStatus[] {
  const names = parts.flatMap((part) => part.split(',')).map((name) => name.trim())
  // The same word in American spelling.
  const statuses = names.map((name) => (name === 'canceled' ? 'cancelled' : name))
  const isStatus = (name: string): name is RunStatus => (RUN_STATUSES as readonly string[]).includes(name)
  if (!statuses.every(isStatus))
    throw invalidField('status', `The status field must be one of ${RUN_STATUSES.join(', ')}.`)
  return statuses as RunStatus[]
}

async function requireAutomation({ lists }: ResourceDeps, teamId: string, id: string): Promise<Automation> {
  return orNotFound(await findAutomation(lists, teamId, id.toLowerCase()))
}

const getRun = route('GET', '/automations/:id/runs/:runId', {
  ...COMMON,
  operationId: 'getAutomationRun',
  summary: 'Get a run of an automation',
  description: 'With each step that it took, and why it is where it is.',
  params: RunParams,
  responses: { 200: { description: 'The run.', schema: RunTrail } },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const [id, runId] = [params.id.toLowerCase(), params.runId.toLowerCase()]
    const run = orNotFound(await findRun(db, teamId, id, runId))
    const taken = await listStepsTaken(db, teamId, runId)
    const [version] = await findAutomationVersions(db, teamId, [run])
    return { status: 200, json: trailToJson(run, taken, version?.graph ?? null) }
  },
})

const postRun = route('POST', '/automations/:id/runs', {
  ...COMMON,
  operationId: 'startAutomationRun',
  action: 'automations.start-run',
  summary: 'Begin a run of an automation',
  description: 'Requires the trigger `api`. Returns 409 if the settings do not let the contact begin.',
  params: IdParams,
  body: Type.Object(
    { ...CONTACT_REFERENCE, payload: Payload },
    { examples: [{ email: 'ann@customer.example', payload: { plan: 'pro' } }] },
  ),
  responses: { 201: { description: 'The run.', schema: RunAnswer } },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const start = { contact: readContactReference(body), payload: readPayload(body.payload) }
    const run = await runAgainOnDeadlock(audited, (tx) =>
      startByApi(tx, caller.teamId, params.id.toLowerCase(), start, clock.now()),
    )
    return { status: 201, json: runToJson(run) }
  },
})

type Verb = typeof cancelRun

function actOnRun(verb: string, operationId: string, summary: string, description: string, act: Verb) {
  return route('POST', `/automations/:id/runs/:runId/${verb}`, {
    ...COMMON,
    operationId,
    action: `automations.${verb}-run`,
    summary,
    description,
    params: RunParams,
    responses: { 200: { description: 'The run.', schema: RunAnswer } },
    async handle({ caller, params, audited, deps: { clock } }) {
      const { id, runId } = params as RunParams
      const run = await audited.transaction((tx) =>
        act(tx, caller.teamId, id.toLowerCase(), runId.toLowerCase(), clock.now()),
      )
      return { status: 200, json: runToJson(run) }
    },
  })
}

const getFigures = route('GET', '/automations/:id/figures', {
  ...COMMON,
  operationId: 'getAutomationFigures',
  summary: 'Get the figures of an automation',
  description: 'By step, for one version.',
  params: IdParams,
  query: Type.Object({
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the current version.' })),
  }),
  responses: { 200: { description: 'The figures.', schema: FiguresAnswer } },
  async handle({ caller: { teamId }, params, query, deps }) {
    const automation = await requireAutomation(deps, teamId, params.id)
    const version = query.version ?? automation.version
    const key = { automationId: automation.id, version }
    const [found] = await findAutomationVersions(deps.db, teamId, [key])
    if (found === undefined && query.version !== undefined) orNotFound(null)
    const figures = await listFigures(deps.db, teamId, automation.id, version)
    return { status: 200, json: figuresToJson(automation.id, version, figures, found?.graph ?? null) }
  },
})

export const automationRunRoutes: readonly Route<ResourceDeps>[] = [
  getRuns,
  postRun,
  getRun,
  actOnRun(
    'cancel',
    'cancelAutomationRun',
    'Cancel a run of an automation',
    'Ends it where it is. Returns 409 if it has ended.',
    cancelRun,
  ),
  actOnRun(
    'retry',
    'retryAutomationRun',
    'Retry a run of an automation',
    'Takes its last step again. Returns 409 unless it failed.',
    retryRun,
  ),
  getFigures,
]
