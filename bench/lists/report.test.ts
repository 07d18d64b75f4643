import { expect, test } from 'vitest'
import type { Measurement } from './measure.ts'
import { formatLists } from './report.ts'

function measured(p99Ms: number, failure: string | null = null): Measurement {
  return { what: 'GET /emails', fits: 'all', targetMs: 50, p50Ms: 5, p99Ms, maxMs: 60, attempts: 1, failure }
}

test('Verdict: met up to the target, missed above it, and failed without figures', () => {
  const rows = formatLists([measured(50), measured(50.1), measured(Number.NaN, '503')], true).split('\n')
  expect(rows.slice(2).map((row) => row.split('|').at(-2)?.trim())).toEqual(['met', 'MISSED', 'FAILED'])
})
