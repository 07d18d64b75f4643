import Type from 'typebox'
import { Timestamp, Uuid } from '../../http/schemas.ts'
import { CONTACT_EXAMPLE, ContactAnswer } from '../contacts/contact-schemas.ts'
import { CONDITION_COUNT_MAX } from './segment-filters.ts'
import { OPERATOR_ALIASES, OPERATOR_NAMES, OPERATORS, SEGMENT_FIELDS } from './segment-operators.ts'

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

const EXAMPLE = {
  object: 'segment',
  id: '0198c0de-0000-7000-8000-0000000000e1',
  name: 'Pro customers of this year',
  match_type: 'all',
  filters: FILTERS_EXAMPLE,
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

const MATCH = '`all`: every one must match. `any`: one is enough.'
const ANSWERED_TYPES = Type.Enum(Object.keys(OPERATORS) as (keyof typeof OPERATORS)[], {
  description: 'The type of the compared value.',
})

export const SegmentAnswer = Type.Object(
  {
    object: Type.Literal('segment'),
    id: Uuid,
    name: Type.String({ description: 'A name for people.' }),
    match_type: Type.Enum(['all', 'any'], { description: `Of the groups. ${MATCH}` }),
    filters: Type.Object({
      groups: Type.Array(
        Type.Object({
          match_type: Type.Enum(['all', 'any'], { description: `Of the conditions. ${MATCH}` }),
          conditions: Type.Array(
            Type.Object({
              field: Type.Enum(Object.keys(SEGMENT_FIELDS) as (keyof typeof SEGMENT_FIELDS)[]),
              type: ANSWERED_TYPES,
              operator: Type.String({ description: 'The operator, without aliases.' }),
              value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
                description: 'The value to compare with; null for `is_set` and `is_not_set`.',
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

/** `string: equals, ...; number: ...`: the tables as prose. */
function proseOf(table: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  return Object.entries(table)
    .map(([type, names]) => `${type}: ${Object.keys(names).join(', ')}`)
    .join('; ')
}

function aliasProse(): string {
  return Object.entries(OPERATOR_ALIASES)
    .map(([type, aliases]) => {
      const operators = OPERATORS[type as keyof typeof OPERATORS]
      const known = Object.entries(aliases).filter(([, name]) => Object.hasOwn(operators, name))
      return `${type}: ${known.map(([alias, name]) => `${alias} = ${name}`).join(', ')}`
    })
    .join('; ')
}

const Condition = Type.Object(
  {
    field: Type.Enum(Object.keys(SEGMENT_FIELDS) as (keyof typeof SEGMENT_FIELDS)[], {
      description:
        'What of a contact is looked at. property: its own value of the property, else the fallback of that.',
    }),
    type: Type.Optional(
      Type.Enum(['string', 'number', 'date', 'boolean', 'list'], {
        description:
          'The type of what is compared. It follows from the field (of a property, from its type); where it is given it must be that one.',
      }),
    ),
    operator: Type.Enum([...OPERATOR_NAMES], {
      description: `By type: ${proseOf(OPERATORS)}. Texts are compared without regard to case. The opposites (not_...) hold for whatever the plain operator does not, also for a contact without a value. is_set asks for the contact’s own value: a fallback is none. Other names: ${aliasProse()}.`,
    }),
    value: Type.Optional(
      Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()], {
        description:
          'Required but for is_set and is_not_set. number: a number or a numeric string. date: an ISO 8601 instant, or a day, which stands for its 24 hours in UTC. boolean: true or false. list: the id of a list; once that is deleted nobody is in it.',
      }),
    ),
    property_id: Type.Optional(
      Type.Union([Uuid, Type.Null()], {
        description: 'Required for the field `property`; ignored for others.',
      }),
    ),
  },
  { title: 'SegmentConditionInput' },
)

const Groups = Type.Array(
  Type.Object({
    match_type: Type.Optional(
      Type.Enum(['all', 'any'], { description: `Of the conditions. ${MATCH}`, default: 'all' }),
    ),
    conditions: Type.Array(Condition, {
      minItems: 1,
      maxItems: CONDITION_COUNT_MAX,
      description: 'The conditions.',
    }),
  }),
  { maxItems: GROUP_COUNT_MAX, description: 'Empty: the segment contains no contacts.' },
)

const Name = Type.String({ minLength: 1, maxLength: 255, description: 'Does not have to be unique.' })
const REST = {
  match_type: Type.Optional(
    Type.Enum(['all', 'any'], { description: `Of the groups. ${MATCH}`, default: 'all' }),
  ),
  filters: Type.Optional(
    Type.Union(
      [Type.Object({ groups: Type.Optional(Groups) }, { title: 'SegmentFiltersInput' }), Type.Null()],
      {
        description: `At most ${GROUP_COUNT_MAX} groups and ${CONDITION_COUNT_MAX} conditions in all. Without any condition the segment holds nobody.`,
      },
    ),
  ),
}

export const SegmentBody = Type.Object(
  { name: Name, ...REST },
  { examples: [{ name: EXAMPLE.name, match_type: 'all', filters: FILTERS_EXAMPLE }] },
)

/** Conditions that are not saved. */
export const SegmentCountBody = Type.Object(REST, {
  examples: [{ match_type: 'all', filters: FILTERS_EXAMPLE }],
})

export const SegmentCountAnswer = Type.Object(
  {
    object: Type.Literal('segment_count'),
    count: Type.Integer({ description: 'Number of matching contacts.' }),
    is_exact: Type.Boolean({
      description: 'false: about so many, judged by the newest contacts; from 10,000 on it always is.',
    }),
    contacts: Type.Array(ContactAnswer, {
      description:
        'The newest five of them; fewer where conditions leave too many contacts to look at in one request.',
    }),
  },
  {
    title: 'SegmentCount',
    examples: [{ object: 'segment_count', count: 1240, is_exact: true, contacts: [CONTACT_EXAMPLE] }],
  },
)

export const SegmentChanges = Type.Object(
  { name: Type.Optional(Name), ...REST },
  { examples: [{ name: 'Pro customers', filters: FILTERS_EXAMPLE }] },
)
