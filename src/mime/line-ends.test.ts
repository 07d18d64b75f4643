import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLongLine, lineNumberAt, toCrlfLines, toLfText } from './line-ends.ts'

const normalize = (text: string) => toCrlfLines(Buffer.from(text, 'latin1')).toString('latin1')

/** The same by a regular expression. */
function oracle(text: string): string {
  const lines = text.replace(/\r\n|\r|\n/g, '\r\n')
  return lines === '' || lines.endsWith('\r\n') ? lines : `${lines}\r\n`
}

describe('normalized', () => {
  test.each([
    ['', ''],
    ['a', 'a\r\n'],
    ['a\r', 'a\r\n'],
    ['a\n', 'a\r\n'],
    ['a\n\rb', 'a\r\n\r\nb\r\n'],
    ['a\r\r\nb', 'a\r\n\r\nb\r\n'],
    ['a\n.\r.\r\n.\n', 'a\r\n.\r\n.\r\n.\r\n'],
    ['\r\r', '\r\n\r\n'],
    ['\n\n', '\r\n\r\n'],
  ])('normalized: %j becomes %j', (text, expected) => expect(normalize(text)).toBe(expected))

  test('normalized: any octets give the same as the oracle; a second pass changes nothing', () => {
    const text = fc.string({ unit: fc.constantFrom('\r', '\n', '.', 'a', 'ÿ'), maxLength: 20 })
    fc.assert(
      fc.property(text, (given) => {
        const once = normalize(given)
        expect(once).toBe(oracle(given))
        expect(normalize(once)).toBe(once)
      }),
      { numRuns: 3000 },
    )
  })

  test('unchanged octets are returned without a copy', () => {
    const bytes = Buffer.from('a\r\n\r\nb\r\n')
    expect(toCrlfLines(bytes)).toBe(bytes)
  })
})

describe('found', () => {
  const line = (octets: number) => `${'x'.repeat(octets)}\r\n`

  test.each([
    ['nothing in no text', '', -1],
    ['nothing in lines of 998 octets', line(998).repeat(3), -1],
    ['the first of 999', line(999), 0],
    ['the second', `${line(998)}${line(999)}`, 1000],
    ['the last, after short ones', `${line(3).repeat(500)}${line(1500)}`, 2500],
    ['one without an end', 'x'.repeat(999), 0],
  ])('found: %s', (_, text, at) => expect(findLongLine(Buffer.from(text))).toBe(at))

  test('found only within bounds', () => {
    const bytes = Buffer.from(`${line(999)}${line(10)}${line(999)}`)
    expect(findLongLine(bytes, 1001, 1013)).toBe(-1)
    expect(findLongLine(bytes, 1001)).toBe(1013)
    expect(lineNumberAt(bytes, 1013)).toBe(3)
    expect(lineNumberAt(bytes, 0)).toBe(1)
  })
})

test('LF replaces each CRLF, and nothing else', () => {
  const octets = fc.array(fc.constantFrom(0x0d, 0x0a, 0x61, 0xe9), { maxLength: 20 })
  fc.assert(
    fc.property(octets, (given) => {
      const bytes = Buffer.from(given)
      expect(toLfText(bytes)).toBe(bytes.toString('latin1').replaceAll('\r\n', '\n'))
    }),
  )
})
