import { type FieldErrors, throwInvalid } from '../../lib/api-error.ts'
import { isUuid } from '../../lib/ids.ts'
import { parseDuration } from '../../lib/time/durations.ts'
import type { Property } from '../properties/properties-queries.ts'
import { readPropertyValue } from '../properties/property-values.ts'
import {
  OPERATORS,
  type OperatorRule,
  operatorOf,
  SEGMENT_FIELDS,
  type SegmentField,
  takesValue,
  type ValueType,
} from './segment-operators.ts'
import type { MatchType, SegmentCondition, SegmentGroup } from './segments-queries.ts'

/** A condition as given in a request. */
export interface ConditionInput {
  field: SegmentField
  /** Follows from the field or the property. If given, it must match. */
  type?: ValueType
  operator: string
  value?: unknown
  property_id?: string | null
}

export interface GroupInput {
  match_type?: MatchType
  conditions: ConditionInput[]
}

/** The team's properties and lists that conditions may name. */
export interface KnownObjects {
  properties: ReadonlyMap<string, Property>
  listIds: ReadonlySet<string>
}

/** The limit for all groups together. */
export const CONDITION_COUNT_MAX = 50

/** Returns the ids that conditions name, in lower case, whether or not they exist. */
export function namedIds(groups: readonly GroupInput[]): { properties: string[]; lists: string[] } {
  const conditions = groups.flatMap((group) => group.conditions)
  return {
    properties: conditions.flatMap(({ field, property_id: id }) =>
      field === 'property' && id != null ? id.toLowerCase() : [],
    ),
    lists: conditions.flatMap(({ field, value }) =>
      field === 'list' && typeof value === 'string' && isUuid(value) ? value.toLowerCase() : [],
    ),
  }
}

/**
 * Validates every condition: its type, operator and value must fit its field. Throws one ApiError that names all
 * problems.
 */
export function validateGroups(groups: readonly GroupInput[], known: KnownObjects): SegmentGroup[] {
  const errors: FieldErrors = {}
  const count = groups.reduce((sum, group) => sum + group.conditions.length, 0)
  if (count > CONDITION_COUNT_MAX) {
    errors.filters = [`The filters field must not have more than ${CONDITION_COUNT_MAX} conditions.`]
  }
  const validated = groups.map((group, at) => ({
    matchType: group.match_type ?? 'all',
    conditions: group.conditions.flatMap((condition, index) => {
      const path = `filters.groups.${at}.conditions.${index}`
      const outcome = validateCondition(condition, path, known)
      if (!('message' in outcome)) return outcome
      errors[outcome.field] = [outcome.message]
      return []
    }),
  }))
  throwInvalid(errors)
  return validated
}

interface InvalidCondition {
  field: string
  message: string
}

function validateCondition(
  input: ConditionInput,
  path: string,
  known: KnownObjects,
): SegmentCondition | InvalidCondition {
  const invalid = (field: string, says: string): InvalidCondition => ({
    field: `${path}.${field}`,
    message: `The ${path}.${field} field ${says}`,
  })
  const { field } = input
  const propertyId = field === 'property' ? (input.property_id?.toLowerCase() ?? null) : null
  if (field === 'property' && propertyId === null) return invalid('property_id', 'is required.')
  const type = SEGMENT_FIELDS[field] ?? known.properties.get(propertyId as string)?.type
  if (type === undefined) return invalid('property_id', 'must be the id of a property of this account.')
  if (input.type !== undefined && input.type !== type) return invalid('type', `must be ${type} here.`)
  const operator = operatorOf(type, input.operator)
  if (operator === null) {
    return invalid('operator', `must be one of ${Object.keys(OPERATORS[type]).join(', ')}.`)
  }
  const rule = OPERATORS[type][operator] as OperatorRule
  if (!takesValue(rule)) return { field, type, operator, value: null, propertyId }
  const result =
    rule.relative === undefined
      ? readValue(type, input.value, `${path}.value`, known)
      : readDuration(input.value, `${path}.value`)
  return 'problem' in result
    ? { field: `${path}.value`, message: result.problem }
    : { field, type, operator, value: result.value, propertyId }
}

type Read = { value: string | number | boolean } | { problem: string }

/** A hundred years: more than any contact is old, and dates stay within their range. */
const DURATION_MS_MAX = 36_525 * 24 * 3_600_000

function readDuration(input: unknown, field: string): Read {
  const duration = parseDuration(input)
  return duration !== null && duration.ms <= DURATION_MS_MAX
    ? { value: duration.text }
    : { problem: `The ${field} field must be a duration of at most 36525 days, such as 30 days.` }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function readValue(type: ValueType, input: unknown, field: string, { listIds }: KnownObjects): Read {
  if (input === undefined || input === null || input === '') {
    return { problem: `The ${field} field is required.` }
  }
  switch (type) {
    case 'boolean':
      return typeof input === 'boolean'
        ? { value: input }
        : { problem: `The ${field} field must be true or false.` }
    case 'list': {
      const id = typeof input === 'string' ? input.toLowerCase() : ''
      return listIds.has(id)
        ? { value: id }
        : { problem: `The ${field} field must be the id of a list of this account.` }
    }
    default: {
      const result = readPropertyValue(type, input, field)
      if ('problem' in result) return result
      if (!(result.value instanceof Date)) return { value: result.value }
      // A day stays a day: it stands for all of its hours.
      const text = String(input).trim()
      return { value: DAY.test(text) ? text : result.value.toISOString() }
    }
  }
}
