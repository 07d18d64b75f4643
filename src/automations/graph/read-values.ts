import { parseInstant } from '../../lib/time/scheduled-at.ts'
import { readTimeZone } from '../../lib/time/time-zone.ts'
import { customEventProblem } from './event-names.ts'
import { type FieldReader, itemsOf, recordOf, textProblem } from './field-reader.ts'
import type { Scalar, StepValues, Variable } from './graph-types.ts'
import { isPath, PATH_PROBLEM } from './run-scope.ts'

/** The value of `time_zone` that means the time zone of the contact. */
export const CONTACT_ZONE = 'contact'

const ENTRIES_MAX = 200
const INNER_MAX = 100
const NAME_CHARS_MAX = 255
const TEXT_CHARS_MAX = 10_000
const ZONE_CHARS_MAX = 64
const CLOCK = /^(\d|[01]\d|2[0-3]):([0-5]\d)$/

/** Returns a time of day as `HH:MM`. */
export function readClockTime(fields: FieldReader, name: string): string | undefined {
  const parse = (value: unknown) => {
    const [, hour, minute] = typeof value === 'string' ? (CLOCK.exec(value) ?? []) : []
    return hour === undefined ? null : `${hour.padStart(2, '0')}:${minute}`
  }
  return fields.parsed(name, parse, 'must be a time of day, such as 09:30.')
}

/** Returns an IANA time zone as Intl spells it, or `contact`. */
export function readZoneName(fields: FieldReader, name: string): string | undefined {
  const parse = (value: unknown) => {
    if (typeof value !== 'string' || value.length > ZONE_CHARS_MAX) return null
    return value === CONTACT_ZONE ? value : readTimeZone(value)
  }
  return fields.parsed(name, parse, 'must be contact or an IANA time zone, such as Europe/Berlin.')
}

/** Returns an instant in ISO 8601, in UTC. */
export function readInstant(fields: FieldReader, name: string): string | undefined {
  const parse = (value: unknown) =>
    typeof value === 'string' ? (parseInstant(value)?.toISOString() ?? null) : null
  return fields.parsed(name, parse, 'must be an ISO 8601 time.')
}

/** Returns the name of an event. @param problemOf returns the end of a sentence about the field */
export function readEventName(
  fields: FieldReader,
  problemOf: (name: unknown) => string | null = customEventProblem,
): string | undefined {
  const name = fields.value('event_name')
  const problem = name === undefined ? null : problemOf(name)
  if (problem === null) return name as string | undefined
  fields.refuse('event_name', problem)
  return undefined
}

/** Returns a text, a number, true or false. */
export function readScalar(fields: FieldReader, name: string): Scalar | undefined {
  const value = fields.value(name)
  const problem = value === undefined ? null : scalarProblem(value)
  if (problem === null) return value as Scalar | undefined
  fields.refuse(name, problem)
  return undefined
}

/** Returns the values of a template or webhook: scalars, variables, records of scalars, lists of scalars and records. */
export function readStepValues(fields: FieldReader, name: string): StepValues | undefined {
  return readEntries(fields, name, valueProblem) as StepValues | undefined
}

/** Returns the entries of a map, and notes those that have a problem. */
export function readEntries(
  fields: FieldReader,
  name: string,
  problemOf: (value: unknown) => string | null,
): Readonly<Record<string, unknown>> | undefined {
  const record = fields.object(name)?.record
  if (record === undefined) return undefined
  const entries = Object.entries(record)
  if (entries.length > ENTRIES_MAX) {
    fields.refuse(name, `must not have more than ${ENTRIES_MAX} entries.`)
    return undefined
  }
  const valid = entries.filter(([key, value]) => {
    const nameProblem = textProblem(key, NAME_CHARS_MAX)
    if (nameProblem !== null) fields.refuse(name, 'has a name that is not valid text.')
    const problem = problemOf(value)
    if (problem !== null) fields.refuse(`${name}.${key}`, problem)
    return nameProblem === null && problem === null
  })
  return Object.fromEntries(valid)
}

/** Returns what is wrong with a text, number, true or false, as the end of a sentence. */
export function scalarProblem(value: unknown): string | null {
  if (typeof value === 'string') return textProblem(value, TEXT_CHARS_MAX)
  return typeof value === 'boolean' || Number.isFinite(value)
    ? null
    : 'must be a string, a number, true or false.'
}

/** Returns the variable that a value is; null: it is none. It may be invalid. */
export function variableOf(value: unknown): Variable | null {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'var')
    ? (value as Variable)
    : null
}

/** Returns what is wrong with a variable, as the end of a sentence. */
export function variableProblem(variable: Variable): string | null {
  if (Object.keys(variable).length > 1) return 'must have no other fields than var.'
  return isPath(variable.var) ? null : PATH_PROBLEM
}

function valueProblem(value: unknown): string | null {
  const variable = variableOf(value)
  if (variable !== null) return variableProblem(variable)
  const items = itemsOf(value)
  if (items === null) return recordOf(value) === null ? scalarProblem(value) : innerProblem(value)
  if (items.length > INNER_MAX) return `must not have more than ${INNER_MAX} items.`
  return firstProblem(items, (item) => (recordOf(item) === null ? scalarProblem(item) : innerProblem(item)))
}

function innerProblem(value: unknown): string | null {
  const entries = Object.entries(recordOf(value) ?? {})
  if (entries.length > INNER_MAX) return `must not have more than ${INNER_MAX} entries.`
  return firstProblem(entries, ([key, each]) => textProblem(key, NAME_CHARS_MAX) ?? scalarProblem(each))
}

function firstProblem<T>(values: readonly T[], problemOf: (value: T) => string | null): string | null {
  for (const value of values) {
    const problem = problemOf(value)
    if (problem !== null) return problem
  }
  return null
}
