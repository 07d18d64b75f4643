import type { ConnectionType, StepKind, TriggerKind } from '../../../../src/automations/graph/graph-types.ts'

/** A label for each trigger of the server. */
export const TRIGGER_WORDS: Readonly<Record<TriggerKind, string>> = {
  contact_created: 'A contact is added',
  contact_updated: 'A contact is changed',
  property_changed: 'A field of a contact changes',
  list_joined: 'A contact joins a list',
  list_left: 'A contact leaves a list',
  segment_entered: 'A contact enters a segment',
  email_delivered: 'An email is delivered',
  email_opened: 'An email is opened',
  email_clicked: 'A link is followed',
  email_bounced: 'An email bounces',
  event: 'Your application reports an event',
  date: 'A date of a contact comes',
  api: 'Your application calls the API',
}

/** A label for each step of the server. */
export const STEP_WORDS: Readonly<Record<StepKind, string>> = {
  trigger: 'Trigger',
  send_email: 'Send an email',
  delay: 'Wait',
  wait_until: 'Wait until a time',
  wait_for_event: 'Wait for an event',
  condition: 'Condition',
  split: 'Split by rules',
  random_split: 'Split at random',
  contact_update: 'Change the contact',
  contact_delete: 'Delete the contact',
  add_to_list: 'Add to a list',
  remove_from_list: 'Remove from a list',
  add_to_segment: 'Add to a segment',
  webhook: 'Call a webhook',
  digest: 'Collect into one email',
  goal: 'Goal',
  exit: 'End',
}

export const triggerWord = (type: unknown) => TRIGGER_WORDS[type as TriggerKind] ?? '–'
export const stepWord = (type: string) => STEP_WORDS[type as StepKind] ?? type

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The `awaits` of a run that waits for the response of a webhook. */
export const WEBHOOK_AWAITED = 'automation.webhook'

/** Returns what a run waits for: an event, or the response of a webhook. */
export const awaitedWord = (awaits: string) =>
  awaits === WEBHOOK_AWAITED ? 'the webhook’s response' : `the event ${awaits}`

const OUTCOMES: Readonly<Partial<Record<ConnectionType, string>>> = {
  default: 'otherwise',
  condition_met: 'if met',
  condition_not_met: 'if not met',
  event_received: 'when it comes',
  timeout: 'after the timeout',
}

const WEBHOOK_OUTCOMES: typeof OUTCOMES = {
  default: 'when it responds',
  timeout: 'without a response in time',
}

/**
 * Returns when a connection is taken; nothing for the only one of a step, if it has no condition.
 * @param stepType the type of the step that the connection leaves
 */
export function outcomeWord(type: string, stepType: string | undefined, isOnly: boolean): string {
  if (type === 'default' && isOnly) return ''
  const words = stepType === 'webhook' ? WEBHOOK_OUTCOMES : OUTCOMES
  return words[type as ConnectionType] ?? type.replace('branch_', 'branch ')
}
