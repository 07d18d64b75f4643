import { expect, test } from 'vitest'
import { encodeQuotedPrintable, quotedPrintableMin, workspaceOctets } from './quoted-printable.ts'
import { decodeTransfer } from './transfer-decoding.ts'

function encode(text: string, octetsMax = 1_000_000): string | null {
  const encoded = encodeQuotedPrintable(
    Buffer.from(text),
    octetsMax,
    Buffer.alloc(workspaceOctets(octetsMax)),
  )
  return encoded?.toString('latin1') ?? null
}

test.each([
  ['nothing', '', ''],
  ['octets above 126, control characters and =', 'ü=\u007f\0', '=C3=BC=3D=7F=00'],
  ['white space at the end of a line and of the text', 'a \r\nb\t\r\n \r\nc ', 'a=20\r\nb=09\r\n=20\r\nc=20'],
  ['only the last of several spaces', 'a  ', 'a =20'],
  ['a dot at the start of a line', '.a.\r\n..', '=2Ea.\r\n=2E.'],
  ['a dot after a soft line break', `${'a'.repeat(75)}.b`, `${'a'.repeat(75)}=\r\n=2Eb`],
  ['every line end', 'a\rb\nc\r\nd\n\re', 'a\r\nb\r\nc\r\nd\r\n\r\ne'],
  ['a full line that ends there', `${'a'.repeat(75)}\r\nb`, `${'a'.repeat(75)}\r\nb`],
  ['a space at the end of a full line', `${'a'.repeat(74)} \r\n`, `${'a'.repeat(74)}=\r\n=20\r\n`],
  ['an escape that no longer fits', `${'a'.repeat(73)}=`, `${'a'.repeat(73)}=\r\n=3D`],
])('encoded: %s', (_, text, expected) => {
  expect(encode(text)).toBe(expected)
})

/** A line has up to 76 characters, does not begin with a dot and does not end in white space. */
const LINE = /^(?!\.)[\t\x20-\x7e]{0,75}[!-~]?$/

test('encoded: random text keeps the rules of RFC 2045 section 6.7 and its meaning', () => {
  const pieces = ['a', 'word ', ' ', '\t', '.', '=', 'ü', '\u{1f600}', '\r\n', '\n', '\r', 'x'.repeat(74)]
  let seed = 1
  const pick = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return pieces[seed % pieces.length] as string
  }
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: 1 + (round % 40) }, pick).join('')
    const encoded = encode(text, 20_000) as string
    const decoded = decodeTransfer(Buffer.from(encoded), 'quoted-printable').toString()
    // One assertion for each text: one for each line would cost ten times as much as encoding it.
    expect({ brokenLines: encoded.split('\r\n').filter((line) => !LINE.test(line)), decoded }).toEqual({
      brokenLines: [],
      decoded: text.replace(/\r\n?|\n/g, '\r\n'),
    })
  }
})

test('null when the result would exceed the limit, which is exact', () => {
  const text = `${'ü'.repeat(500)}\r\n${'word '.repeat(500)}`
  const { length } = encode(text) as string
  expect(encode(text, length)).toHaveLength(length)
  expect(encode(text, length - 1)).toBeNull()
  expect(encode('ü'.repeat(100_000), 10)).toBeNull()
})

test('the lower bound leaves out soft line breaks alone', () => {
  const text = `${'ü'.repeat(50)}=${'a'.repeat(100)}`
  const unbroken = (encode(text) as string).replaceAll('=\r\n', '')
  expect(quotedPrintableMin(Buffer.from(text))).toBe(unbroken.length)
})
