import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toWireContent, toWireContentInTurns } from './wire-content.ts'

const wire = (...chunks: string[]) =>
  Buffer.concat([...toWireContent(chunks.map((chunk) => Buffer.from(chunk, 'latin1'))).chunks]).toString(
    'latin1',
  )

/** An independent oracle with regular expressions: slow and short. */
function oracle(text: string): string {
  const lines = text.replace(/\r\n|\r|\n/g, '\r\n')
  const ended = lines === '' || lines.endsWith('\r\n') ? lines : `${lines}\r\n`
  return ended.replace(/^\./gm, '..')
}

describe('unchanged', () => {
  test('unchanged content passes through without a copy', () => {
    const header = Buffer.from('Subject: x\r\n')
    const body = Buffer.from('\r\nhello . world\r\nv1.0\r\n')
    const { chunks, size, eightBit } = toWireContent([header, body])
    expect(chunks[0]).toBe(header)
    expect(chunks[1]).toBe(body)
    expect(chunks).toHaveLength(2)
    expect(size).toBe(header.length + body.length)
    expect(eightBit).toBe(false)
  })
})

describe('normalized', () => {
  test.each([
    ['.\r\n', '..\r\n'],
    ['..\r\n', '...\r\n'],
    ['a\r\n.\r\nb\r\n', 'a\r\n..\r\nb\r\n'],
    ['a\r\n.b\r\n', 'a\r\n..b\r\n'],
    ['a\n.\nb', 'a\r\n..\r\nb\r\n'],
    ['a\r.\rb', 'a\r\n..\r\nb\r\n'],
    ['a\n.\r\nMAIL FROM:<x@y.test>\r\n', 'a\r\n..\r\nMAIL FROM:<x@y.test>\r\n'],
    ['a\r\n.\rb\r\n', 'a\r\n..\r\nb\r\n'],
    ['a\r\n.\nb\r\n', 'a\r\n..\r\nb\r\n'],
    ['a\r\r\nb\r\n', 'a\r\n\r\nb\r\n'],
    ['a\n\rb', 'a\r\n\r\nb\r\n'],
    ['a', 'a\r\n'],
    ['a\r', 'a\r\n'],
    ['', ''],
  ])('normalized: %j is sent as %j', (text, expected) => {
    expect(wire(text)).toBe(expected)
  })

  test('normalized across chunks: a line, a CRLF and a dot may be split', () => {
    expect(wire('a\r', '\n.', '\r', '\nb')).toBe('a\r\n..\r\nb\r\n')
    expect(wire('a\r\n', '.x\r\n')).toBe('a\r\n..x\r\n')
    expect(wire('a\r', '.x')).toBe('a\r\n..x\r\n')
    expect(wire('a', '', '.x')).toBe('a.x\r\n')
  })

  test('normalized: the same in chunks of many slices, with the fault on either side of a slice', () => {
    for (const at of [65_534, 65_535, 65_536, 131_071]) {
      for (const fault of ['\r', '\n', '\r\n.', '\n.', '\r\n']) {
        const text = `${'x'.repeat(at)}${fault}${'y'.repeat(70_000)}\r\n`
        expect(wire(text) === oracle(text)).toBe(true)
      }
    }
  })

  test('normalized: any bytes in any pieces match the oracle, and size is exact', () => {
    const piece = fc.string({ unit: fc.constantFrom('\r', '\n', '.', 'a', 'ÿ', '\t'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const content = toWireContent(pieces.map((text) => Buffer.from(text, 'latin1')))
        const out = Buffer.concat([...content.chunks]).toString('latin1')
        expect(out).toBe(oracle(pieces.join('')))
        expect(out).not.toMatch(/(^|[^\r])\n|\r(?!\n)|\r\n\.\r\n/)
        expect(content.size).toBe(out.length)
        expect(content.eightBit).toBe(pieces.join('').includes('ÿ'))
        const counted = toWireContent(
          pieces.map((text) => Buffer.from(text, 'latin1')),
          'bdat',
        )
        const unstuffed = oracle(pieces.join('')).replace(/^\./gm, '')
        expect(Buffer.concat([...counted.chunks]).toString('latin1')).toBe(unstuffed)
        expect(counted.size).toBe(unstuffed.length)
      }),
      { numRuns: 3000 },
    )
  })
})

test('the same over several turns of the event loop, with other work in between', async () => {
  let turns = 0
  const count = () => {
    turns++
    handle = setImmediate(count)
  }
  let handle = setImmediate(count)
  const message = [Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(2 * 1024 * 1024 + 1, '.\r\nab\r\n.')]
  const content = await toWireContentInTurns(message, 'data')
  clearImmediate(handle)
  expect(turns).toBeGreaterThanOrEqual(8)
  const whole = toWireContent([Buffer.concat(message)])
  expect(Buffer.concat([...content.chunks]).equals(Buffer.concat([...whole.chunks]))).toBe(true)
  expect(content.size).toBe(whole.size)
})
