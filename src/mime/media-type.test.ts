import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../test/support/passes.ts'
import { parseParameterValue, textParameter } from './media-type.ts'

const read = (text: string) => {
  const { value, parameters, isExact } = parseParameterValue(text)
  return { value, parameters: Object.fromEntries(parameters), isExact }
}

describe('exact', () => {
  test.each([
    ['text/plain', 'text/plain', {}],
    ['Text/HTML; Charset="UTF-8"', 'text/html', { charset: 'UTF-8' }],
    ['multipart/mixed;boundary=----=_Part_1', 'multipart/mixed', { boundary: '----=_Part_1' }],
    ['multipart/mixed; boundary="a \\"b\\\\; c"; ', 'multipart/mixed', { boundary: 'a "b\\; c' }],
    ['text/plain;;; format=flowed ; x = y ', 'text/plain', { format: 'flowed', x: 'y' }],
    ['attachment; filename=""', 'attachment', { filename: '' }],
  ])('exact: %j', (text, value, parameters) => {
    expect(read(text)).toEqual({ value, parameters, isExact: true })
  })
})

describe('not exact', () => {
  test.each([
    '',
    ';',
    'multipart/mixed (a comment); boundary=x',
    'multipart/mixed; boundary=x (a comment)',
    'multipart/mixed; boundary=x(y)',
    'multipart/mixed; boundary=x y',
    'multipart/mixed; boundary=x; boundary=y',
    'multipart/mixed; boundary="x',
    'multipart/mixed; boundary="x"y',
    'multipart/mixed, text/plain',
    'multipart/mixed boundary=x',
    `text/plain; x=${'y'.repeat(9000)}`,
  ])('not exact: %j', (text) => expect(read(text).isExact).toBe(false))
})

describe('a file name', () => {
  test.each([
    ['attachment; filename="a b.txt"', 'a b.txt'],
    ["attachment; filename*=UTF-8''M%C3%A4rz.pdf; filename=x", 'März.pdf'],
    ["attachment; filename*=iso-8859-1'de'M%E4rz.pdf", 'März.pdf'],
    ['attachment; filename*0*=utf-8\'\'M%C3; filename*1*=%A4rz; filename*2=".100%.pdf"', 'März.100%.pdf'],
    ['attachment; filename*0="a%20"; filename*1="b"', 'a%20b'],
    ['attachment; filename="=?utf-8?b?TcOkcnoucGRm?="', 'März.pdf'],
    ["attachment; filename*=nonsense''%41", 'A'],
    ['attachment', null],
  ])('a file name: %j says %j', (text, name) => {
    expect(textParameter(parseParameterValue(text), 'filename')).toBe(name)
  })

  test('a file name of any text is read without an error', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', ';', '=', '*', '0', "'", '%', 'f', ' ', '(') })
    fc.assert(
      fc.property(text, (given) => {
        textParameter(parseParameterValue(`attachment; filename${given}`), 'filename')
      }),
    )
  })

  test.each([['='], [';'], ['"'], ['\\'], ['; a='], ['; a="'], [' ']])(
    'a file name of 100,000 %j costs linear time',
    (piece) => {
      const text = `text/plain; x=${piece.repeat(100_000)}`
      expect(passesOf(() => parseParameterValue(text), text)).toBeLessThan(PASSES_MAX)
    },
  )
})
