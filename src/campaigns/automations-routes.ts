import Type, { type Static } from 'typebox'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db } from '../db/db-types.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { aliasOf, type Route, routesOf } from '../http/route.ts'
import { Deleted, IdParams, Timestamp, Uuid } from '../http/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { type PartInput, STEPS, TRIGGERS } from './automation-steps.ts'
import { type AutomationInput, changeAutomation, createAutomation, removeAutomation } from './automations.ts'
import {
  AUTOMATION_COUNTER,
  type Automation,
  findAutomation,
  listAutomations,
} from './automations-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const STEP_COUNT_MAX = 100
const WAIT_SECONDS_MAX = 365 * 24 * 3600

const PARTS_EXAMPLE = {
  trigger: { type: 'list_joined', list_id: '0198c0de-0000-7000-8000-0000000000b1' },
  steps: [
    { type: 'wait', seconds: 3600 },
    { type: 'send_email', template_id: '0198c0de-0000-7000-8000-0000000000a1' },
  ],
}
const EXAMPLE = {
  object: 'automation',
  id: '0198c0de-0000-7000-8000-0000000000f2',
  name: 'Welcome',
  status: 'paused',
  ...PARTS_EXAMPLE,
  created_at: '2026-03-01 09:30:00',
  updated_at: '2026-03-01 09:30:00',
}

const Status = Type.Enum(['draft', 'active', 'paused'], {
  description: 'An active one has a trigger and at least one step, all of them complete.',
})

/** `wait: seconds; ...`: a table as prose, optional fields in brackets. */
function proseOf(rules: typeof STEPS): string {
  return Object.entries(rules)
    .map(([type, { required, optional }]) => {
      const fields = [...required, ...optional.map((field) => `[${field}]`)]
      return fields.length === 0 ? type : `${type} (${fields.join(', ')})`
    })
    .join('; ')
}

const idOf = (description: string) => Type.Optional(Type.Union([Uuid, Type.Null()], { description }))
const REFERENCES = {
  list_id: idOf('A list of the account.'),
  segment_id: idOf('A segment of the account.'),
}
const Trigger = Type.Object(
  {
    type: Type.Enum(Object.keys(TRIGGERS), { description: 'The event that starts the automation.' }),
    ...REFERENCES,
  },
  { title: 'AutomationTrigger' },
)
const Step = Type.Object(
  {
    type: Type.Enum(Object.keys(STEPS), { description: 'The action of the step.' }),
    ...REFERENCES,
    template_id: idOf('A template of the account; in an active automation a published one.'),
    sender_id: idOf('A sender of the account, in place of the template’s.'),
    subject: Type.Optional(
      Type.Union([Type.String({ maxLength: 998 }), Type.Null()], {
        description: 'In place of the template’s.',
      }),
    ),
    seconds: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: WAIT_SECONDS_MAX }), Type.Null()], {
        description: 'How long to wait.',
      }),
    ),
    unsubscribed: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], { description: 'The new value for the contact.' }),
    ),
  },
  { title: 'AutomationStep' },
)

const Name = Type.String({ minLength: 1, maxLength: 255, description: 'Does not have to be unique.' })
const REST = {
  status: Type.Optional(Status),
  trigger: Type.Optional(
    Type.Union([Trigger, Type.Null()], {
      description: `What begins it for a contact: ${proseOf(TRIGGERS)}. Fields of other types are dropped.`,
    }),
  ),
  steps: Type.Optional(
    Type.Array(Step, {
      maxItems: STEP_COUNT_MAX,
      description: `In the order in which they happen: ${proseOf(STEPS)}. After a condition only contacts in the segment go on. Fields of other types are dropped; what is missing may be until the automation is active.`,
    }),
  ),
}
const AutomationBody = Type.Object(
  { name: Name, ...REST },
  { examples: [{ name: 'Welcome', steps: [{ type: 'wait', seconds: 3600 }] }] },
)
const AutomationChanges = Type.Object(
  { name: Type.Optional(Name), ...REST },
  { examples: [{ name: 'Welcome, slowly', status: 'paused' }] },
)

