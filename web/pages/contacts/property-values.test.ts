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
  const before = draftOf(PROPERTIES, VALUES)
  expect(changesOf(PROPERTIES, before, before)).toEqual({})
  expect(changesOf(PROPERTIES, { ...before, Plan: ' free ', seats: '' }, before)).toEqual({
    Plan: ' free ',
    seats: null,
  })
  expect(changesOf(PROPERTIES, { ...before, renews: '2027-02-01 10:00' }, before)).toEqual({
    renews: '2027-02-01T10:00',
  })
})

test('a property that was added while the form is open counts as unchanged', () => {
  expect(changesOf([...PROPERTIES, property('city', 'string')], {}, {})).toEqual({})
})
