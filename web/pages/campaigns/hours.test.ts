import { expect, test } from 'vitest'
import type { CampaignMetrics } from '../../api/records.ts'
import { seriesOf } from './hours.ts'

const NOW = new Date('2026-03-30T00:00:00Z')
const hour = (at: string, delivered: number) =>
  ({ at, counts: { delivered, bounced: 1 } }) as unknown as CampaignMetrics['hours'][number]

test('hours between the first and the last have entries, also those in which nothing happened', () => {
  const hours = [hour('2026-03-20 08:00:00', 5), hour('2026-03-20 11:00:00', 2)]
  const timeline = seriesOf({ hours }, NOW)
  expect(timeline?.interval).toBe('hour')
  expect(timeline?.series.map(({ at, counts }) => [at.slice(11, 16), counts.delivered ?? 0])).toEqual([
    ['08:00', 5],
    ['09:00', 0],
    ['10:00', 0],
    ['11:00', 2],
  ])
})

test('what takes more than three days is shown by day, of at most a month', () => {
  const hours = [
    hour('2026-03-20 08:00:00', 5),
    hour('2026-03-20 23:00:00', 2),
    hour('2026-03-24 01:00:00', 1),
  ]
  const timeline = seriesOf({ hours }, NOW)
  expect(timeline?.interval).toBe('day')
  expect(timeline?.series.map(({ counts }) => counts)).toEqual([
    { delivered: 7, bounced: 2 },
    ...[{}, {}, {}],
    { delivered: 1, bounced: 1 },
  ])
  expect(seriesOf({ hours: [...hours, hour('2027-03-24 01:00:00', 1)] }, NOW)?.series).toHaveLength(31)
})

test('a campaign without results has no chart', () => {
  expect(seriesOf({ hours: [] }, NOW)).toBeNull()
})
