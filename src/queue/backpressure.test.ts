import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBackpressure, PERIOD_MS } from './backpressure.ts'

const SMALL = new Set(['small', 'other'])
const open = () => createBackpressure((team) => SMALL.has(team))

test('stood back for until the mail of all that are expected is on its way', async () => {
  const backpressure = open()
  expect(backpressure.yieldTurn()).toBeNull()
  backpressure.expect('small')
  backpressure.expect('other')
  const standing = backpressure.yieldTurn()
  expect(standing).not.toBeNull()
  expect(backpressure.isExpected('small')).toBe(true)
  backpressure.end('small')
  backpressure.end('nobody')
  expect(backpressure.isExpected('small')).toBe(false)
  expect(backpressure.yieldTurn()).toBe(standing)
  backpressure.end('other')
  expect(backpressure.yieldTurn()).toBeNull()
  await standing
})

test('not stood back for: whoever has much under way', () => {
  const backpressure = open()
  backpressure.expect('large')
  expect(backpressure.yieldTurn()).toBeNull()
  expect(backpressure.isExpected('large')).toBe(false)
  // Nor does it come along with those who have the right.
  backpressure.expect('small')
  backpressure.expect('large')
  expect(backpressure.isExpected('large')).toBe(false)
  backpressure.end('small')
})

test('over by itself where the mail never comes', async () => {
  const backpressure = open()
  backpressure.expect('small')
  await backpressure.yieldTurn()
  expect(backpressure.isExpected('small')).toBe(false)
  expect(backpressure.yieldTurn()).toBeNull()
})

test('no more than a fifth of the time, however much is expected one after the other', async () => {
  const backpressure = open()
  const startedMs = performance.now()
  let stoodMs = 0
  while (performance.now() - startedMs < 6 * PERIOD_MS) {
    backpressure.expect('small')
    const standing = backpressure.yieldTurn()
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
