import { expect, test } from 'vitest'
import { digestOf } from './digest.ts'

const EVENTS = [
  { order: 'A-1', note: 'Fish & chips' },
  { order: 'A-2', note: 'Tea' },
]

test('a line for each event, as text and as HTML', () => {
  expect(digestOf({ count: 3, events: EVENTS }, '{{ORDER}}: {{note}}{{{gift|, no gift}}}')).toEqual({
    digest_count: 3,
    digest: '- A-1: Fish & chips, no gift\n- A-2: Tea, no gift',
    digest_html: '<ul><li>A-1: Fish &amp; chips, no gift</li><li>A-2: Tea, no gift</li></ul>',
  })
})

test('lines up to 100,000 characters of HTML, and the number of all events', () => {
  const events = Array.from({ length: 5 }, () => ({ mark: '&'.repeat(9_000) }))
  const { digest_count, digest, digest_html } = digestOf({ count: 7, events }, '{{mark}}')
  expect(digest_count).toBe(7)
  expect(digest.split('\n')).toHaveLength(2)
  expect(digest_html).toHaveLength(2 * (5 * 9_000 + 9) + 9)
})

test('no line that repeats a large value many times', () => {
  const events = [{ mark: '&'.repeat(32_000) }]
  const { digest, digest_html } = digestOf({ count: 1, events }, '{{mark}}'.repeat(200))
  expect([digest, digest_html]).toEqual(['', '<ul></ul>'])
})
