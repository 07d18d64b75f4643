import type { StepKind, TriggerKind } from '../../../../src/automations/graph/graph-types.ts'

/** A field of the config of a step, which the editor shows. */
export interface StepField {
  /** Its path in the config. Empty: the whole config. */
  path: string
  label: string
  kind:
    | 'text'
    | 'number'
    | 'rule'
    | 'branches'
    | 'choice'
    | 'record'
    | 'weekdays'
    | 'moment'
    | 'zone'
    | 'entries'
    | 'value'
    | 'flag'
  description?: string
  placeholder?: string
  /** Of a choice. */
  choices?: readonly { value: string; label: string }[]
  /** Of a record: the API path of its list, and the field that names each. Default: `name`. */
  list?: string
  namedBy?: 'endpoint'
}

const DURATION = {
  kind: 'text',
  placeholder: '3 days',
  description: 'For example 3 days or 90 minutes.',
} as const
const LIST: StepField = { path: 'list_id', label: 'List', kind: 'record', list: '/lists' }
const SEGMENT: StepField = { path: 'segment_id', label: 'Segment', kind: 'record', list: '/segments' }
const ZONE: StepField = { path: 'time_zone', label: 'Time zone (optional)', kind: 'zone' }
const EVENT: StepField = { path: 'event_name', label: 'Event', kind: 'text', placeholder: 'order.paid' }
const FILTER: StepField = { path: 'filter_rule', label: 'Only if (optional)', kind: 'rule' }
const TEMPLATE: StepField = {
  path: 'template_id',
  label: 'Template (optional)',
  kind: 'record',
  list: '/templates',
}
const CLOCK: StepField = { path: 'time', label: 'Time (optional)', kind: 'text', placeholder: '09:00' }
const PROPERTY: StepField = {
  path: 'property',
  label: 'Field or property',
  kind: 'text',
  placeholder: 'plan',
}

const TRIGGER_FIELDS: Readonly<Partial<Record<TriggerKind, readonly StepField[]>>> = {
  property_changed: [
    PROPERTY,
    { path: 'from', label: 'From (optional)', kind: 'text' },
    { path: 'to', label: 'To (optional)', kind: 'text' },
  ],
  list_joined: [LIST],
  list_left: [LIST],
  segment_entered: [SEGMENT],
  email_delivered: [TEMPLATE],
  email_opened: [TEMPLATE],
  email_clicked: [TEMPLATE, { path: 'link', label: 'Link (optional)', kind: 'text' }],
  email_bounced: [TEMPLATE],
  event: [EVENT, FILTER],
  date: [
    { ...PROPERTY, label: 'Date property', placeholder: 'renews_at' },
    { path: 'offset', label: 'Offset (optional)', kind: 'text', placeholder: '-7 days' },
    {
      path: 'repeat',
      label: 'Repeat',
      kind: 'choice',
      choices: [
        { value: 'once', label: 'Once' },
        { value: 'yearly', label: 'Every year' },
      ],
    },
    CLOCK,
    ZONE,
  ],
}

const CLASS: StepField = {
  path: 'class',
  label: 'Class',
  kind: 'choice',
  choices: [
    { value: 'bulk', label: 'Bulk' },
    { value: 'transactional', label: 'Transactional' },
  ],
}

type FieldedStep = Exclude<StepKind, 'trigger'>

