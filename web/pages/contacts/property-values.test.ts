import { expect, test } from 'vitest'
import type { Property } from '../../api/records.ts'
import { changesOf, draftOf } from './property-values.ts'

const property = (key: string, type: Property['type']): Property => ({
  object: 'property',
  id: key,
  key,
  type,
  fallback_value: null,
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
})
const PROPERTIES = [property('Plan', 'string'), property('seats', 'number'), property('renews', 'date')]
const VALUES = { PLAN: 'pro', SEATS: 12, RENEWS: '2027-01-31 00:00:00' }

test('values are found by key, whatever its case, and a day has no time', () => {
  expect(draftOf(PROPERTIES, VALUES)).toEqual({ Plan: 'pro', seats: '12', renews: '2027-01-31' })
  expect(draftOf(PROPERTIES, {})).toEqual({ Plan: '', seats: '', renews: '' })
})

test('a request contains only changed values, with null for removed ones', () => {
  const draft = draftOf(PROPERTIES, VALUES)
  expect(changesOf(PROPERTIES, draft, VALUES)).toEqual({})
  expect(changesOf(PROPERTIES, { ...draft, Plan: ' free ', seats: '' }, VALUES)).toEqual({
    Plan: ' free ',
    seats: null,
  })
  expect(changesOf(PROPERTIES, { ...draft, renews: '2027-02-01 10:00' }, VALUES)).toEqual({
    renews: '2027-02-01T10:00',
  })
})
