import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { newId } from '../../lib/ids.ts'
import { addMetricCounts, noCounts } from '../counting/metric-counts-queries.ts'
import { sumReputations } from '../reading/read-metrics-queries.ts'
import { pauseReason } from './guard.ts'

const LIMITS = { bounceRate: 0.1, complaintRate: 0.005, recipientsMin: 200 }
const GOOD = { attempted: 1000, bouncedHard: 100, complained: 4, takenMost: 900 }

test('null up to the limit, and a sentence with numbers above it', () => {
  expect(pauseReason(GOOD, LIMITS)).toBeNull()
  expect(pauseReason({ ...GOOD, bouncedHard: 101 }, LIMITS)).toMatch(
    /^101 of 1,000 recipients of the last 24 hours do not exist \(10\.1 %\); at most 10 % may\./,
  )
  expect(pauseReason({ ...GOOD, complained: 5 }, LIMITS)).toMatch(
    /^5 complaints came in 24 hours, for 900 emails .* \(0\.56 %\); at most 0\.5 % may\./,
  )
})

test('null for too few recipients, at any rate, and for a disabled limit', () => {
  expect(pauseReason({ attempted: 199, bouncedHard: 199, complained: 0, takenMost: 0 }, LIMITS)).toBeNull()
  expect(pauseReason({ attempted: 300, bouncedHard: 0, complained: 100, takenMost: 199 }, LIMITS)).toBeNull()
  const bad = { ...GOOD, bouncedHard: 900, complained: 90 }
  expect(pauseReason(bad, { ...LIMITS, bounceRate: null })).toMatch(/complaints/)
  expect(pauseReason(bad, { ...LIMITS, bounceRate: null, complaintRate: null })).toBeNull()
})

test('complaints are compared with the busiest of four days, bounces with the same day', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const teamId = newId()
  const since = Date.UTC(2026, 5, 10, 7)
  const hoursLater = (hours: number, counts: object) => ({
    teamId,
    grain: 'hour' as const,
    dimension: 'all' as const,
    sinceMs: since + hours * 3_600_000,
    key: '',
    counts: { ...noCounts(), ...counts },
    delays: [],
  })
  await database.db.transaction((tx) =>
    addMetricCounts(tx, [
      hoursLater(-73, { attempted: 90_000, complained: 90 }),
      hoursLater(-49, { attempted: 10_000, bounced: 100, complained: 9 }),
      hoursLater(-48, { attempted: 1000 }),
      hoursLater(-1, { attempted: 50_000, bounced: 1000, bounced_hard: 900 }),
      hoursLater(0, { attempted: 200, complained: 10, bounced_hard: 1 }),
      hoursLater(23, { attempted: 100, complained: 20 }),
    ]),
  )
  expect(await sumReputations(database.db, [teamId], new Date(since), 3)).toEqual([
    { teamId, attempted: 300, bouncedHard: 1, complained: 30, takenMost: 49_000 },
  ])
})
