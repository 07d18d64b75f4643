import type { OperatorOf, SegmentField, ValueType } from '../../../src/audience/segments/segment-operators.ts'
import type { Property } from '../../api/records.ts'

/** A label for each field of the server. A missing one is a type error. */
export const FIELD_WORDS: Readonly<Record<SegmentField, string>> = {
  email: 'Address',
  first_name: 'First name',
  last_name: 'Last name',
  user_id: 'User ID',
  time_zone: 'Time zone',
  unsubscribed: 'Unsubscribed',
  created_at: 'Added',
  list: 'List',
  property: 'Property',
}

type FieldTypes = typeof import('../../../src/audience/segments/segment-operators.ts').SEGMENT_FIELDS

/** The type of each field's values, as on the server. Properties have their own types. */
const FIELD_TYPES: FieldTypes = {
  email: 'string',
  first_name: 'string',
  last_name: 'string',
  user_id: 'string',
  time_zone: 'string',
  unsubscribed: 'boolean',
  created_at: 'date',
  list: 'list',
  property: null,
}

type Words = { readonly [T in ValueType]: Readonly<Record<OperatorOf<T>, string>> }

/** A label for each operator of the server, as it stands between a field and its value. */
const OPERATOR_WORDS: Words = {
  string: {
    equals: 'is',
    not_equals: 'is not',
    contains: 'contains',
    not_contains: 'does not contain',
    starts_with: 'begins with',
    ends_with: 'ends with',
    is_set: 'has a value',
    is_not_set: 'has no value',
  },
  number: {
    equals: 'is',
    not_equals: 'is not',
    greater_than: 'is greater than',
    greater_than_or_equals: 'is at least',
    less_than: 'is less than',
    less_than_or_equals: 'is at most',
    is_set: 'has a value',
    is_not_set: 'has no value',
  },
  date: {
    before: 'is before',
    on_or_before: 'is on or before',
    on: 'is on',
    not_on: 'is not on',
    on_or_after: 'is on or after',
    after: 'is after',
    older_than: 'is longer ago than',
    within_last: 'is within the last',
    within_next: 'is within the next',
    is_set: 'has a value',
    is_not_set: 'has no value',
  },
  boolean: { equals: 'is', not_equals: 'is not' },
  list: { in: 'contains them', not_in: 'does not contain them' },
}

const WITHOUT_VALUE: readonly string[] = ['is_set', 'is_not_set']

export const takesValue = (operator: string): boolean => !WITHOUT_VALUE.includes(operator)

const WITH_DURATION: readonly string[] = ['older_than', 'within_last', 'within_next']

/** Returns whether the value of an operator is a duration, such as "30 days". */
export const takesDuration = (operator: string): boolean => WITH_DURATION.includes(operator)

export const operatorsOf = (type: ValueType): Readonly<Record<string, string>> => OPERATOR_WORDS[type]

/** Returns the type of a condition's value; null while no property is chosen, or when it was deleted. */
export function typeOf(
  { field, property_id }: { field: SegmentField; property_id: string | null },
  properties: readonly Property[],
): ValueType | null {
  if (field !== 'property') return FIELD_TYPES[field]
  return properties.find(({ id }) => id === property_id)?.type ?? null
}
