import { expect, test } from 'vitest'
import { showAge } from './times.ts'

const NOW_MS = Date.UTC(2026, 0, 15, 9)

test.each([
  [-5, 'just now'],
  [-90, '1 minute ago'],
  [-24 * 3_600, '1 day ago'],
  // On the 13th, two days before.
  [-34 * 3_600, '1 day ago'],
  [25 * 3_600, 'in 1 day'],
])('%s seconds from now is shown as %s', (seconds, shown) => {
  expect(showAge(new Date(NOW_MS + seconds * 1_000), NOW_MS)).toBe(shown)
})
