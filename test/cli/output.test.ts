import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLines, createOutput, formatTable, writeText } from '../../src/cli/developer/output.ts'

const EVIL = '\u001b[2J\u001b]0;title\u0007\u009b31m\r\b'

/** Returns a stream, and what was written to it. */
function openStream(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream
  return { stream, written: () => String(stream.read()) }
}

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

test('neither a record, nor a line of a stream, nor a text can control the terminal', () => {
  const { stream, written } = openStream(true)
  createOutput({}, stream).record({ [`na${EVIL}me`]: `val${EVIL}ue` })
  expect(written()).toBe('na me  val ue\n')
  createLines({}, stream).write({}, `2026-01-31${EVIL}\n  email`)
  expect(written()).toBe('2026-01-31   email\n')
  writeText(`one${EVIL}\n\ttwo\n`, stream)
  expect(written()).toBe('one \n\ttwo\n')
})

test('nor can JSON: its control characters are escapes, which read as the same text', () => {
  const { stream, written } = openStream(true)
  const row = { [`na${EVIL}me`]: `val${EVIL}\u007f\u0080\u009fue\u00a0` }
  const output = createOutput({ json: true }, stream)
  for (const [write, value] of [
    [() => output.rows([row], []), [row]],
    [() => output.blocks([row]), [row]],
    [() => output.record(row), row],
    [() => createLines({ json: true }, stream).write(row, ''), row],
  ] as const) {
    write()
    const text = written()
    expect(text).not.toMatch(/[^\n\P{Cc}]/u)
    expect(text).toContain('\\u007f\\u0080\\u009fue\u00a0"')
    expect(JSON.parse(text)).toEqual(value)
  }
})

test('a text in a pipe is as the server sent it', () => {
  const { stream, written } = openStream(false)
  writeText(EVIL, stream)
  expect(written()).toBe(EVIL)
})
