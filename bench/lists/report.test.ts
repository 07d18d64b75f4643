import { expect, test } from 'vitest'
import type { Measurement } from './measure.ts'
import { formatLists, readSection, replaceSection } from './report.ts'

function measured(p99Ms: number, failure: string | null = null): Measurement {
  return { what: 'GET /emails', fits: 'all', targetMs: 50, p50Ms: 5, p99Ms, maxMs: 60, attempts: 1, failure }
}

test('Verdict: met up to the target, missed above it, and failed without figures', () => {
  const rows = formatLists([measured(50), measured(50.1), measured(Number.NaN, '503')], true).split('\n')
  expect(rows.slice(2).map((row) => row.split('|').at(-2)?.trim())).toEqual(['met', 'MISSED', 'FAILED'])
})

test('Replacing the section keeps the rest of the page and removes the results of an earlier run', () => {
  const page = '# Results\n\n## Notes\n\n- One.\n'
  const once = replaceSection(page, [measured(40)], [['date', 'today']])
  const twice = replaceSection(once, [measured(41)], [['date', 'tomorrow']])
  expect(once.startsWith(page)).toBe(true)
  expect(twice).toBe(replaceSection(page, [measured(41)], [['date', 'tomorrow']]))
  expect(page + readSection(twice)).toBe(twice)
  expect(readSection(page)).toBe('')
})
