import Type from 'typebox'
import { IdOrNull, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { CONDITION_COUNT_MAX } from './segment-filters.ts'
import { OPERATOR_NAMES, OPERATORS, SEGMENT_FIELDS } from './segment-operators.ts'

const GROUP_COUNT_MAX = 20

const FILTERS_EXAMPLE = {
  groups: [
    {
      match_type: 'all',
      conditions: [
        {
          field: 'property',
          type: 'string',
          operator: 'equals',
          value: 'pro',
          property_id: '0198c0de-0000-7000-8000-0000000000d1',
        },
        {
          field: 'created_at',
          type: 'date',
          operator: 'on_or_after',
          value: '2026-01-01',
          property_id: null,
        },
      ],
    },
  ],
}

const ON_PRO = {
  groups: [
    {
      conditions: [
        {
          field: 'property',
          operator: 'equals',
          value: 'pro',
          property_id: '0198c0de-0000-7000-8000-0000000000d1',
        },
      ],
    },
  ],
}

const EXAMPLE = {
  object: 'segment',
  id: '0198c0de-0000-7000-8000-0000000000e1',
  name: 'Pro customers of this year',
  match_type: 'all',
  filters: FILTERS_EXAMPLE,
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

const MATCH = '`all`: each must match. `any`: one is enough.'
const ANSWERED_TYPES = Type.Enum(Object.keys(OPERATORS) as (keyof typeof OPERATORS)[], {
  description: 'Type of the compared value.',
})

export const SegmentAnswer = Type.Object(
  {
    object: Type.Literal('segment'),
    id: Uuid,
    name: Type.String({ description: 'Name of the segment.' }),
    match_type: Type.Enum(['all', 'any'], { description: `How groups combine. ${MATCH}` }),
    filters: Type.Object({
      groups: Type.Array(
        Type.Object({
          match_type: Type.Enum(['all', 'any'], { description: `How conditions combine. ${MATCH}` }),
          conditions: Type.Array(
            Type.Object({
              field: Type.Enum(Object.keys(SEGMENT_FIELDS) as (keyof typeof SEGMENT_FIELDS)[]),
              type: ANSWERED_TYPES,
              operator: Type.String({ description: 'Operator, without aliases.' }),
              value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
                description: 'Value to compare with. Null for `is_set` and `is_not_set`.',
              }),
              property_id: Type.Union([Uuid, Type.Null()]),
            }),
          ),
        }),
      ),
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Segment', examples: [EXAMPLE] },
)

const Condition = Type.Object(
  {
    field: Type.Enum(Object.keys(SEGMENT_FIELDS) as (keyof typeof SEGMENT_FIELDS)[], {
      description: 'Field of the contact. `property`: the value of the property, or else its fallback.',
    }),
    type: Type.Optional(
      Type.Enum(['string', 'number', 'date', 'boolean', 'list'], {
        description: 'Follows from the field or property; if given, it must match.',
      }),
    ),
    operator: Type.Enum([...OPERATOR_NAMES], {
      description:
        'The guide to segments lists the operators of each type. Strings compare case-insensitively. A `not_` operator matches every contact that the plain one does not, including those without a value. `is_set` ignores fallbacks.',
    }),
    value: Type.Optional(
      Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()], {
        description:
          'Required except for `is_set` and `is_not_set`. Number: a number or numeric string. Date: an ISO 8601 time, or a day in UTC; for `older_than`, `within_last` and `within_next`, a duration such as `30 days`. List: the id of a list; a deleted list has no contacts.',
      }),
    ),
    property_id: Type.Optional(IdOrNull('Required for the field `property`, ignored for others.')),
  },
  { title: 'SegmentConditionInput' },
)

const Groups = Type.Array(
  Type.Object({
    match_type: Type.Optional(
      Type.Enum(['all', 'any'], { description: `How conditions combine. ${MATCH}`, default: 'all' }),
    ),
    conditions: Type.Array(Condition, {
      minItems: 1,
      maxItems: CONDITION_COUNT_MAX,
      description: 'Conditions.',
    }),
  }),
  { maxItems: GROUP_COUNT_MAX, description: 'Empty: the segment contains no contacts.' },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the segment.',
})
const REST = {
  match_type: Type.Optional(
    Type.Enum(['all', 'any'], { description: `How groups combine. ${MATCH}`, default: 'all' }),
  ),
  filters: Type.Optional(
    Type.Union(
      [Type.Object({ groups: Type.Optional(Groups) }, { title: 'SegmentFiltersInput' }), Type.Null()],
      {
        description: `At most ${GROUP_COUNT_MAX} groups and ${CONDITION_COUNT_MAX} conditions in total.`,
      },
    ),
  ),
}

export const SegmentBody = Type.Object(
  { name: Name, ...REST },
  { examples: [{ name: 'Pro customers', filters: ON_PRO }] },
)

/** Conditions of a segment that is not saved. */
export const SegmentCountBody = Type.Object(REST, { examples: [{ filters: ON_PRO }] })

export const SegmentChanges = Type.Object(
  { name: Type.Optional(Name), ...REST },
  { examples: [{ name: 'Pro customers' }] },
)
