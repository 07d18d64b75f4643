import { describe, expect, test } from 'vitest'
import { MessageContent } from './message-content.ts'

const MAX = 1_000_000

/** Feeds pieces; returns the message and what followed it, or null when it has not ended. */
function read(pieces: readonly string[], bytesMax = MAX): { message: string; rest: string } | null {
  const content = new MessageContent(bytesMax)
  for (const [index, piece] of pieces.entries()) {
    const rest = content.feed(Buffer.from(piece, 'latin1'))
    if (rest === null) continue
    const left = pieces.slice(index + 1).join('')
    return { message: content.take().toString('latin1'), rest: rest.toString('latin1') + left }
  }
  return null
}

/** Every way to split a text in two, byte by byte, and the whole text. */
const cuts = (text: string) => [
  [text],
  [...text],
  ...Array.from({ length: text.length }, (_, at) => [text.slice(0, at), text.slice(at)]),
]

describe('one message, for any split, for', () => {
  test.each([
    ['a line', 'x\r\n.\r\n', 'x\r\n'],
    ['nothing', '.\r\n', ''],
    ['an empty line', '\r\n.\r\n', '\r\n'],
    ['a dot that was doubled', '..\r\n.\r\n', '.\r\n'],
    ['dots in all places', '..a\r\n...\r\nb.\r\n..\r\n.\r\n', '.a\r\n..\r\nb.\r\n.\r\n'],
    ['a dot that was not doubled', 'a\r\n.b\r\n.\r\n', 'a\r\nb\r\n'],
    ['a lone CR first', '\r\r\n.\r\n', '\r\r\n'],
    ['CRs in a row', 'a\r\r\r\n.\r\n', 'a\r\r\r\n'],
  ])('%s', (_, wire, message) => {
    for (const pieces of cuts(wire)) expect(read(pieces)).toEqual({ message, rest: '' })
    for (const pieces of cuts(`${wire}MAIL\r\n`)) expect(read(pieces)).toEqual({ message, rest: 'MAIL\r\n' })
  })
})

describe('no end at', () => {
  test.each([
    '\n.\n',
    '\r.\r',
    '\n.\r\n',
    '\r\n.\n',
    '\r\n.\r',
    '\r.\r\n',
    '\n\n.\r\n',
    '\r\n\0.\r\n',
    '\r\n.\0\r\n',
    '\r\n. \r\n',
    '\n.\r',
  ])('%j', (end) => {
    for (const pieces of cuts(`a${end}MAIL FROM:<b>\r\n.\r\n`)) {
      const ended = read(pieces)
      expect(ended?.rest).toBe('')
      expect(ended?.message).toContain('MAIL FROM:<b>\r\n')
    }
  })
})

test('too large, reported at its end, when a byte is over the limit', () => {
  const fitting = new MessageContent(6)
  expect(fitting.feed(Buffer.from('abcd\r\n.\r\n'))).not.toBeNull()
  expect(fitting.isTooLarge).toBe(false)
  const large = new MessageContent(5)
  expect(large.feed(Buffer.from('abcd\r\n.\r\nQUIT'))?.toString()).toBe('QUIT')
  expect(large.isTooLarge).toBe(true)
})

test('too large as soon as its limit is lowered, and its content is released', () => {
  const content = new MessageContent(MAX)
  expect(content.feed(Buffer.alloc(500_000, 'a'))).toBeNull()
  content.limit(100_000)
  expect(content.isTooLarge).toBe(true)
  expect(content.feed(Buffer.from('\r\n.\r\n'))).not.toBeNull()
  expect(content.take()).toHaveLength(0)
})

test('complete for a message of dots only', () => {
  const content = new MessageContent(MAX)
  const wire = Buffer.from(`${'..\r\n'.repeat(100_000)}.\r\n`)
  let rest: Buffer | null = null
  for (let at = 0; at < wire.length; at += 7_001) rest = content.feed(wire.subarray(at, at + 7_001))
  expect(rest).toHaveLength(0)
  expect(content.take().equals(Buffer.from('.\r\n'.repeat(100_000)))).toBe(true)
})

test('kept: the beginning of a message that exceeds the kept length; its end is still found', () => {
  const content = new MessageContent(1_000_000, 10)
  expect(content.feed(Buffer.from('123456789\r\n'.repeat(1_000)))).toBeNull()
  expect(content.feed(Buffer.from('.\r\nQUIT\r\n'))?.toString()).toBe('QUIT\r\n')
  expect([content.isTooLarge, content.length, content.take().toString()]).toEqual([
    false,
    11_000,
    '123456789\r',
  ])
})
