import type { StepType, TriggerType } from '../../../src/automations/automation-steps.ts'

/** Same statement as in the README. */
export const NOT_YET =
  'In this version you can write, check and activate an automation, but its steps do not run.'

/** A label for each trigger of the server. */
export const TRIGGER_WORDS: Readonly<Record<TriggerType, string>> = {
  contact_created: 'A contact is added',
  contact_updated: 'A contact is changed',
  list_joined: 'A contact joins a list',
  segment_entered: 'A contact enters a segment',
}

/** A label for each step of the server. */
export const STEP_WORDS: Readonly<Record<StepType, string>> = {
  send_email: 'Send an email',
  wait: 'Wait',
  condition: 'Continue only if in a segment',
  update_contact: 'Subscribe or unsubscribe',
  add_to_list: 'Add to a list',
  remove_from_list: 'Remove from a list',
}
