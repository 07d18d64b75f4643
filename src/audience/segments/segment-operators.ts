/** The type of a value that a condition compares. */
export type ValueType = 'string' | 'number' | 'date' | 'boolean' | 'list'

/** The fields that a condition may test, with their types. A property has its own type. */
export const SEGMENT_FIELDS = {
  email: 'string',
  first_name: 'string',
  last_name: 'string',
  user_id: 'string',
  time_zone: 'string',
  unsubscribed: 'boolean',
  created_at: 'date',
  list: 'list',
  property: null,
} as const

export type SegmentField = keyof typeof SEGMENT_FIELDS

/** The tests of a value. Each is written in SQL once (audience/segments/segment-sql-queries.ts). */
export type ValueTest =
  | 'set'
  | 'equal'
  | 'containing'
  | 'starting'
  | 'ending'
  | 'less'
  | 'at_most'
  | 'greater'
  | 'at_least'
  | 'before'
  | 'until'
  | 'on'
  | 'since'
  | 'after'
  | 'member'

export interface OperatorRule {
  test: ValueTest
  /** The operator matches every contact that fails the test, including those without a value. */
  isNegated?: true
  /** The value is a duration, counted from the moment at which contacts are tested: further back, back to it, or ahead to it. */
  relative?: 'older' | 'last' | 'next'
}

const SET = {
  is_set: { test: 'set' },
  is_not_set: { test: 'set', isNegated: true },
} as const

/** To add an operator to segments, add a row. */
const OPERATORS_BY_TYPE = {
  string: {
    equals: { test: 'equal' },
    not_equals: { test: 'equal', isNegated: true },
    contains: { test: 'containing' },
    not_contains: { test: 'containing', isNegated: true },
    starts_with: { test: 'starting' },
    ends_with: { test: 'ending' },
    ...SET,
  },
  number: {
    equals: { test: 'equal' },
    not_equals: { test: 'equal', isNegated: true },
    greater_than: { test: 'greater' },
    greater_than_or_equals: { test: 'at_least' },
    less_than: { test: 'less' },
    less_than_or_equals: { test: 'at_most' },
    ...SET,
  },
  date: {
    before: { test: 'before' },
    on_or_before: { test: 'until' },
    on: { test: 'on' },
    not_on: { test: 'on', isNegated: true },
    on_or_after: { test: 'since' },
    after: { test: 'after' },
    older_than: { test: 'before', relative: 'older' },
    within_last: { test: 'on', relative: 'last' },
    within_next: { test: 'on', relative: 'next' },
    ...SET,
  },
  boolean: {
    equals: { test: 'equal' },
    not_equals: { test: 'equal', isNegated: true },
  },
  list: {
    in: { test: 'member' },
    not_in: { test: 'member', isNegated: true },
  },
} as const satisfies Record<ValueType, Readonly<Record<string, OperatorRule>>>

export const OPERATORS: Record<ValueType, Readonly<Record<string, OperatorRule>>> = OPERATORS_BY_TYPE
/** The operators of a value type, by their primary names. */
export type OperatorOf<T extends ValueType> = keyof (typeof OPERATORS_BY_TYPE)[T]

const COMMON_ALIASES: Readonly<Record<string, string>> = {
  is: 'equals',
  is_not: 'not_equals',
  does_not_contain: 'not_contains',
  greater_than_or_equal: 'greater_than_or_equals',
  less_than_or_equal: 'less_than_or_equals',
  exists: 'is_set',
  not_exists: 'is_not_set',
}

/** Alternative names of operators. */
const OPERATOR_ALIASES: Record<ValueType, Readonly<Record<string, string>>> = {
  string: COMMON_ALIASES,
  number: COMMON_ALIASES,
  date: {
    ...COMMON_ALIASES,
    is: 'on',
    is_not: 'not_on',
    equals: 'on',
    not_equals: 'not_on',
    greater_than: 'after',
    greater_than_or_equals: 'on_or_after',
    greater_than_or_equal: 'on_or_after',
    less_than: 'before',
    less_than_or_equals: 'on_or_before',
    less_than_or_equal: 'on_or_before',
  },
  boolean: COMMON_ALIASES,
  list: {
    is: 'in',
    is_not: 'not_in',
    equals: 'in',
    not_equals: 'not_in',
    contains: 'in',
    not_contains: 'not_in',
  },
}

/** Returns the primary name of an operator of this type, or null if the type does not have it. */
export function operatorOf(type: ValueType, name: string): string | null {
  const operators = OPERATORS[type]
  if (Object.hasOwn(operators, name)) return name
  const alias = Object.hasOwn(OPERATOR_ALIASES[type], name) ? OPERATOR_ALIASES[type][name] : undefined
  return alias !== undefined && Object.hasOwn(operators, alias) ? alias : null
}

/** Returns whether the operator takes a value. */
export function takesValue(rule: OperatorRule): boolean {
  return rule.test !== 'set'
}

/** The names of all operators, including aliases. */
export const OPERATOR_NAMES: readonly string[] = [
  ...new Set(
    (Object.keys(OPERATORS) as ValueType[]).flatMap((type) => [
      ...Object.keys(OPERATORS[type]),
      ...Object.keys(OPERATOR_ALIASES[type]).filter((name) => operatorOf(type, name) !== null),
    ]),
  ),
]
