/** Types of a connection: each is one outcome of the step that it leaves. */
export const CONNECTION_TYPES = [
  'default',
  'condition_met',
  'condition_not_met',
  'event_received',
  'timeout',
  'branch_1',
  'branch_2',
  'branch_3',
  'branch_4',
  'branch_5',
  'branch_6',
  'branch_7',
  'branch_8',
  'branch_9',
  'branch_10',
] as const
export type ConnectionType = (typeof CONNECTION_TYPES)[number]

/** A split has at most as many branches as there are types of connections for them. */
export const BRANCH_COUNT_MAX = 10

export interface GraphConnection {
  /** The key of the step that it leaves. */
  from: string
  /** The key of the step that it leads to. */
  to: string
  type: ConnectionType
}

export type Scalar = string | number | boolean

/** A value that a run looks up by its path, such as `event.plan` or `contact.first_name`. */
export interface Variable {
  var: string
}

/** A value for a template or a webhook, as in Resend's SDK. */
export type StepValue = Scalar | Variable | Readonly<Record<string, Scalar>> | readonly ListItem[]
type ListItem = Scalar | Readonly<Record<string, Scalar>>
export type StepValues = Readonly<Record<string, StepValue>>

/** A condition over the event and the contact of a run (automations/graph/evaluate-rule.ts). */
export type Rule =
  | { type: 'rule'; field: string; operator: 'eq' | 'neq'; value: Scalar | null }
  /** A text is an ISO 8601 day or instant. */
  | { type: 'rule'; field: string; operator: 'gt' | 'gte' | 'lt' | 'lte'; value: number | string }
  | { type: 'rule'; field: string; operator: 'contains' | 'starts_with' | 'ends_with'; value: string }
  | { type: 'rule'; field: string; operator: 'exists' | 'is_empty' }
  | { type: 'segment'; segment_id: string }
  | { type: 'not'; rule: Rule }
  | { type: 'and' | 'or'; rules: readonly Rule[] }

/** How events about emails can be restricted. */
interface EmailEventFilter {
  campaign_id?: string
  template_id?: string
  tag?: { name: string; value?: string }
}

/** The configs of the trigger step, by its type. Durations are canonical texts, such as `3 days`. */
export interface TriggerConfigs {
  contact_created: object
  contact_updated: object
  /** `property` is a field of the contact, or the key of a property. */
  property_changed: { property: string; from?: Scalar; to?: Scalar }
  list_joined: { list_id: string }
  list_left: { list_id: string }
  segment_entered: { segment_id: string }
  email_delivered: EmailEventFilter
  email_opened: EmailEventFilter
  email_clicked: EmailEventFilter & { link?: string }
  email_bounced: EmailEventFilter
  event: { event_name: string; filter_rule?: Rule }
  /** `property` is the key of a date property; `time` is `HH:MM`; `time_zone` is an IANA name or `contact`. */
  date: { property: string; offset?: string; repeat: 'once' | 'yearly'; time?: string; time_zone?: string }
  api: object
}
export type TriggerKind = keyof TriggerConfigs
export type TriggerConfig = { [T in TriggerKind]: { type: T } & TriggerConfigs[T] }[TriggerKind]

/** What ends a wait, a run or a goal: an event that fits `filter_rule`, or a `rule` that holds. */
export interface Occasion {
  event_name?: string
  filter_rule?: Rule
  rule?: Rule
}

/** The configs of steps, by type, as they are stored. Durations are canonical texts, such as `3 days`. */
export interface StepConfigs {
  trigger: TriggerConfig
  send_email: {
    template: { id: string; variables?: StepValues }
    subject?: string
    from?: string
    sender_id?: string
    reply_to?: string
    /** Default: bulk. */
    class?: 'bulk' | 'transactional'
  }
  delay: { duration: string }
  /** `weekdays` are from 1, Monday, to 7; `at` is an ISO 8601 instant; `time_zone` is an IANA name or `contact`. */
  wait_until: { time?: string; weekdays?: readonly number[]; at?: string; time_zone?: string }
  /** `email_step`: the key of the step that sent the email which the event must be about. */
  wait_for_event: { event_name: string; timeout?: string; filter_rule?: Rule; email_step?: string }
  condition: Rule
  /** The run takes `branch_n` of the first branch whose rule holds, or `default`. */
  split: { branches: readonly { name?: string; rule: Rule }[] }
  random_split: { branches: readonly { name?: string; weight: number }[] }
  contact_update: {
    first_name?: string | null | Variable
    last_name?: string | null | Variable
    unsubscribed?: boolean | Variable
    properties?: Readonly<Record<string, Scalar | null | Variable>>
  }
  contact_delete: object
  add_to_list: { list_id: string }
  remove_from_list: { list_id: string }
  add_to_segment: { segment_id: string }
  /** `response_timeout`: the run waits for the response, at most for this. */
  webhook: { webhook_id: string; data?: StepValues; response_timeout?: string }
  /** `item`: the text of a line, with variables of its event. */
  digest: { duration: string; item?: string }
  /** `otherwise`: what a run does that arrives before it has reached the goal. */
  goal: Occasion & { otherwise: 'continue' | 'wait' | 'exit' }
  exit: { reason?: string }
}
export type StepKind = keyof StepConfigs

/** A step of a type, or of any type. */
export type Step<T extends StepKind = StepKind> = {
  [Type in T]: { key: string; type: Type; config: StepConfigs[Type] }
}[T]

/** A complete automation, which can run. */
export interface Graph {
  steps: readonly Step[]
  connections: readonly GraphConnection[]
}

/** Makes each member of a union partial. */
type PartialOf<T> = T extends unknown ? Partial<T> : never

/** A branch of a draft may still lack its rule. */
type DraftConfig<T extends StepKind> = T extends 'split'
  ? { branches?: readonly { name?: string; rule?: Rule }[] }
  : PartialOf<StepConfigs[T]>

/** A step whose config may lack fields. Those that it has are valid. */
export type DraftStep<T extends StepKind = StepKind> = {
  [Type in T]: { key: string; type: Type; config: DraftConfig<Type> }
}[T]

/** An automation as it is stored while it does not run: its form is valid, but it may be incomplete. */
export interface DraftGraph {
  steps: readonly DraftStep[]
  connections: readonly GraphConnection[]
}

export interface GraphSettings {
  /** Whether a contact may start another run. It never has two at a time. Without a gap, `after_exit` and `every_time` are the same. */
  reentry: 'once' | 'after_exit' | 'every_time'
  /** The shortest time before a contact starts again: since its last start with `every_time`, since the end of its last run with `after_exit`. */
  reentry_gap?: string
  /** What a trigger does while the contact has a run: the run goes on, or starts again. */
  on_retrigger: 'keep' | 'restart'
  /** Each ends the run, wherever it is. */
  exits: readonly Occasion[]
  /** Emails that are later than this are skipped, for example after a pause. */
  max_late?: string
  /** Steps a minute after a pause. */
  resume_rate: number
}

export const DEFAULT_SETTINGS: GraphSettings = {
  reentry: 'once',
  on_retrigger: 'keep',
  exits: [],
  resume_rate: 600,
}
