import { expect, test } from 'vitest'
import { type RuleRow, readValue, rowsOf, ruleOf, shownRows, showValue, withOperator } from './rule-rows.ts'

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
  expect(rowsOf({ type: 'and', rules: [null] })).toBeNull()
})

test.each(['12', 'true', '"quoted"', 'plain'])('operators for texts keep %s as it is', (value) => {
  for (const operator of ['contains', 'starts_with', 'ends_with']) {
    const rule = { type: 'rule', field: 'event.zip', operator, value }
    const rows = rowsOf(rule)
    expect(rows?.rows[0]?.value).toBe(value)
    expect(rows && ruleOf(rows)).toEqual(rule)
  }
})

test('a text in quotation marks loses them under an operator for texts', () => {
  const row: RuleRow = { field: 'event.zip', operator: 'eq', value: '"12"' }
  expect(withOperator(row, 'contains')).toEqual({ ...row, operator: 'contains', value: '12' })
  expect(withOperator(row, 'neq')).toEqual({ ...row, operator: 'neq' })
  const quoted = { ...row, operator: 'contains' }
  expect(withOperator(quoted, 'ends_with')).toEqual({ ...quoted, operator: 'ends_with' })
})

test('rows are shown as typed while they stand for the rule', () => {
  let rule: object | undefined = { type: 'rule', field: 'event.n', operator: 'eq', value: '' }
  let typed = shownRows(null, rule)
  for (const key of '1.05') {
    const [row] = shownRows(typed, rule)?.rows ?? []
    typed = { type: 'and', rows: [{ ...(row as RuleRow), value: `${row?.value}${key}` }] }
    rule = ruleOf(typed)
  }
  expect(rule).toMatchObject({ value: 1.05 })
  expect(shownRows(typed, { ...rule, value: 2 })?.rows[0]?.value).toBe('2')
})

test.each([1e21, 1e-7, -2.5e-9, 12_345.5, 0])('the number %d stays a number', (value) => {
  expect(readValue(showValue(value))).toBe(value)
})

test.each(['1e21', '1e999', '007', 'e5'])('the text %s stays a text', (value) => {
  expect(readValue(showValue(value))).toBe(value)
})
