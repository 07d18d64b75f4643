import Type, { type Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { isAtLeast } from '../access/roles.ts'
import { lookUpContact } from '../audience/contacts/contacts.ts'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { PAGE_PARAMETERS } from '../http/route/page.ts'
import { isResendClient } from '../http/route/resend-client.ts'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import { type ApiError, invalidField, orNotFound, throwInvalid } from '../lib/api-error.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import type { FindTemplate } from '../templates/template-cache.ts'
import {
  AutomationAnswer,
  AutomationBody,
  AutomationChanges,
  automationToJson,
} from './automation-schemas.ts'
import {
  type AutomationInput,
  type ClassRights,
  changeAutomation,
  createAutomation,
  duplicateAutomation,
  removeAutomation,
  stopAutomation,
} from './automations.ts'
import type { Graph } from './graph/graph-types.ts'
import { readGraph } from './graph/read-graph.ts'
import { moveRuns } from './move-runs.ts'
import { traceRun } from './reading/dry-run.ts'
import { DryRunAnswer, DryRunBody, traceToJson } from './reading/dry-run-schemas.ts'
import { MoveAnswer, MoveBody } from './reading/move-schemas.ts'
import { countRunsOfAutomations } from './reading/run-list-queries.ts'
import { VersionAnswer, versionToJson } from './reading/run-schemas.ts'
import { readContactReference, readPayload } from './reported/read-reference.ts'
import {
  AUTOMATION_COUNTER,
  type Automation,
  type AutomationStatus,
  countAutomations,
  findAutomation,
  listAutomations,
} from './rows/automations-queries.ts'
import { readRunContacts } from './rows/contact-scopes-queries.ts'
import { AUTOMATION_VERSIONS_KEPT, listCountedVersions } from './rows/versions-queries.ts'
import { RunIndex } from './running/run-index.ts'

interface Deps extends ResourceDeps {
  findTemplate: FindTemplate
}

const { route } = routesOf<Deps>()

type Changes = Static<typeof AutomationChanges>

const STATUSES: Readonly<Record<string, AutomationStatus>> = { enabled: 'active', disabled: 'paused' }

/** Returns only the fields that the request gives. */
function readChanges({ name, status, trigger, steps, connections, settings }: Changes): AutomationInput {
  const known = status === undefined ? undefined : ((STATUSES[status] ?? status) as AutomationStatus)
  return omitUndefined({ name, status: known, trigger, steps, connections, settings })
}

function rightsOf({ user }: Caller): ClassRights {
  return { mayBeTransactional: user === null || isAtLeast(user.role, 'admin') }
}

const COMMON = { area: 'automations', permission: 'full' } as const

const automations = new Resource('/automations', 'automation', {
  ...COMMON,
  noun: 'automation',
  schema: AutomationAnswer,
  toJson: (automation: Automation, { headers }) => automationToJson(automation, isResendClient(headers)),
})

function unknownContact(reference: { id: string } | { email: string }): ApiError {
  return 'id' in reference
    ? invalidField('contact_id', 'The contact_id field must be the id of a contact of this account.')
    : invalidField('email', 'The email field must be the address of a contact of this account.')
}

const postDryRun = route('POST', '/automations/:id/dry-run', {
  ...COMMON,
  operationId: 'dryRunAutomation',
  changesNothing: true,
  summary: 'Try an automation for a contact',
  description: 'Follows the graph as edited last. Sends and changes nothing. The graph must be complete.',
  params: IdParams,
  body: DryRunBody,
  responses: { 200: { description: 'Each step with its decision.', schema: DryRunAnswer } },
  async handle({ caller: { teamId }, params, body, deps }) {
    const { db, clock, findTemplate } = deps
    const automation = orNotFound(await findAutomation(db, teamId, params.id.toLowerCase()))
    const { problems, shownPath } = readGraph({}, true, automation)
    throwInvalid(problems.toErrors(shownPath))
    const reference = readContactReference(body)
    const found = await lookUpContact(db, teamId, 'id' in reference ? reference.id : reference.email)
    if (found === null) throw unknownContact(reference)
    const contact = orNotFound((await readRunContacts(db, teamId, [found.id])).get(found.id) ?? null)
    const trace = await traceRun(
      { db, findTemplate },
      {
        teamId,
        index: new RunIndex(automation.graph as Graph),
        contact,
        payload: readPayload(body.payload),
        events: new Set(body.events ?? []),
      },
      clock.now(),
    )
    return { status: 200, json: traceToJson(automation.id, trace) }
  },
})

const getVersions = route('GET', '/automations/:id/versions', {
  ...COMMON,
  operationId: 'listAutomationVersions',
  summary: 'List the versions of an automation',
  description: `Newest first, at most ${AUTOMATION_VERSIONS_KEPT}. A run ends on the version on which it began.`,
  params: IdParams,
  responses: {
    200: {
      description: 'Newest first.',
      schema: Type.Object({ object: Type.Literal('list'), data: Type.Array(VersionAnswer) }),
    },
  },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const { id } = orNotFound(await findAutomation(db, teamId, params.id.toLowerCase()))
    const versions = await listCountedVersions(db, teamId, id, AUTOMATION_VERSIONS_KEPT)
    return { status: 200, json: { object: 'list', data: versions.map(versionToJson) } }
  },
})

