import fc from 'fast-check'
import { decodeWords } from 'postal-mime'
import { expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../test/support/passes.ts'
import { decodeJoinedWords, readWords } from './joined-words.ts'
import { parseParameterValue, textParameter } from './media-type.ts'
import { HEADER_BYTES_MAX } from './raw/raw-header.ts'
import { decodeSubject, isDeceptiveField, parseHeaderMailbox } from './raw/raw-mailbox.ts'

/** U+202E and U+FF20, each split between its octets. */
const SPLIT = [
  ['two words in base64', '=?utf-8?B?4oA=?= =?utf-8?B?rng=?='],
  ['two words in quoted-printable', '=?utf-8?Q?=EF=BC?= =?utf-8?Q?=A0?='],
  ['one word of each encoding', '=?utf-8?Q?=E2=80?= =?utf-8?B?rng=?='],
  ['a charset in two cases', '=?UTF-8?B?4oA=?= =?utf-8?B?rng=?='],
  ['a fold between the words', '=?utf-8?B?4oA=?=\r\n\t=?utf-8?B?rng=?='],
  ['three words', '=?utf-8?Q?=E2?= =?utf-8?Q?=80?= =?utf-8?Q?=AE?='],
  ['a language', '=?utf-8*en?Q?=E2=80?= =?utf-8?Q?=AEx?='],
] as const

test.each(SPLIT)('refuses a deceptive character that is split over %s', (_, words) => {
  expect(isDeceptiveField(`Ann ${words} <a@b.test>`)).toBe(true)
  expect(parseHeaderMailbox(`${words.replace('\r\n\t', ' ')} <a@b.test>`)).toBe(null)
})

test('accepts a name whose letters are split over words', () => {
  expect(parseHeaderMailbox('=?utf-8?Q?J=C3?= =?utf-8?Q?=BCrg?= <a@b.test>')).toMatchObject({
    address: 'a@b.test',
    name: 'Jürg',
  })
})

test('shows a character whole that is split over words, in a subject and in the name of a file too', () => {
  const split = '=?utf-8?B?R3LDvMOf?= =?utf-8?Q?e_J=C3?=\r\n =?utf-8?Q?=BCrg?='
  expect(readWords(split)).toBe('Grüße Jürg')
  expect(decodeSubject(split)).toBe('Grüße Jürg')
  const disposition = parseParameterValue(`attachment; filename="${split.replace('\r\n', '')}"`)
  expect(textParameter(disposition, 'filename')).toBe('Grüße Jürg')
})

test('shows what cannot be decoded as it is', () => {
  for (const one of ['=?utf-8?q?=ff?=', 'no words', '=?x', '=?utf-8?q?=C3?= x =?utf-8?q?=BC?='])
    expect(readWords(one)).toBe(decodeWords(one))
})

test('decodes what is whole as postal-mime does', () => {
  const piece = fc.constantFrom(
    ...[
      '=?utf-8?b?',
      '=?UTF-8?B?',
      '=?utf-16le?b?',
      '=?iso-2022-jp?b?',
      '=?utf-8*en?q?',
      '?=',
      '?= =?utf-8?b?',
    ],
    ...[
      'QUFB',
      'QUE=',
      'QQ',
      '4oCu',
      '4oA=',
      'rng=',
      'GyRC',
      'JCI=',
      '=E2=80=AE',
      ' ',
      '\r\n ',
      '\u00a0',
      'x',
      '?',
      '=',
    ],
  )
  const value = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(value, (given) => {
      const shown = decodeWords(given)
      expect(shown.includes('\ufffd') ? shown : readWords(given)).toBe(shown)
    }),
    { numRuns: 1000 },
  )
})

test('decodes thousands of words in linear time', () => {
  const word = ' =?a?b?QUFBQUFBQUFBQUFBQUFB?='
  const value = word.repeat(HEADER_BYTES_MAX / word.length)
  // Quadratic decoding of this value takes only a thousand passes.
  const max = PASSES_MAX / 4
  expect(passesOf(() => isDeceptiveField(value), value, max)).toBeLessThan(max)
  expect(isDeceptiveField(`${value} =?utf-8?b?4oA=?= =?utf-8?b?rng=?=`)).toBe(true)
})

test.each([
  ['a =?utf-8?q?b_c?= d', 'a b c d'],
  ['=?utf-8?q?a?= =?utf-8?q?b?=', 'ab'],
  ['=?utf-8?q?a?= x =?utf-8?q?b?=', 'a x b'],
  ['=?iso-8859-1?q?=FC?= =?utf-8?q?=C3=BC?=', 'üü'],
  ['=?no-such?q?a?=', ''],
  ['no words', 'no words'],
])('decodes %s', (given, shown) => {
  expect(decodeJoinedWords(given)).toBe(shown)
})
