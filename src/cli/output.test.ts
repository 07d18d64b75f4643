import { expect, test } from 'vitest'
import { drawTable } from './output.ts'

test('a table is as wide as what it holds, and shows null as a dash', () => {
  const rows = [
    { id: '1', sending_paused_at: null },
    { id: '22', sending_paused_at: '2026-11-21 02:42:06' },
  ]
  expect(drawTable(rows, ['id', 'sending_paused_at'])).toBe(
    'ID  SENDING PAUSED AT\n1   -\n22  2026-11-21 02:42:06',
  )
  expect(drawTable([], ['id'])).toBe('(none)')
})

test('text that others wrote cannot steer the terminal or break the table', () => {
  const evil = `250 ok\r\n\u001b[2J\u001b]0;title\u0007\u009b31m${'x'.repeat(100)}`
  const drawn = drawTable([{ why: evil }], ['why'])
  expect(drawn).not.toMatch(/[^\n\P{Cc}]/u)
  expect(drawn.split('\n')).toHaveLength(2)
  expect(drawn).toMatch(/^WHY\n250 ok.*…$/)
})
