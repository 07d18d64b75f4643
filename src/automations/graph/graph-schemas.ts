import Type from 'typebox'
import { CONNECTION_TYPES, DEFAULT_SETTINGS, type StepKind, type TriggerKind } from './graph-types.ts'

const EMAIL_FILTER = '[campaign_id], [template_id], [tag]'

/** The fields of each trigger and step in words; optional ones are in brackets. */
export const TRIGGER_PROSE: Readonly<Record<TriggerKind, string>> = {
  contact_created: '',
  contact_updated: '',
  property_changed: 'property, [from], [to]',
  list_joined: 'list_id',
  list_left: 'list_id',
  segment_entered: 'segment_id',
  email_delivered: EMAIL_FILTER,
  email_opened: EMAIL_FILTER,
  email_clicked: `${EMAIL_FILTER}, [link]`,
  email_bounced: EMAIL_FILTER,
  event: 'event_name, [filter_rule]',
  date: 'property, [offset], [repeat]: `once` or `yearly`, [time], [time_zone]',
  api: '',
}
export const STEP_PROSE: Readonly<Record<StepKind, string>> = {
  trigger: 'type and its fields',
  send_email: 'template: id, [variables]; [subject], [from], [sender_id], [reply_to], [class]',
  delay: 'duration',
  wait_until: '[time], [weekdays], [at], [time_zone]',
  wait_for_event: 'event_name, [timeout], [filter_rule], [email_step]',
  condition: 'a rule',
  split: 'branches: rule, [name]',
  random_split: 'branches: [weight], [name]',
  contact_update: '[first_name], [last_name], [unsubscribed], [properties]',
  contact_delete: '',
  add_to_list: 'list_id',
  remove_from_list: 'list_id',
  add_to_segment: 'segment_id',
  webhook: 'webhook_id, [data], [response_timeout]',
  digest: 'duration, [item]',
  goal: 'event_name, [filter_rule] or rule; [otherwise]: `continue`, `wait` or `exit`',
  exit: '[reason]',
}

function proseOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([type, words]) => (words === '' ? `\`${type}\`` : `\`${type}\` (${words})`))
    .join(', ')
}

const Loose = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

const CONFIG =
  `Fields of the type. Triggers: ${proseOf(TRIGGER_PROSE)}. ` +
  'Durations: `3 days`, `PT1H` or seconds. Rules: `rule` (field, operator, value), `and`, `or`, `not`, `segment`. ' +
  'Values: `{"var": "event.plan"}` or `{"var": "contact.first_name"}`.'

/** The reader checks everything but the types of these fields, so that its errors name the fields of the config (read-graph.ts). */
export const GraphStepInput = Type.Object(
  {
    key: Type.Optional(
      Type.String({ description: 'Unique in the automation: up to 64 letters, digits, `-` and `_`.' }),
    ),
    type: Type.String({ description: `One of ${proseOf(STEP_PROSE)}.` }),
    config: Type.Optional(Loose(CONFIG)),
  },
  { title: 'AutomationStepInput' },
)

export const GraphStepAnswer = Type.Object(
  {
    key: Type.String({ description: 'Key of the step.' }),
    type: Type.String({ description: 'Type of the step.' }),
    config: Loose('Its fields, with durations such as `3 days`.'),
  },
  { title: 'AutomationGraphStep' },
)

export const GraphConnectionModel = Type.Object(
  {
    from: Type.String({ description: 'Key of the step before.' }),
    to: Type.String({ description: 'Key of the next step.' }),
    type: Type.Optional(
      Type.Enum([...CONNECTION_TYPES], { description: 'Outcome of the step. Default: `default`.' }),
    ),
  },
  { title: 'AutomationConnection' },
)

const Duration = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()], { description }))

export const GraphSettingsModel = Type.Object(
  {
    reentry: Type.Optional(
      Type.Enum(['once', 'after_exit', 'every_time'], { description: 'Whether a contact can start again.' }),
    ),
    reentry_gap: Duration('Shortest time from the last start, or for `after_exit` from the last end.'),
    on_retrigger: Type.Optional(
      Type.Enum(['keep', 'restart'], { description: 'What a trigger does to the run of its contact.' }),
    ),
    exits: Type.Optional(
      Type.Array(Loose('event_name, [filter_rule] or rule.'), { description: 'Each ends a run.' }),
    ),
    max_late: Duration('Emails that are later than this are skipped.'),
    resume_rate: Type.Optional(
      Type.Integer({
        description: `Steps a minute after a pause. Default: ${DEFAULT_SETTINGS.resume_rate}.`,
      }),
    ),
  },
  { title: 'AutomationSettings' },
)

export const StoredConnectionModel = Type.Object(
  {
    from: Type.String({ description: 'Key of the step before.' }),
    to: Type.String({ description: 'Key of the next step.' }),
    type: Type.Enum([...CONNECTION_TYPES], { description: 'Outcome of the step.' }),
  },
  { title: 'AutomationStoredConnection' },
)

export const StoredSettingsModel = Type.Object(GraphSettingsModel.properties, {
  title: 'AutomationStoredSettings',
})

/** A request's steps and connections, for examples of the API. */
export const GRAPH_EXAMPLE = {
  steps: [
    { key: 'start', type: 'trigger', config: { type: 'event', event_name: 'trial_started' } },
    { key: 'wait', type: 'delay', config: { duration: '3 days' } },
    {
      key: 'welcome',
      type: 'send_email',
      config: { template: { id: '0198c0de-0000-7000-8000-0000000000a1' } },
    },
  ],
  connections: [
    { from: 'start', to: 'wait', type: 'default' as const },
    { from: 'wait', to: 'welcome', type: 'default' as const },
  ],
}
