import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBackpressure, PERIOD_MS } from './backpressure.ts'

const SMALL = new Set(['small', 'other'])
const open = () => createBackpressure((team) => SMALL.has(team))

test('backlogs yield until the mail of all expected teams is in delivery', async () => {
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

test('backlogs do not yield to a team with much mail in progress', () => {
  const backpressure = open()
  backpressure.expect('large')
  expect(backpressure.yieldTurn()).toBeNull()
  expect(backpressure.isExpected('large')).toBe(false)
  // Nor does it benefit from teams with priority.
  backpressure.expect('small')
  backpressure.expect('large')
  expect(backpressure.isExpected('large')).toBe(false)
  backpressure.end('small')
})

test('ends by itself when the mail never comes', async () => {
  const backpressure = open()
  backpressure.expect('small')
  await backpressure.yieldTurn()
  expect(backpressure.isExpected('small')).toBe(false)
  expect(backpressure.yieldTurn()).toBeNull()
})

test('yields at most a fifth of the time, however many requests follow each other', async () => {
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
  // The initial credit, a fifth of the time, and the delay of a last period on a busy machine.
  const lateMs = passedMs - 6 * PERIOD_MS + PERIOD_MS
  expect(stoodMs).toBeLessThan(2 * PERIOD_MS + passedMs / 5 + lateMs)
  // No credit is left for the next one.
  expect(stoodMs).toBeGreaterThan(PERIOD_MS)
})
