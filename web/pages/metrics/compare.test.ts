import { expect, test } from 'vitest'
import type { EmailMetrics } from '../../api/records.ts'
import { takenOf } from '../../ui/metrics/series.ts'
import { comparedQueries, deltaOf, KEY_FIGURES, sumWhole } from './compare.ts'

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

test('the days that are over are compared with the same days of the previous period, with the same filters', () => {
  const metrics = metricsOf([{ attempted: 10 }, { attempted: 20 }, { attempted: 5 }], '2026-11-18 10:00:00')
  const filters = { interval: 'day', tag: 'kind:order' }
  expect(comparedQueries(metrics, filters)).toEqual({
    now: { ...filters, start_date: '2026-11-16T00:00:00.000Z', end_date: '2026-11-18T00:00:00.000Z' },
    before: { ...filters, start_date: '2026-11-13T00:00:00.000Z', end_date: '2026-11-15T00:00:00.000Z' },
  })
  expect(sumWhole(metrics).attempted).toBe(30)
})

test('the whole period is compared once it is over, and nothing before a day is over', () => {
  const over = comparedQueries(metricsOf([{}], '2026-11-17 00:00:00'), {})
  expect(over?.now.end_date).toBe('2026-11-17T00:00:00.000Z')
  expect(comparedQueries(metricsOf([{}], '2026-11-16 10:00:00'), {})).toBeNull()
})

test('delivered, bounced, failed and rejected recipients add up to those attempted', () => {
  expect(takenOf(counts({ attempted: 100, bounced: 3, failed: 2, rejected: 1 }))).toBe(94)
  expect(takenOf(counts({ attempted: 1, bounced: 3 }))).toBe(0)
})

test('a number changes in percent, a share in percentage points; more bounces are worse', () => {
  const before = counts({ attempted: 100, bounced: 1 })
  const now = counts({ attempted: 200, bounced: 6 })
  expect(deltaOf(figure('attempted'), now, before)).toEqual({
    amount: '+100',
    unit: '%',
    direction: 'better',
  })
  expect(deltaOf(figure('bounced'), now, before)).toEqual({ amount: '+2', unit: 'pt', direction: 'worse' })
  expect(deltaOf(figure('delivered'), now, before)).toEqual({ amount: '−2', unit: 'pt', direction: 'worse' })
  expect(deltaOf(figure('attempted'), now, now)).toEqual({ amount: '±0', unit: '%', direction: 'same' })
  expect(deltaOf(figure('attempted'), now, counts({}))).toBeNull()
  expect(deltaOf(figure('bounced'), now, counts({}))).toBeNull()
})
