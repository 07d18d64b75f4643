import { expect, test } from 'vitest'
import { SiteProgress } from './site-progress.ts'

test('a new site may hold a few, and twice as many as it takes', () => {
  const progress = new SiteProgress()
  expect(progress.waitingMax(0)).toBe(25)
  for (let n = 0; n < 100; n++) progress.record(1000)
  expect(progress.waitingMax(1000)).toBe(225)
})

test.each([
  [1, 25 + 20],
  [100, 25 + 2000],
])('a site that takes %s a second may hold what it takes in 20 s', (perSecond, expected) => {
  const progress = new SiteProgress()
  for (let n = 0; n < 100 * perSecond; n++) progress.record((1000 * n) / perSecond)
  expect(progress.waitingMax(100_000) / expected).toBeGreaterThan(0.9)
  expect(progress.waitingMax(100_000) / expected).toBeLessThan(1.1)
})

test('a site that stopped taking mail holds little soon, and a clock that is set back changes nothing', () => {
  const progress = new SiteProgress()
  for (let n = 0; n < 1000; n++) progress.record(0)
  expect(progress.waitingMax(-3_600_000)).toBe(2025)
  expect(progress.waitingMax(30_000)).toBeLessThan(130)
  expect(progress.waitingMax(120_000)).toBe(25)
})
