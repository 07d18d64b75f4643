import { expect, test } from 'vitest'
import { outcomeWord } from './words.ts'

test('outcomes are named by what the step waits for', () => {
  expect(outcomeWord('default', 'split', false)).toBe('otherwise')
  expect(outcomeWord('branch_2', 'split', false)).toBe('branch 2')
  expect(outcomeWord('timeout', 'wait_for_event', false)).toBe('after the timeout')
  expect(outcomeWord('default', 'webhook', false)).toBe('when it responds')
  expect(outcomeWord('timeout', 'webhook', false)).toBe('without a response in time')
  expect(outcomeWord('default', 'webhook', true)).toBe('')
})
