import { expect, test } from 'vitest'
import type { EmailMetrics } from '../../api/records.ts'
import { firstOpenOf } from '../../ui/metrics/points.ts'
import { takenOf } from '../../ui/metrics/series.ts'
import { deltaOf, KEY_FIGURES, queryBefore, sumCounts } from './compare.ts'

const counts = (over: Record<string, number>) =>
  ({
    accepted: 0,
    attempted: 0,
    bounced: 0,
    failed: 0,
    rejected: 0,
    complained: 0,
    ...over,
  }) as EmailMetrics['totals']

function metricsOf(points: readonly Record<string, number>[], asOf: string): EmailMetrics {
  return {
    interval: 'day',
    start_date: '2026-11-16 00:00:00',
    end_date: `2026-11-${16 + points.length} 00:00:00`,
    as_of: asOf,
    totals: counts({}),
    series: points.map((point, index) => ({ at: `2026-11-${16 + index} 00:00:00`, counts: counts(point) })),
  } as unknown as EmailMetrics
}

const figure = (key: string) => {
  const found = KEY_FIGURES.find((each) => each.key === key)
  if (found === undefined) throw new Error(`There is no figure ${key}.`)
  return found
}

test('the previous period is as long and ends where this one starts, with the same filters', () => {
  const metrics = metricsOf([{}, {}, {}], '2026-11-18 10:00:00')
  expect(queryBefore(metrics, { interval: 'day', tag: 'kind:order' })).toEqual({
    interval: 'day',
    tag: 'kind:order',
    start_date: '2026-11-13T00:00:00.000Z',
    end_date: '2026-11-16T00:00:00.000Z',
  })
})

test('only days that are over are compared', () => {
  const metrics = metricsOf([{ accepted: 10 }, { accepted: 20 }, { accepted: 5 }], '2026-11-18 10:00:00')
  expect(firstOpenOf(metrics)).toBe(2)
  expect(sumCounts(metrics, 2).accepted).toBe(30)
  expect(firstOpenOf(metricsOf([{}], '2026-11-17 00:00:00'))).toBe(1)
})

test('delivered, bounced, failed and rejected recipients add up to those attempted', () => {
  expect(takenOf(counts({ attempted: 100, bounced: 3, failed: 2, rejected: 1 }))).toBe(94)
  expect(takenOf(counts({ attempted: 1, bounced: 3 }))).toBe(0)
})

test('a number changes in percent, a share in percentage points; more bounces are worse', () => {
  const before = counts({ accepted: 100, attempted: 100, bounced: 1 })
  const now = counts({ accepted: 112, attempted: 100, bounced: 3 })
  expect(deltaOf(figure('accepted'), now, before)).toEqual({ text: '+12 %', direction: 'better' })
  expect(deltaOf(figure('bounced'), now, before)).toEqual({ text: '+2 pt', direction: 'worse' })
  expect(deltaOf(figure('delivered'), now, before)).toEqual({ text: '−2 pt', direction: 'worse' })
  expect(deltaOf(figure('accepted'), now, now)).toEqual({ text: '±0 %', direction: 'same' })
  expect(deltaOf(figure('accepted'), now, counts({}))).toBeNull()
  expect(deltaOf(figure('bounced'), now, counts({}))).toBeNull()
})
