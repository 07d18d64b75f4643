import { invalidField } from '../../lib/api-error.ts'
import { customEventProblem } from '../graph/event-names.ts'

/** Returns the name of an event that applications report. Throws `validation_error`. */
export function requireEventName(name: string, field: string): string {
  const problem = customEventProblem(name)
  if (problem !== null) throw invalidField(field, `The ${field} field ${problem}`)
  return name
}
