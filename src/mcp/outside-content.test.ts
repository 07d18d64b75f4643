import { expect, test } from 'vitest'
import { findOutside, writeResult } from './outside-content.ts'

test('found at any depth, once, and not when empty', () => {
  const list = {
    data: [
      { id: '1', subject: 'a' },
      { id: '2', subject: 'b', html: null, text: '' },
    ],
    meta: { total: 2 },
  }
  expect(findOutside(list)).toEqual(['data[].subject'])
  const email = {
    subject: 'a',
    recipients: [{ status: 'sent', response: '250 ok' }],
    events: [{ data: { link: 'x' } }],
  }
  expect(findOutside(email)).toEqual(['events[].data', 'recipients[].response', 'subject'])
  expect(findOutside({ id: '1', status: 'queued' })).toEqual([])
})

test('named before the content, which ends with a line that no content knows', () => {
  const first = writeResult({ subject: 'x' }, ['subject'])
  const second = writeResult({ subject: 'x' }, ['subject'])
  expect(first).toContain('come from outside Sendwright: subject.')
  expect(first).not.toBe(second)
  expect(writeResult({ id: '1' }, [])).toBe('{"id":"1"}')
})

test('bounded: long strings are cut, and so is the whole', () => {
  expect(writeResult({ html: 'x'.repeat(1_000_000) }, []).length).toBeLessThan(21_000)
  const many = Array.from({ length: 100 }, () => 'x'.repeat(19_000))
  expect(writeResult(many, []).length).toBeLessThan(201_000)
})
