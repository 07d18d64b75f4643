import { expect, test } from 'vitest'
import { formatTable } from '../../src/cli/developer/output.ts'

test('columns are as wide as their cells, and null is a dash', () => {
  const rows = [
    { id: '1', sending_paused_at: null },
    { id: '22', sending_paused_at: '2026-11-21 02:42:06' },
  ]
  expect(formatTable(rows, ['id', 'sending_paused_at'])).toBe(
    'ID  SENDING PAUSED AT\n1   -\n22  2026-11-21 02:42:06',
  )
  expect(formatTable([], ['id'])).toBe('(none)')
})

test('untrusted text cannot control the terminal or break the table', () => {
  const evil = `250 ok\r\n\u001b[2J\u001b]0;title\u0007\u009b31m${'x'.repeat(100)}`
  const drawn = formatTable([{ why: evil }], ['why'])
  expect(drawn).not.toMatch(/[^\n\P{Cc}]/u)
  expect(drawn.split('\n')).toHaveLength(2)
  expect(drawn).toMatch(/^WHY\n250 ok.*…$/)
})
