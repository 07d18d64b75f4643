import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPrecedence, PERIOD_MS } from './backpressure.ts'

const SMALL = new Set(['small', 'other'])
const open = () => createPrecedence((team) => SMALL.has(team))

test('stood back for until the mail of all that are expected is on its way', async () => {
  const precedence = open()
  expect(precedence.standBack()).toBeNull()
  precedence.expect('small')
  precedence.expect('other')
  const standing = precedence.standBack()
  expect(standing).not.toBeNull()
  expect(precedence.isExpected('small')).toBe(true)
  precedence.end('small')
  precedence.end('nobody')
  expect(precedence.isExpected('small')).toBe(false)
  expect(precedence.standBack()).toBe(standing)
  precedence.end('other')
  expect(precedence.standBack()).toBeNull()
  await standing
})

test('not stood back for: whoever has much under way', () => {
  const precedence = open()
  precedence.expect('large')
  expect(precedence.standBack()).toBeNull()
  expect(precedence.isExpected('large')).toBe(false)
  // Nor does it come along with those who have the right.
  precedence.expect('small')
  precedence.expect('large')
  expect(precedence.isExpected('large')).toBe(false)
  precedence.end('small')
})

test('over by itself where the mail never comes', async () => {
  const precedence = open()
  precedence.expect('small')
  await precedence.standBack()
  expect(precedence.isExpected('small')).toBe(false)
  expect(precedence.standBack()).toBeNull()
})

test('no more than a fifth of the time, however much is expected one after the other', async () => {
  const precedence = open()
  const startedMs = performance.now()
  let stoodMs = 0
  while (performance.now() - startedMs < 6 * PERIOD_MS) {
    precedence.expect('small')
    const standing = precedence.standBack()
    if (standing === null) await pause(1)
    else {
      const fromMs = performance.now()
      await standing
      stoodMs += performance.now() - fromMs
    }
  }
  const passedMs = performance.now() - startedMs
  // What was saved up at first, a fifth of the time, and what a last period may be late by on a busy machine.
  const lateMs = passedMs - 6 * PERIOD_MS + PERIOD_MS
  expect(stoodMs).toBeLessThan(2 * PERIOD_MS + passedMs / 5 + lateMs)
  // Then there is nothing left for the next to be waited for.
  expect(stoodMs).toBeGreaterThan(PERIOD_MS)
})
