import Type from 'typebox'
import { Timestamp, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import {
  GraphConnectionModel,
  GraphSettingsModel,
  GraphStepAnswer,
  GraphStepInput,
  StoredConnectionModel,
  StoredSettingsModel,
} from './graph/graph-schemas.ts'
import { STEP_COUNT_LIMIT } from './graph/read-graph.ts'
import { TRIGGER_KINDS } from './graph/read-trigger.ts'
import type { RunCounts } from './reading/run-list-queries.ts'
import type { Automation } from './rows/automations-queries.ts'

const PARTS_EXAMPLE = {
  steps: [
    { key: 'start', type: 'trigger', config: { type: 'event', event_name: 'user.created' } },
    {
      key: 'welcome',
      type: 'send_email',
      config: {
        template: { id: '0198c0de-0000-7000-8000-0000000000a1', variables: { PLAN: { var: 'event.plan' } } },
      },
    },
    { key: 'wait', type: 'delay', config: { duration: '3 days' } },
  ],
  connections: [
    { from: 'start', to: 'welcome', type: 'default' },
    { from: 'welcome', to: 'wait', type: 'default' },
  ],
}
const EXAMPLE = {
  object: 'automation',
  id: '0198c0de-0000-7000-8000-0000000000f2',
  name: 'Welcome',
  status: 'paused',
  paused_reason: null,
  version: 1,
  trigger: { type: 'event', event_name: 'user.created' },
  ...PARTS_EXAMPLE,
  settings: { reentry: 'once', on_retrigger: 'keep', exits: [], resume_rate: 600 },
  created_at: '2026-03-01 09:30:00',
  updated_at: '2026-03-01 09:30:00',
}

const Status = Type.Enum(['draft', 'active', 'paused'], {
  description: '`active` requires a complete graph. Resend: `enabled` or `disabled`.',
})
const GivenStatus = Type.Enum(['draft', 'active', 'paused', 'enabled', 'disabled'], {
  description: '`enabled` and `disabled` stand for `active` and `paused`.',
})

const Config = Type.Record(Type.String(), Type.Unknown())
const TriggerInput = Type.Object(
  { type: Type.String({ description: `One of ${TRIGGER_KINDS.join(', ')}.` }) },
  {
    title: 'AutomationTrigger',
  },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the automation.',
})
/** The form of earlier versions. */
const FLAT_WORDS =
  'Without keys: a chain of `send_email` (template_id), `wait` (seconds), `condition` (segment_id), `update_contact`, `add_to_list` and `remove_from_list`.'

const orNull = <T extends Type.TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { ...(description !== undefined && { description }) }))
const REST = {
  status: Type.Optional(GivenStatus),
  trigger: orNull(TriggerInput, 'Replaces the config of the trigger step.'),
  steps: orNull(
    Type.Array(GraphStepInput, {
      maxItems: STEP_COUNT_LIMIT,
      description: `Replaced as a whole. ${FLAT_WORDS}`,
    }),
  ),
  connections: orNull(Type.Array(GraphConnectionModel, { description: 'Replaced as a whole.' })),
  settings: orNull(GraphSettingsModel, 'Replaced as a whole.'),
}
export const AutomationBody = Type.Object(
  { name: Name, ...REST },
  { examples: [{ name: 'Welcome', ...PARTS_EXAMPLE }] },
)
export const AutomationChanges = Type.Object(
  { name: Type.Optional(Name), ...REST },
  { examples: [{ name: 'Welcome, slowly', status: 'paused' }] },
)

export const AutomationAnswer = Type.Object(
  {
    object: Type.Literal('automation'),
    id: Uuid,
    name: Type.String({ description: 'Name of the automation.' }),
    status: Status,
    paused_reason: Type.Union([Type.Enum(['upgraded', 'restored']), Type.Null()], {
      description: 'Why Sendwright paused it.',
    }),
    version: Type.Integer({ description: 'The version that begins runs. 0: it was never active.' }),
    trigger: Type.Union([Config, Type.Null()], { description: 'Config of the trigger step.' }),
    steps: Type.Array(GraphStepAnswer, {
      description: 'Records that they refer to can be deleted unless it is active.',
    }),
    connections: Type.Array(StoredConnectionModel),
    settings: StoredSettingsModel,
    runs: Type.Optional(
      Type.Object(
        {
          running: Type.Integer({ description: 'Under way.' }),
          failed: Type.Integer({ description: 'Failed, up to 10,000.' }),
        },
        { description: 'Only in lists.' },
      ),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Automation', examples: [EXAMPLE] },
)

/** @param isForResend whether to show the status in Resend's words, which are two */
export function automationToJson(automation: Automation & { runs?: RunCounts }, isForResend: boolean) {
  const { graph, runs } = automation
  return {
    object: 'automation',
    id: automation.id,
    name: automation.name,
    status: isForResend ? resendStatusOf(automation) : automation.status,
    paused_reason: automation.pausedReason,
    version: automation.version,
    trigger: graph.steps.find(({ type }) => type === 'trigger')?.config ?? null,
    steps: graph.steps,
    connections: graph.connections,
    settings: automation.settings,
    ...(runs !== undefined && { runs }),
    created_at: formatTime(automation.createdAt),
    updated_at: formatTime(automation.updatedAt),
  }
}

function resendStatusOf({ status }: Automation): 'enabled' | 'disabled' {
  return status === 'active' ? 'enabled' : 'disabled'
}
