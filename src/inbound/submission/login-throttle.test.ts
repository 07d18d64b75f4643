import { expect, test } from 'vitest'
import { createLoginThrottle } from './login-throttle.ts'

let nowMs = 1_000_000
const clock = { now: () => new Date(nowMs) }
const fail = (throttle: ReturnType<typeof createLoginThrottle>, address: string, times: number) => {
  for (let count = 0; count < times; count++) throttle.recordFailure(address, 'wrong')
}

test('blocked for the rest of the minute after ten failures, for that address only', () => {
  const throttle = createLoginThrottle(clock)
  fail(throttle, '192.0.2.1', 9)
  expect(throttle.waitSeconds('192.0.2.1', 'any')).toBe(0)
  nowMs += 20_000
  fail(throttle, '192.0.2.1', 1)
  expect(throttle.waitSeconds('192.0.2.1', 'any')).toBe(40)
  expect(throttle.waitSeconds('192.0.2.2', 'any')).toBe(0)
  nowMs += 40_000
  expect(throttle.waitSeconds('192.0.2.1', 'any')).toBe(0)
})

test('blocked for a whole IPv6 /64, and for one IPv4-mapped address', () => {
  const throttle = createLoginThrottle(clock)
  fail(throttle, '2001:db8:1:2::1', 5)
  fail(throttle, '2001:db8:1:2:ffff::9', 5)
  expect(throttle.waitSeconds('2001:db8:1:2::77', 'any')).toBeGreaterThan(0)
  expect(throttle.waitSeconds('2001:db8:1:3::1', 'any')).toBe(0)
  fail(throttle, '::ffff:192.0.2.1', 10)
  expect(throttle.waitSeconds('::ffff:192.0.2.2', 'any')).toBe(0)
})

test('open again if the clock jumps back', () => {
  const throttle = createLoginThrottle(clock)
  fail(throttle, '192.0.2.1', 10)
  nowMs -= 3_600_000
  expect(throttle.waitSeconds('192.0.2.1', 'any')).toBe(0)
})

test('bounded: ten thousand addresses are remembered', () => {
  const throttle = createLoginThrottle(clock)
  fail(throttle, '192.0.2.1', 10)
  for (let count = 0; count < 10_000; count++)
    throttle.recordFailure(`10.0.${count >> 8}.${count & 255}`, 'wrong')
  expect(throttle.waitSeconds('192.0.2.1', 'any')).toBe(0)
})

test('never blocked for a password that was correct before, until it is wrong', () => {
  const throttle = createLoginThrottle(clock)
  throttle.recordSuccess('right')
  fail(throttle, '192.0.2.1', 10)
  expect(throttle.waitSeconds('192.0.2.1', 'right')).toBe(0)
  expect(throttle.waitSeconds('192.0.2.1', 'other')).toBeGreaterThan(0)
  throttle.recordFailure('192.0.2.1', 'right')
  expect(throttle.waitSeconds('192.0.2.1', 'right')).toBeGreaterThan(0)
})

test('bounded: ten thousand correct passwords are remembered', () => {
  const throttle = createLoginThrottle(clock)
  for (let count = 0; count <= 10_000; count++) throttle.recordSuccess(`right-${count}`)
  fail(throttle, '192.0.2.1', 10)
  expect(throttle.waitSeconds('192.0.2.1', 'right-0')).toBeGreaterThan(0)
  expect(throttle.waitSeconds('192.0.2.1', 'right-1')).toBe(0)
})
