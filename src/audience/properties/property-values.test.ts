import { expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { readPropertyValue } from './property-values.ts'

test('a number of many digits and a letter is rejected in linear time', () => {
  const text = `${'0'.repeat(50_000)}x`
  const work = () => expect(readPropertyValue('number', text, 'age')).toHaveProperty('problem')
  expect(passesOf(work, text)).toBeLessThan(PASSES_MAX)
})
