import { expect, test } from 'vitest'
import { entriesOf, entryRowsOf, repeatedNamesOf } from './entry-rows.ts'

test('records become rows and records again; others stay as they are', () => {
  const record = {
    PLAN: { var: 'event.plan' },
    SEATS: 5,
    CODE: '5',
    NAME: 'Ann',
    OLD: null,
    IS_NEW: true,
    BIG: 1e21,
  }
  const rows = entryRowsOf(record)
  expect(rows?.map(({ value }) => value)).toEqual(['event.plan', '5', '"5"', 'Ann', 'null', 'true', '1e+21'])
  expect(entriesOf(rows ?? [])).toEqual(record)
  expect(entryRowsOf({ ITEMS: [1, 2] })).toBeNull()
})

test('without named rows there is no record', () => {
  expect(entryRowsOf(undefined)).toEqual([])
  expect(entriesOf([{ name: '', isVariable: false, value: 'a' }])).toBeUndefined()
})

test('names of several rows are found, as a record keeps one value of each', () => {
  const rows = ['PLAN', 'SEATS', 'PLAN', '', ''].map((name) => ({ name, isVariable: false, value: 'a' }))
  expect([...repeatedNamesOf(rows)]).toEqual(['PLAN'])
})
