import Type from 'typebox'
import { IdOrNull, Timestamp, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { STEPS, TRIGGERS } from './automation-steps.ts'
import type { Automation } from './automations-queries.ts'

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
  description: '`active` requires a trigger and at least one step, all complete.',
})

/** Describes the rules as prose, with optional fields in brackets: `wait: seconds; ...`. */
function proseOf(rules: typeof STEPS): string {
  return Object.entries(rules)
    .map(([type, { required, optional }]) => {
      const fields = [...required, ...optional.map((field) => `[${field}]`)]
      return fields.length === 0 ? type : `${type} (${fields.join(', ')})`
    })
    .join('; ')
}

const idOf = (description: string) => Type.Optional(IdOrNull(description))
const REFERENCES = {
  list_id: idOf('Id of a list.'),
  segment_id: idOf('Id of a segment.'),
}
const Trigger = Type.Object(
  {
    type: Type.Enum(Object.keys(TRIGGERS), { description: 'Event that starts the automation.' }),
    ...REFERENCES,
  },
  { title: 'AutomationTrigger' },
)
const Step = Type.Object(
  {
    type: Type.Enum(Object.keys(STEPS), { description: 'Action of the step.' }),
    ...REFERENCES,
    template_id: idOf('Id of a template, which must be published for `active`.'),
    sender_id: idOf('Id of a sender. Overrides that of the template.'),
    subject: Type.Optional(
      Type.Union([Type.String({ maxLength: 998 }), Type.Null()], {
        description: 'Overrides the subject of the template.',
      }),
    ),
    seconds: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: WAIT_SECONDS_MAX }), Type.Null()], {
        description: 'Seconds to wait.',
      }),
    ),
    unsubscribed: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], { description: 'New value for the contact.' }),
    ),
  },
  { title: 'AutomationStep' },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the automation.',
})
const REST = {
  status: Type.Optional(Status),
  trigger: Type.Optional(
    Type.Union([Trigger, Type.Null()], {
      description: `Starts the automation for a contact: ${proseOf(TRIGGERS)}. Fields of other types are dropped.`,
    }),
  ),
  steps: Type.Optional(
    Type.Array(Step, {
      maxItems: STEP_COUNT_MAX,
      description: `In order: ${proseOf(STEPS)}. After a condition, only contacts in the segment continue. Fields of other types are dropped. Only \`active\` requires all fields.`,
    }),
  ),
}
export const AutomationBody = Type.Object(
  { name: Name, ...REST },
  { examples: [{ name: 'Welcome', steps: [{ type: 'wait', seconds: 3600 }] }] },
)
export const AutomationChanges = Type.Object(
  { name: Type.Optional(Name), ...REST },
  { examples: [{ name: 'Welcome, slowly', status: 'paused' }] },
)

const Part = Type.Object(
  { type: Type.String({ description: 'Type of the trigger or step.' }) },
  {
    additionalProperties: true,
    description: 'Type and its fields, as given.',
  },
)
export const AutomationAnswer = Type.Object(
  {
    object: Type.Literal('automation'),
    id: Uuid,
    name: Type.String({ description: 'Name of the automation.' }),
    status: Status,
    trigger: Type.Union([Part, Type.Null()]),
    steps: Type.Array(Part, {
      description: 'Unless the automation is active, records that they refer to can be deleted.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Automation', examples: [EXAMPLE] },
)

export function automationToJson(automation: Automation) {
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
