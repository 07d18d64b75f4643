import { afterAll, expect } from 'vitest'
import { firstIdAt, newId } from '../../src/lib/ids.ts'

// Runs for each test file. Files share the loaded source, in which ids only rise: a file that handed in a clock of the
// future would give the files after it ids of the future.

const AHEAD_MAX_MS = 60_000

// Each file begins with the ids of today, whether it is the first in its process or not.
newId()
afterAll(() => {
  const isAhead = newId() >= firstIdAt(new Date(Date.now() + AHEAD_MAX_MS))
  expect(isAhead, 'this file passed a clock of the future to newId: begin earlier').toBe(false)
})
