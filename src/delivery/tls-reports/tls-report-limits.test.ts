import { expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { limitTlsReports, REPORTS_PER_ADDRESS_MAX } from './tls-report-limits.ts'

const TODAY = new Date('2026-11-21T12:00:00Z')
const TOMORROW = new Date('2026-11-22T00:00:00Z')

function takeMany(
  count: number,
  uriOf: (no: number) => string,
  limits = limitTlsReports(createLog('silent')),
) {
  const apiErrors = Array.from({ length: count }, (_, no) => limits.take(uriOf(no), TODAY))
  return {
    limits,
    takenCount: apiErrors.filter((apiError) => apiError === null).length,
    last: apiErrors.at(-1),
  }
}

test.each([
  [
    'in capitals and with parameters',
    (no: number) => `mailto:${no % 2 ? 'TLS' : 'tls'}@victim.test?subject=${no}`,
  ],
  ['by other queries of one URL', (no: number) => `https://victim.test/in?from=${no}`],
])('refused when one address has reached its daily limit, %s', (_, uriOf) => {
  const { takenCount, last, limits } = takeMany(500, uriOf)
  expect(takenCount).toBe(REPORTS_PER_ADDRESS_MAX)
  expect(last).toBe('200 reports have gone to this address today')
  expect(limits.take('mailto:other@victim.test', TODAY)).toBeNull()
  expect(limits.take(uriOf(0), TOMORROW)).toBeNull()
})

test('refused when one host has reached its daily limit, even for a new address', () => {
  const { takenCount, last, limits } = takeMany(3000, (no) => `mailto:a${no}@victim.test`)
  expect([takenCount, last]).toEqual([2000, '2000 reports have gone to this host today'])
  expect(limits.take('https://victim.test/', TODAY)).toMatch('to this host')
  expect(limits.take('mailto:tls@other.test', TODAY)).toBeNull()
  const urls = takeMany(3000, (no) => `https://victim.test:${no + 1}/${no}`)
  expect(urls.takenCount).toBe(2000)
})

test('counted for a limited number of names', () => {
  const { takenCount } = takeMany(50_000, (no) => `mailto:tls@h${no}.test`)
  expect(takenCount).toBe(50_000)
})
