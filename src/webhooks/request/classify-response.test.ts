import { expect, test } from 'vitest'
import { classifyOutcome } from './classify-response.ts'
import { readResponseText } from './post.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const answered = (status: number, retryAfter: string | null = null) =>
  classifyOutcome({ kind: 'answered', status, retryAfter, text: '' }, NOW)

test.each([200, 201, 204, 299])('delivered for %i', (status) => {
  expect(answered(status)).toEqual({ isDelivered: true })
})

test.each([300, 301, 304, 308, 400, 404, 410, 429, 500, 503, 999])('failed for %i', (status) => {
  expect(answered(status)).toMatchObject({ isDelivered: false, isGone: status === 410 })
})

test.each([
  { retryAfter: '120', waitMs: 120_000 },
  { retryAfter: 'Thu, 01 Jan 2026 00:01:00 GMT', waitMs: 60_000 },
  { retryAfter: 'Wed, 31 Dec 2025 00:00:00 GMT', waitMs: 0 },
  { retryAfter: '9999999999', waitMs: 36_000_000 },
  { retryAfter: '9'.repeat(400), waitMs: 36_000_000 },
  { retryAfter: '-5', waitMs: 0 },
  { retryAfter: 'after 2099', waitMs: 0 },
  { retryAfter: 'never GMT', waitMs: 0 },
  { retryAfter: 'soon', waitMs: 0 },
])('waits $waitMs ms for Retry-After: $retryAfter', ({ retryAfter, waitMs }) => {
  expect(answered(503, retryAfter)).toMatchObject({ retryAfterMs: waitMs })
})

test('safe text: complete characters and lines, control characters escaped', () => {
  const text = (content: string) => readResponseText(Buffer.from(content), undefined)
  expect(text('one\r\ntwo\tthree')).toBe('one\ntwo three')
  expect(text('\u0000\u001b[2J\u202e')).toBe('\\x00\\x1b[2J\\u202e')
  expect(Buffer.byteLength(text('\u0000'.repeat(5000)))).toBeLessThanOrEqual(4096)
  expect(text(`a${'ü'.repeat(3000)}`)).not.toContain('\ufffd')
})
