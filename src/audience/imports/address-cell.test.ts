import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countSteps } from '../../../test/support/step-count.ts'
import { readAddressKey } from '../../mime/address.ts'
import { readAddressCell } from './address-cell.ts'

const INVALID = 'The email field must be a valid email address.'
const problem = (message: string) => ({ message, value: expect.any(String) })

describe('an address', () => {
  const INVISIBLE = [
    ...[' ', '\t', '\r\n', '\u00a0', '\u3000', '\ufeff', '\u00ad', '\u061c', '\u200b', '\u200c', '\u200d'],
    ...['\u200e', '\u200f', '\u202a', '\u202c', '\u202e', '\u2060', '\u2066', '\u2069', '\ufe0f'],
  ]

  test('loses invisible characters around it, in any number and order', () => {
    const around = fc.array(fc.constantFrom(...INVISIBLE), { maxLength: 6 }).map((parts) => parts.join(''))
    const address = fc.constantFrom('ann@x.test', 'jörg@müller.test', '"a b"@x.test')
    fc.assert(
      fc.property(around, address, around, (before, text, after) => {
        expect(readAddressCell(before + text + after)).toEqual({ email: readAddressKey(text) })
      }),
    )
  })

  test.each(['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'])('loses %j within it', (hidden) => {
    expect(readAddressCell(`ann${hidden}@${hidden}x.te${hidden}st`)).toEqual({ email: 'ann@x.test' })
  })

  test.each([
    // It reads as another address than it is.
    ['ann@x\u202etset.'],
    ['ann\u200e@x.test'],
    ['ann\u00a0@x.test'],
    ['jö\u200brg@x.test'],
    ['ann@@x.test'],
    ['ann@x'],
    ['mailto:'],
    ['mailto:ann%zz@x.test'],
    ['mailto:ann%0a@x.test'],
    ['Ann <>'],
    ['Ann <ann>'],
    ['ann@x.test <nobody>'],
    ['<ann@x.test'],
    [`${'a'.repeat(300)}@x.test`],
    [`${' '.repeat(3_000)}ann@x.test`],
    ['ann@x.test,;'],
    ['ann@x.test.'],
    ['"ann@x.test'],
    ['"ann@x.test" x'],
    ['J\u00f6rg <j\u00f6\u200brg@x.test>'],
  ])('%j stays invalid', (cell) => {
    expect(readAddressCell(cell)).toEqual(problem(INVALID))
  })

  test.each(['', ' ', '\u00a0\u200b\ufeff', ';', ' , '])('%j is none', (cell) => {
    expect(readAddressCell(cell)).toEqual({ message: 'The email field is required.', value: null })
  })

  test.each([
    ['Ann Smith <Ann@X.test>', 'Ann@x.test'],
    ['"Smith, Ann" <ann@x.test>', 'ann@x.test'],
    ['"a<b" <ann@x.test>', 'ann@x.test'],
    ['Jörg\u00a0Müller\u200b <\u200bjoerg@x.test\u200e>', 'joerg@x.test'],
    ['<ann@x.test>', 'ann@x.test'],
    ['ann@x.test <ann@x.test>', 'ann@x.test'],
    ['mailto:ann@x.test', 'ann@x.test'],
    ['MAILTO:ann%2Bnews@x.test?subject=Hello%20there&cc=bob@x.test', 'ann+news@x.test'],
    ['mailto:ann%40x.test', 'ann@x.test'],
    ['Ann <mailto:ann@x.test?subject=Hi>', 'ann@x.test'],
    ['ann@x.test<mailto:ann@x.test>', 'ann@x.test'],
    ['mailto:%C3%A4nn@x.test', 'änn@x.test'],
    ["o'neil@x.test", "o'neil@x.test"],
    ["'ann@x.test'", 'ann@x.test'],
    ["Ann <'o'neil@x.test'>", "o'neil@x.test"],
    ['Jörg Müller <ann\u200b@x.test>', 'ann@x.test'],
    ['Jörg Müller <\u2060mail\u00adto:ann@x\u200b.test>', 'ann@x.test'],
    ['ann@x.test;', 'ann@x.test'],
    ['ann@x.test,', 'ann@x.test'],
    ['ann@x.test ;\u00a0', 'ann@x.test'],
    ['Ann <ann@x.test>;', 'ann@x.test'],
    ['Jörg <ann\u200b@x.test>\u200b,', 'ann@x.test'],
    ['"Smith, Ann" <ann@x.test>,', 'ann@x.test'],
    ['mailto:ann@x.test;', 'ann@x.test'],
    ['"ann@x.test"', 'ann@x.test'],
    ['"ann@x.test";', 'ann@x.test'],
    ['"Ann <ann@x.test>"', 'ann@x.test'],
    ["'Ann <ann@x.test>'", 'ann@x.test'],
    ['Ann <"ann@x.test">', 'ann@x.test'],
    ['"a b"@x.test', '"a b"@x.test'],
    ['"a b"@x.test;', '"a b"@x.test'],
  ])('of %j is %s', (cell, address) => {
    expect(readAddressCell(cell)).toEqual({ email: readAddressKey(address) })
  })
})

test.each([
  ['ann@x.test, bob@x.test', 2],
  ['ann@x.test;bob@x.test', 2],
  ['ann@x.test bob@x.test', 2],
  ['ann@x.test\nbob@x.test\ncarl@x.test', 3],
  ['mailto:ann@x.test,bob@x.test', 2],
  ['Ann <ann@x.test>, Bob <bob@x.test>', 2],
  ['ann@x.test <bob@x.test>', 2],
  ['Ann <ann@x.test,bob@x.test>', 2],
  ['ann@x.test; bob@x.test;', 2],
  ['"ann@x.test", "bob@x.test"', 2],
  ["'ann@x.test', 'bob@x.test'", 2],
  ['Jörg <ann@x.test>, bob\u200b@x.test', 2],
])('the problem of %j is its %i addresses', (cell, count) => {
  expect(readAddressCell(cell)).toEqual({
    message: `The email field has ${count} addresses. A row must have one.`,
    value: cell,
  })
})

test('the problem of a cell with very many addresses', () => {
  const cell = Array.from({ length: 100 }, (_, number) => `ann${number}@x.test`).join()
  const message = 'The email field has many addresses. A row must have one.'
  expect(readAddressCell(cell)).toMatchObject({ message })
})

test('a cell without a single address takes steps in proportion to its length', async () => {
  const parts = ['a', ' ', '@', 'a@', '<', ',', '"', "'", '\u200b', 'x ', 'x;', ' <', '\u200b@']
  const cells = parts.flatMap((part) =>
    [900, 1_800].map((length) => `x${part.repeat(length / part.length)}x`),
  )
  for (const cell of cells) expect(readAddressCell(cell)).toHaveProperty('message')
  const module = new URL('address-cell.ts', import.meta.url).href
  const scripts = ['/src/audience/imports/', '/src/mime/']
  const steps = await countSteps({ module, name: 'readAddressCell', scripts }, cells)
  for (const [index, part] of parts.entries()) {
    const [once = 0, twice = 0] = steps.slice(2 * index, 2 * index + 2)
    expect(once, part).toBeGreaterThan(5)
    expect(twice, part).toBeLessThan(2.1 * once + 100)
  }
})
