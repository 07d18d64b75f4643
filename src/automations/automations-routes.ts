import type { Static } from 'typebox'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import type { Route } from '../http/route/route.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import {
  AutomationAnswer,
  AutomationBody,
  AutomationChanges,
  automationToJson,
} from './automation-schemas.ts'
import type { PartInput } from './automation-steps.ts'
import { type AutomationInput, changeAutomation, createAutomation, removeAutomation } from './automations.ts'
import { AUTOMATION_COUNTER, findAutomation, listAutomations } from './automations-queries.ts'

/** Returns only the fields that the request gives. */
function readChanges({ name, status, trigger, steps }: Static<typeof AutomationChanges>) {
  return omitUndefined({
    name,
    status,
    trigger: trigger as PartInput | null | undefined,
    steps: steps as PartInput[] | undefined,
  })
}

const NOT_YET = 'This version stores automations but does not run them.'

const automations = new Resource('/automations', 'automation', {
  area: 'automations',
  permission: 'full',
  noun: 'automation',
  schema: AutomationAnswer,
  toJson: automationToJson,
})

export const automationRoutes: readonly Route<ResourceDeps>[] = [
  automations.create('createAutomation', 'Create an automation', {
    description: `An automation is a trigger and the steps that follow it for a contact. ${NOT_YET}`,
    body: AutomationBody,
    bodyExtends: 'UpdateAutomationRequest',
    input: (body): AutomationInput => ({
      status: 'draft',
      trigger: null,
      steps: [],
      ...readChanges(body),
      name: body.name,
    }),
    create: createAutomation,
  }),
  automations.list('listAutomations', 'List automations', {
    description: 'Newest first.',
    read: listAutomations,
    counter: AUTOMATION_COUNTER,
  }),
  automations.get('getAutomation', 'Get an automation', {
    description: 'Includes the trigger and the steps.',
    read: findAutomation,
  }),
  ...automations.update('updateAutomation', 'Update an automation', {
    description:
      'Changes only the fields you send; `steps` is replaced as a whole. The status can change in any direction.',
    body: AutomationChanges,
    input: readChanges,
    update: changeAutomation,
  }),
  automations.delete('deleteAutomation', 'Delete an automation', {
    description: 'Deletes its trigger and steps.',
    remove: removeAutomation,
  }),
]
