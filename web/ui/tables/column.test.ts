import { expect, test } from 'vitest'
import { type Column, nameOf, readSort, sortRows } from './column.ts'

interface Row {
  name: string
  count: number | null
}

const COLUMNS: readonly Column<Row>[] = [
  { header: 'Name', render: ({ name }) => name, sortOf: ({ name }) => name },
  { header: 'Open rate (%)', render: ({ count }) => count, sortOf: ({ count }) => count },
]
const ROWS: readonly Row[] = [
  { name: 'b10', count: 2 },
  { name: 'B9', count: null },
  { name: 'a', count: 10 },
]

const sorted = (sort: string | undefined) => sortRows(ROWS, COLUMNS, readSort(sort)).map(({ name }) => name)

test('texts are sorted without case and numbers in them by value', () => {
  expect(sorted('name')).toEqual(['a', 'B9', 'b10'])
  expect(sorted('-name')).toEqual(['b10', 'B9', 'a'])
})

test('numbers are sorted by value, and missing ones come last in both directions', () => {
  expect(nameOf({ header: 'Open rate (%)' })).toBe('open-rate-')
  expect(sorted('open-rate-')).toEqual(['b10', 'a', 'B9'])
  expect(sorted('-open-rate-')).toEqual(['a', 'b10', 'B9'])
})

test('without a sort, or with one of an unknown column, the order stays', () => {
  expect(sorted(undefined)).toEqual(['b10', 'B9', 'a'])
  expect(sorted('toString')).toEqual(['b10', 'B9', 'a'])
})
