import { expect, test } from 'vitest'
import { CATEGORIES } from '../../../src/classification/verdict-categories.ts'
import { nameOfCause } from './causes.ts'

test('every category of a failure has a cause in words', () => {
  const failures = Object.keys(CATEGORIES).filter((category) => category !== 'accepted')
  expect(failures.filter((category) => nameOfCause(category) === category.replaceAll('_', ' '))).toEqual([])
  expect(nameOfCause('some_later_category')).toBe('some later category')
})
