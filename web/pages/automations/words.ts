import type { StepType, TriggerType } from '../../../src/campaigns/automation-steps.ts'

/** As README says it. */
export const NOT_YET =
  'In this version an automation can be written, checked and made active, but nothing happens for any contact.'

/** What may begin one, as the server has it. */
export const TRIGGER_WORDS: Readonly<Record<TriggerType, string>> = {
  contact_created: 'A contact is added',
  contact_updated: 'A contact is changed',
  list_joined: 'A contact joins a list',
  segment_entered: 'A contact comes to fit a segment',
}

/** What may happen in one, as the server has it. */
export const STEP_WORDS: Readonly<Record<StepType, string>> = {
  send_email: 'Send an email',
  wait: 'Wait',
  condition: 'Go on only if in a segment',
  update_contact: 'Subscribe or unsubscribe',
  add_to_list: 'Add to a list',
  remove_from_list: 'Take out of a list',
}
