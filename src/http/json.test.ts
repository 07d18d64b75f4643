import { describe, expect, test } from 'vitest'
import { Refusal } from '../base/refusal.ts'
import { parseJson } from './json.ts'

const read = (text: string) => parseJson(Buffer.from(text))

function refusalOf(bytes: Buffer): string {
  try {
    parseJson(bytes)
  } catch (error) {
    if (error instanceof Refusal && error.status === 422) return error.message
    throw error
  }
  return 'accepted'
}

describe('accepted', () => {
  test.each([
    '{}',
    '{"a":1,"b":{"a":2}}',
    '[1,2,[3]]',
    '{"a":"x:\\"y\\"","b":"{{{{"}',
    'true',
    '"text"',
    '{"a":1e308,"e":-1.5E-3,"t":false}',
    '{"a":"\\\\","b":"\\\\\\""}',
    '{"html":"1e999"}',
    '{"constructor":"a header","toString":1}',
  ])('accepted as JSON.parse reads it: %s', (text) => {
    expect(read(text)).toEqual(JSON.parse(text))
  })

  test('accepted as nothing: an empty body', () => {
    expect(parseJson(Buffer.alloc(0))).toBeUndefined()
  })

  test('accepted with a byte order mark', () => {
    expect(read('\uFEFF{"a":1}')).toEqual({ a: 1 })
  })

  test('accepted with thousands of names in one object', () => {
    const object = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`name${index}`, index]))
    expect(read(JSON.stringify(object))).toEqual(object)
  })
})

describe('422', () => {
  const malformed = 'The request body is not valid JSON.'
  test.each([
    ['{"a":', malformed],
    ['{a:1}', malformed],
    ['"open', malformed],
    ['"open\\"', malformed],
    ['{"a":NaN}', malformed],
    ['{"a":"\u0001"}', malformed],
    [']', malformed],
    ['{"a\\x":1}', malformed],
    ['{"a":1,"a":2}', 'The request body has the field a twice.'],
    ['{"a":1,"\\u0061":2}', 'The request body has the field a twice.'],
    ['{"x":{"a":[1],"a" : 2}}', 'The request body has the field a twice.'],
    ['{"__proto__":{"polluted":true}}', 'The request body must not have a field named __proto__.'],
    ['{"a":[{"\\u005f_proto__":1}]}', 'The request body must not have a field named __proto__.'],
    ['{"a":1e400}', 'The request body holds a number that is too large.'],
    ['[-1.5E+999]', 'The request body holds a number that is too large.'],
  ])('422 for %s', (text, message) => {
    expect(refusalOf(Buffer.from(text))).toBe(message)
  })

  test('422 for a depth of 100,000, at once', () => {
    for (const bytes of ['['.repeat(100_000), `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`]) {
      expect(refusalOf(Buffer.from(bytes))).toBe('The request body is nested deeper than 64 levels.')
    }
  })

  test('422 for millions of values, before any of them is made', () => {
    const bodies = ['[],', '"",', '{"a":1},'].map((value) => `[${value.repeat(600_000)}1]`)
    const names = `{${Array.from({ length: 600_000 }, (_, index) => `"n${index}":1`).join()}}`
    for (const body of [...bodies, names]) {
      expect(refusalOf(Buffer.from(body))).toBe('The request body holds more than 500000 values.')
    }
    expect(refusalOf(Buffer.from(`[${'0,'.repeat(600_000)}0]`))).toBe('accepted')
    expect(refusalOf(Buffer.from(`[""${',""'.repeat(499_998)}]`))).toBe('accepted')
  })

  test('422 for bytes that are not UTF-8', () => {
    expect(refusalOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('The request body must be UTF-8.')
  })

  test('422 for a name twice among thousands', () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `"n${index}":1`).join()
    expect(refusalOf(Buffer.from(`{${names},"n7":2}`))).toBe('The request body has the field n7 twice.')
  })
})

test('read in time that grows with the body alone: quotes, braces and backslashes by the megabyte', () => {
  for (const hostile of [
    '{"a":"'.padEnd(1_000_000, '\\\\'),
    `"${'\\"'.repeat(500_000)}"`,
    '[1e1,'.repeat(200_000),
  ]) {
    const startedAt = performance.now()
    refusalOf(Buffer.from(hostile))
    expect(performance.now() - startedAt).toBeLessThan(500)
  }
})
