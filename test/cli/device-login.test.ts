import { expect, test } from 'vitest'
import { boundInterval } from '../../src/cli/developer/profiles/device-login.ts'

test.each([
  [2, 2],
  ['7', 7],
  [0.001, 1],
  [-3, 1],
  [61, 60],
  [1e300, 60],
  [0, 5],
  [undefined, 5],
  ['soon', 5],
  [{}, 5],
])('an interval of %o from the server becomes %d seconds', (interval, seconds) => {
  expect(boundInterval(interval)).toBe(seconds)
})
