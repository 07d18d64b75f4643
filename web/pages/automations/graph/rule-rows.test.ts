import { expect, test } from 'vitest'
import { rowsOf, ruleOf } from './rule-rows.ts'

test('rules become rows and rules again; others stay as they are', () => {
  const rule = {
    type: 'or',
    rules: [
      { type: 'rule', field: 'event.seats', operator: 'gte', value: 5 },
      { type: 'rule', field: 'event.code', operator: 'eq', value: '5' },
      { type: 'rule', field: 'contact.first_name', operator: 'exists' },
    ],
  }
  const rows = rowsOf(rule)
  expect(rows?.rows.map(({ value }) => value)).toEqual(['5', '"5"', ''])
  expect(rows && ruleOf(rows)).toEqual(rule)
  expect(rowsOf({ type: 'not', rule })).toBeNull()
})
