import type { Static } from 'typebox'
import { type ResourceDeps, resource } from '../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import {
  AutomationAnswer,
  AutomationBody,
  AutomationChanges,
  automationToJson,
} from './automation-schemas.ts'
import type { PartInput } from './automation-steps.ts'
import { type AutomationInput, changeAutomation, createAutomation, removeAutomation } from './automations.ts'
import { AUTOMATION_COUNTER, findAutomation, listAutomations } from './automations-queries.ts'

const { route } = routesOf<ResourceDeps>()

/** Returns only the fields that the request gives. */
function readChanges(body: Static<typeof AutomationChanges>): Partial<AutomationInput> {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.status === undefined ? {} : { status: body.status }),
    ...(body.trigger === undefined ? {} : { trigger: body.trigger as PartInput | null }),
    ...(body.steps === undefined ? {} : { steps: body.steps as PartInput[] }),
  }
}

const COMMON = { tag: 'Automations', permission: 'full', limit: 'general' } as const
const automations = resource('/automations', 'automation', COMMON)
const ONE = { description: 'The automation.', schema: AutomationAnswer }
const NOT_YET = 'This version stores automations but does not run them.'

const postAutomation = route('POST', '/automations', {
  ...COMMON,
  operationId: 'createAutomation',
  action: 'automations.create',
  summary: 'Create an automation',
  description: `An automation is a trigger and the steps that follow it for a contact. ${NOT_YET}`,
  body: AutomationBody,
  responses: { 201: { ...ONE, description: 'The new automation.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const empty = { status: 'draft', trigger: null, steps: [] } as const
    const input = { ...empty, ...readChanges(body), name: body.name }
    const automation = await audited.transaction((tx) =>
      createAutomation(tx, caller.teamId, input, clock.now()),
    )
    return { status: 201, json: automationToJson(automation) }
  },
})

const getAutomations = automations.list('listAutomations', 'List automations', {
  description: 'Newest first.',
  schema: AutomationAnswer,
  read: listAutomations,
  counter: AUTOMATION_COUNTER,
  toJson: automationToJson,
})

const getAutomation = automations.get('getAutomation', 'Get an automation', {
  description: 'Includes the trigger and the steps.',
  response: ONE,
  read: findAutomation,
  toJson: automationToJson,
})

const patchAutomation = route('PATCH', '/automations/:id', {
  ...COMMON,
  operationId: 'updateAutomation',
  action: 'automations.update',
  summary: 'Update an automation',
  description: `Changes only the fields you send; \`steps\` is replaced as a whole. The status can change in any direction.`,
  params: IdParams,
  body: AutomationChanges,
  responses: { 200: ONE },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const changes = readChanges(body)
    const automation = await audited.transaction((tx) =>
      changeAutomation(tx, caller.teamId, params.id, changes, clock.now()),
    )
    return { status: 200, json: automationToJson(automation) }
  },
})

const deleteAutomation = automations.delete('deleteAutomation', 'Delete an automation', {
  description: 'Deletes its trigger and steps.',
  remove: removeAutomation,
})

export const automationRoutes: readonly Route<ResourceDeps>[] = [
  postAutomation,
  getAutomations,
  getAutomation,
  patchAutomation,
  aliasOf(patchAutomation, { method: 'PUT' }),
  deleteAutomation,
]