const Part = Type.Object(
  { type: Type.String({ description: 'The type of the trigger or step.' }) },
  {
    additionalProperties: true,
    description: 'The type, and the fields that belong to it, as they were given.',
  },
)
export const AutomationAnswer = Type.Object(
  {
    object: Type.Literal('automation'),
    id: Uuid,
    name: Type.String({ description: 'A name for people.' }),
    status: Status,
    trigger: Type.Union([Part, Type.Null()]),
    steps: Type.Array(Part, {
      description: 'What they name may have been deleted since, unless the automation is active.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Automation', examples: [EXAMPLE] },
)

function automationToJson(automation: Automation) {
  return {
    object: 'automation',
    id: automation.id,
    name: automation.name,
    status: automation.status,
    trigger: automation.trigger,
    steps: automation.steps,
    created_at: formatTime(automation.createdAt),
    updated_at: formatTime(automation.updatedAt),
  }
}

/** Only what the request names. */
function readChanges(body: Static<typeof AutomationChanges>): Partial<AutomationInput> {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.status === undefined ? {} : { status: body.status }),
    ...(body.trigger === undefined ? {} : { trigger: body.trigger as PartInput | null }),
    ...(body.steps === undefined ? {} : { steps: body.steps as PartInput[] }),
  }
}

const COMMON = { tag: 'Automations', permission: 'full', limit: 'general' } as const
const ONE = { description: 'The automation.', schema: AutomationAnswer }
const NOT_YET = 'This version stores automations but does not run them.'

const postAutomation = route('POST', '/automations', {
  ...COMMON,
  operationId: 'createAutomation',
  action: 'automations.create',
  summary: 'Create an automation',
  description: `A trigger, and the steps that follow it for a contact. ${NOT_YET}`,
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

const getAutomations = route('GET', '/automations', {
  ...COMMON,
  operationId: 'listAutomations',
  summary: 'List automations',
  description: NOT_YET,
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(AutomationAnswer) } },
  async handle({ caller, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listAutomations(lists, caller.teamId, page)
    const total = await readCounter(lists, caller.teamId, AUTOMATION_COUNTER)
    const list = { publicUrl: config.publicUrl, path: '/automations', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(automationToJson) }) }
  },
})

const getAutomation = route('GET', '/automations/:id', {
  ...COMMON,
  operationId: 'getAutomation',
  summary: 'Get an automation',
  description: NOT_YET,
  params: IdParams,
  responses: { 200: ONE },
  async handle({ caller, params, deps: { db } }) {
    const automation = await findAutomation(db, caller.teamId, params.id)
    if (automation === null) throw new ApiError('not_found')
    return { status: 200, json: automationToJson(automation) }
  },
})

const patchAutomation = route('PATCH', '/automations/:id', {
  ...COMMON,
  operationId: 'updateAutomation',
  action: 'automations.update',
  summary: 'Update an automation',
  description: `Changes only the fields you send; \`steps\` is replaced as a whole. Any status may follow any other. ${NOT_YET}`,
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

const deleteAutomation = route('DELETE', '/automations/:id', {
  ...COMMON,
  operationId: 'deleteAutomation',
  action: 'automations.delete',
  summary: 'Delete an automation',
  description: 'Deletes its trigger and steps.',
  params: IdParams,
  responses: { 200: { description: 'The record was deleted.', schema: Deleted } },
  async handle({ caller, params, audited }) {
    const id = params.id.toLowerCase()
    await audited.transaction((tx) => removeAutomation(tx, caller.teamId, id))
    return { status: 200, json: deletedToJson('automation', id) }
  },
})

export const automationRoutes: readonly Route<Deps>[] = [
  postAutomation,
  getAutomations,
  getAutomation,
  patchAutomation,
  aliasOf(patchAutomation, { method: 'PUT' }),
  deleteAutomation,
]