const STEP_FIELDS: Readonly<Record<FieldedStep, readonly StepField[]>> = {
  send_email: [
    { path: 'template.id', label: 'Template', kind: 'record', list: '/templates' },
    {
      path: 'subject',
      label: 'Subject (optional)',
      kind: 'text',
      description: 'Replaces that of the template.',
    },
    {
      path: 'template.variables',
      label: 'Variables (optional)',
      kind: 'entries',
      placeholder: 'PLAN',
    },
    { path: 'sender_id', label: 'Sender (optional)', kind: 'record', list: '/senders' },
  ],
  delay: [{ path: 'duration', label: 'Duration', ...DURATION }],
  wait_until: [
    CLOCK,
    { path: 'weekdays', label: 'Weekdays (optional)', kind: 'weekdays' },
    { path: 'at', label: 'Date and time (optional)', kind: 'moment' },
    ZONE,
  ],
  wait_for_event: [EVENT, { path: 'timeout', label: 'At most', ...DURATION }, FILTER],
  condition: [{ path: '', label: 'Rule', kind: 'rule' }],
  split: [{ path: 'branches', label: 'Branches', kind: 'branches' }],
  random_split: [{ path: 'branches', label: 'Branches', kind: 'branches' }],
  contact_update: [
    { path: 'first_name', label: 'First name', kind: 'value' },
    { path: 'last_name', label: 'Last name', kind: 'value' },
    { path: 'unsubscribed', label: 'Unsubscribed', kind: 'flag' },
    { path: 'properties', label: 'Properties', kind: 'entries', placeholder: 'plan' },
  ],
  contact_delete: [],
  add_to_list: [LIST],
  remove_from_list: [LIST],
  add_to_segment: [SEGMENT],
  webhook: [
    { path: 'webhook_id', label: 'Webhook', kind: 'record', list: '/webhooks', namedBy: 'endpoint' },
    { path: 'data', label: 'Data (optional)', kind: 'entries', placeholder: 'plan' },
    { path: 'response_timeout', label: 'Wait for the response, at most (optional)', ...DURATION },
  ],
  digest: [
    { path: 'duration', label: 'Collect for', ...DURATION },
    { path: 'item', label: 'Line of an event (optional)', kind: 'text' },
  ],
  goal: [
    { ...EVENT, label: 'Event (or a rule)' },
    { ...FILTER, label: 'Only if the event (optional)' },
    { path: 'rule', label: 'Rule (instead of an event)', kind: 'rule' },
    {
      path: 'otherwise',
      label: 'Runs that arrive before the goal is reached',
      kind: 'choice',
      choices: [
        { value: 'continue', label: 'Go on' },
        { value: 'wait', label: 'Wait for it' },
        { value: 'exit', label: 'End' },
      ],
    },
  ],
  exit: [{ path: 'reason', label: 'Reason (optional)', kind: 'text' }],
}

/**
 * Returns the fields of a step; none for a type that the server does not have, which only JSON can give a step.
 * @param mayBeTransactional whether the class may become transactional. An email that already is can always become bulk.
 */
export function fieldsOf(
  type: string,
  config: { type?: unknown; class?: unknown },
  mayBeTransactional: boolean,
): readonly StepField[] {
  if (type === 'trigger') return TRIGGER_FIELDS[(config.type ?? 'api') as TriggerKind] ?? []
  const fields = STEP_FIELDS[type as FieldedStep] ?? []
  const hasClass = mayBeTransactional || config.class === 'transactional'
  return type === 'send_email' && hasClass ? [...fields, CLASS] : fields
}

type Config = Readonly<Record<string, unknown>>

/** Returns the value at a path of a config; undefined if it is not set. */
export function valueAt(config: object, path: string): unknown {
  if (path === '') return config
  let value: unknown = config
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Config)[part]
  }
  return value
}

/** Returns a config with another value at a path; an empty one takes the field away. */
export function withValue(config: object, path: string, value: unknown): object {
  if (path === '') return (value ?? {}) as object
  const [first = '', ...rest] = path.split('.')
  const { [first]: inner, ...others } = config as Config
  const next = rest.length === 0 ? value : withValue((inner ?? {}) as object, rest.join('.'), value)
  const isEmpty =
    next === undefined ||
    next === '' ||
    (typeof next === 'object' && next !== null && rest.length > 0 && Object.keys(next).length === 0)
  return isEmpty ? others : { ...others, [first]: next }
}
