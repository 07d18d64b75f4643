import { expect, test } from 'vitest'
import { judge } from './guard.ts'

const LIMITS = { bounceRate: 0.1, complaintRate: 0.005, recipientsMin: 200 }
const GOOD = { attempted: 1000, bouncedHard: 100, complained: 4, taken: 900 }

test('null up to the limit, and a sentence with figures beyond it', () => {
  expect(judge(GOOD, LIMITS)).toBeNull()
  expect(judge({ ...GOOD, bouncedHard: 101 }, LIMITS)).toMatch(
    /^101 of 1,000 recipients of the last 24 hours do not exist \(10\.1 %\); at most 10 % may\./,
  )
  expect(judge({ ...GOOD, complained: 5 }, LIMITS)).toMatch(
    /^5 complaints came for 900 emails .* \(0\.56 %\); at most 0\.5 % may\./,
  )
})

test('null of few recipients, however bad, and where a limit is off', () => {
  expect(judge({ attempted: 199, bouncedHard: 199, complained: 0, taken: 0 }, LIMITS)).toBeNull()
  expect(judge({ attempted: 300, bouncedHard: 0, complained: 100, taken: 199 }, LIMITS)).toBeNull()
  const bad = { ...GOOD, bouncedHard: 900, complained: 90 }
  expect(judge(bad, { ...LIMITS, bounceRate: null })).toMatch(/complaints/)
  expect(judge(bad, { ...LIMITS, bounceRate: null, complaintRate: null })).toBeNull()
})
