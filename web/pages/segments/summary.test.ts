import { expect, test } from 'vitest'
import type { Property } from '../../api/records.ts'
import {
  type ConditionDraft,
  draftOf,
  EMPTY,
  filtersOf,
  isComplete,
  withField,
  withOperator,
} from './draft.ts'
import { summarize } from './summary.ts'

const SEATS: Property = {
  object: 'property',
  id: 'p1',
  key: 'seats',
  type: 'number',
  fallback_value: null,
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}
const NAMES = { properties: [SEATS], lists: new Map([['l1', 'News']]) }
const condition = (given: Partial<ConditionDraft>): ConditionDraft => ({
  key: 1,
  field: 'email',
  property_id: null,
  operator: 'contains',
  value: '',
  ...given,
})

test.each([
  [condition({ value: '@x.test' }), 'Contacts whose address contains “@x.test”.'],
  [condition({ field: 'first_name', operator: 'is_not_set' }), 'Contacts whose first name has no value.'],
  [
    condition({ field: 'unsubscribed', operator: 'not_equals', value: 'true' }),
    'Contacts who are subscribed.',
  ],
  [condition({ field: 'list', operator: 'not_in', value: 'l1' }), 'Contacts who are not in “News”.'],
  [
    condition({ field: 'created_at', operator: 'on_or_after', value: '2026-01-01' }),
    'Contacts who were added on or after 2026-01-01.',
  ],
  [
    condition({ field: 'created_at', operator: 'within_last', value: '30 days' }),
    'Contacts who were added within the last 30 days.',
  ],
  [
    condition({ field: 'property', property_id: 'p1', operator: 'greater_than', value: '3' }),
    'Contacts whose seats is greater than 3.',
  ],
  [condition({}), 'Contacts whose address contains “…”.'],
])('%j has a description', (one, words) => {
  expect(summarize({ match_type: 'all', groups: [{ match_type: 'all', conditions: [one] }] }, NAMES)).toBe(
    words,
  )
})

test('groups are in brackets where they change the meaning', () => {
  const [a, b] = [condition({ value: 'a' }), condition({ value: 'b' })]
  const groups = [
    { match_type: 'any' as const, conditions: [a, b] },
    { match_type: 'all' as const, conditions: [a] },
  ]
  expect(summarize({ match_type: 'all', groups }, NAMES)).toBe(
    'Contacts (whose address contains “a” or whose address contains “b”) and whose address contains “a”.',
  )
  expect(summarize({ match_type: 'all', groups: [] }, NAMES)).toMatch(/^No contacts/)
})

test('a date is not kept as a duration, nor the other way round', () => {
  const on = condition({ field: 'created_at', operator: 'on', value: '2026-01-01' })
  expect(withOperator(on, 'before').value).toBe('2026-01-01')
  expect(withOperator(on, 'older_than')).toMatchObject({ operator: 'older_than', value: '' })
})

test('a field of another type resets the operator', () => {
  const looked = { field: 'property', property_id: 'p1' } as const
  expect(withField(condition({ value: 'x' }), looked, [SEATS])).toMatchObject({
    operator: 'equals',
    value: '',
  })
  expect(
    withField(condition({ operator: 'is_set' }), { field: 'last_name', property_id: null }, [SEATS]),
  ).toMatchObject({ field: 'last_name', operator: 'is_set' })
})

test('an unchanged segment is saved as it was loaded', () => {
  expect(isComplete(EMPTY, [])).toBe(false)
  const filters = {
    groups: [
      {
        match_type: 'any' as const,
        conditions: [
          {
            field: 'unsubscribed' as const,
            type: 'boolean' as const,
            operator: 'equals',
            value: false,
            property_id: null,
          },
          {
            field: 'property' as const,
            type: 'number' as const,
            operator: 'is_set',
            value: null,
            property_id: 'p1',
          },
        ],
      },
    ],
  }
  const times = { created_at: '2026-01-15 09:30:00', updated_at: '2026-01-15 09:30:00' }
  const draft = draftOf({ object: 'segment', id: 's', name: 'A', match_type: 'all', filters, ...times })
  expect(isComplete(draft, [SEATS])).toBe(true)
  expect(filtersOf(draft, [SEATS])).toEqual({
    groups: [
      {
        match_type: 'any',
        conditions: [
          { field: 'unsubscribed', operator: 'equals', value: false },
          { field: 'property', operator: 'is_set', property_id: 'p1' },
        ],
      },
    ],
  })
})
