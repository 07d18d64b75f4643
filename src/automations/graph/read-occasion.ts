import { omitUndefined } from '../../lib/omit-undefined.ts'
import { awaitedEventProblem } from './event-names.ts'
import type { FieldReader } from './field-reader.ts'
import type { Occasion } from './graph-types.ts'
import { readRule } from './read-rule.ts'
import { readEventName } from './read-values.ts'

/** Ends the sentence about an occasion that has neither an event nor a rule. */
export const OCCASION_PROBLEM = 'must have an event_name or a rule.'

/** Reads what ends a wait or a run: an event, possibly with a filter, or a rule. It may have neither. */
export function readOccasion(fields: FieldReader): Occasion {
  const occasion = omitUndefined({
    event_name: readEventName(fields, awaitedEventProblem),
    filter_rule: readRule(fields, 'filter_rule'),
    rule: readRule(fields, 'rule'),
  })
  const hasEvent = fields.value('event_name') !== undefined
  if (hasEvent && occasion.rule !== undefined) {
    fields.refuse('rule', 'must not be given with event_name. To restrict the event, use filter_rule.')
  }
  if (!hasEvent && occasion.filter_rule !== undefined) fields.refuse('filter_rule', 'requires event_name.')
  return occasion
}

export function isCompleteOccasion({ event_name: eventName, rule }: Occasion): boolean {
  return eventName !== undefined || rule !== undefined
}
