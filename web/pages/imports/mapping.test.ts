import { expect, test } from 'vitest'
import type { Property } from '../../api/records.ts'
import { faultOf, guessMapping, keyFor, writeMapping } from './mapping.ts'

const PLAN: Property = {
  object: 'property',
  id: '1',
  key: 'Plan',
  type: 'string',
  fallback_value: null,
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

test('columns are recognized by common names, and each field is used once', () => {
  const columns = ['E-Mail', 'First Name', 'surname', 'PLAN', 'email', 'Notes', 'properties.plan']
  expect(guessMapping(columns, 'contacts', [PLAN])).toEqual([
    'email',
    'first_name',
    'last_name',
    'properties.Plan',
    '',
    '',
    '',
  ])
  expect(guessMapping(['Email Address', 'plan', 'Reason'], 'suppressions', [PLAN])).toEqual([
    'email',
    '',
    'reason',
  ])
})

test('a mapping contains only what the server cannot guess, with null for skipped columns', () => {
  expect(writeMapping(['Email', 'First Name', 'Notes'], ['email', 'first_name', ''])).toBe(
    '{"First Name":"first_name","Notes":null}',
  )
})

test('each fault has a message', () => {
  expect(faultOf(['a', 'b'], ['', 'first_name'])).toMatch(/holds the address/)
  expect(faultOf(['a', 'b'], ['email', 'email'])).toMatch(/same field/)
  expect(faultOf(['A', 'a'], ['email', ''])).toMatch(/same name/)
  expect(faultOf(['a', 'x', 'X'], ['email', '', ''])).toBeNull()
  expect(faultOf(['a', 'x'.repeat(9_000)], ['email', ''])).toMatch(/too many columns/)
})

test.each([
  ['Plan', 'plan'],
  ['Lieferung bis (geplant)', 'lieferung_bis_geplant'],
  ['2nd größe', 'nd_gro_e'],
  ['***', ''],
])('%j becomes the key %j', (column, key) => {
  expect(keyFor(column)).toBe(key)
})
