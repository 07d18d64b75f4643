import type { OperatorOf, SegmentField, ValueType } from '../../../src/audience/segments/segment-operators.ts'
import type { Property } from '../../api/records.ts'
import { texts } from './texts.ts'

/** A label for each field of the server. A missing one is a type error. */
export const FIELD_WORDS: Readonly<Record<SegmentField, string>> = texts.operators.fieldWords

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
const OPERATOR_WORDS: Words = texts.operators.operatorWords

const WITHOUT_VALUE: readonly string[] = ['is_set', 'is_not_set']

export const takesValue = (operator: string): boolean => !WITHOUT_VALUE.includes(operator)

export const operatorsOf = (type: ValueType): Readonly<Record<string, string>> => OPERATOR_WORDS[type]

/** Returns the type of a condition's value; null while no property is chosen, or when it was deleted. */
export function typeOf(
  { field, property_id }: { field: SegmentField; property_id: string | null },
  properties: readonly Property[],
): ValueType | null {
  if (field !== 'property') return FIELD_TYPES[field]
  return properties.find(({ id }) => id === property_id)?.type ?? null
}
