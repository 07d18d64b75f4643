import { expect, test } from 'vitest'
import { Failing } from './failing.ts'

test('left out for a minute, and no longer if the clock is set back', () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const failing = new Failing()
  failing.add('a', now)
  expect([failing.ids(after(59)), failing.ids(after(60))]).toEqual([['a'], []])
  failing.add('a', now)
  expect(failing.ids(after(-3600))).toEqual([])
})