const postMove = route('POST', '/automations/:id/move-runs', {
  ...COMMON,
  operationId: 'moveAutomationRuns',
  action: 'automations.move-runs',
  summary: 'Move waiting runs to the current version',
  description: 'Runs of another version go on at the step of the same key. Those without one stay.',
  params: IdParams,
  body: MoveBody,
  responses: { 200: { description: 'The number of runs.', schema: MoveAnswer } },
  async handle({ caller, params, body, audited }) {
    const { from_version: fromVersion, dry_run: isDryRun = false } = body
    const id = params.id.toLowerCase()
    const moved = await runAgainOnDeadlock(audited, (tx) =>
      moveRuns(tx, caller.teamId, id, { fromVersion, isDryRun }),
    )
    return { status: 200, json: { object: 'automation_move', automation_id: id, ...moved } }
  },
})

const ListQuery = Type.Object({
  ...PAGE_PARAMETERS,
  status: Type.Optional(
    Type.Enum(['draft', 'active', 'paused', 'enabled', 'disabled'], {
      description: 'Only with this status.',
    }),
  ),
})

export const automationRoutes: readonly Route<Deps>[] = [
  automations.create('createAutomation', 'Create an automation', {
    description: 'A trigger and the steps that follow it.',
    body: AutomationBody,
    bodyExtends: 'UpdateAutomationRequest',
    input: (body) => ({ ...readChanges(body), name: body.name }),
    create: (tx, teamId, input, now, { caller }) =>
      createAutomation(tx, teamId, input, rightsOf(caller), now),
  }),
  automations.list('listAutomations', 'List automations', {
    description: 'Newest first.',
    query: ListQuery,
    async read(db, teamId, range, { query }) {
      const status =
        query.status === undefined ? null : ((STATUSES[query.status] ?? query.status) as AutomationStatus)
      const page = await listAutomations(db, teamId, range, status)
      const counts = await countRunsOfAutomations(
        db,
        teamId,
        page.rows.map(({ id }) => id),
      )
      const rows = page.rows.map((row) => ({ ...row, runs: counts.get(row.id) }))
      return {
        ...page,
        rows,
        ...(status !== null && { total: await countAutomations(db, teamId, status) }),
      }
    },
    counter: AUTOMATION_COUNTER,
  }),
  automations.get('getAutomation', 'Get an automation', {
    description: 'Includes its graph.',
    read: findAutomation,
  }),
  ...automations.update('updateAutomation', 'Update an automation', {
    description:
      'Changes only the fields you send. A changed graph of an active automation becomes a new version; runs under way end on theirs.',
    body: AutomationChanges,
    input: readChanges,
    update: (tx, teamId, id, input, now, { caller }) =>
      changeAutomation(tx, teamId, id, input, rightsOf(caller), now),
  }),
  automations.act('stop', 'stopAutomation', 'Pause an automation', {
    description: 'No run begins or takes a step. Clocks go on, and accepted emails leave.',
    act: stopAutomation,
  }),
  automations.act('duplicate', 'duplicateAutomation', 'Duplicate an automation', {
    description: 'The copy is a draft named `Copy of ...`.',
    status: 201,
    response: 'The new automation.',
    act: duplicateAutomation,
  }),
  automations.delete('deleteAutomation', 'Delete an automation', {
    description: 'Ends its runs.',
    remove: removeAutomation,
  }),
  getVersions,
  postMove,
  postDryRun,
]
