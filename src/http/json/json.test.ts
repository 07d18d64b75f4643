import { describe, expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { type JsonForm, parseJson } from './json.ts'

const read = (text: string) => parseJson(Buffer.from(text))

function apiErrorOf(bytes: Buffer, form: JsonForm = {}): string {
  try {
    parseJson(bytes, form)
  } catch (error) {
    if (error instanceof ApiError && error.status === 422 && error.errors === undefined) return error.message
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

  test('accepted as undefined: an empty body', () => {
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
    [`[${'9'.repeat(400)}]`, 'The request body holds a number that is too large.'],
    [`[${'1'.repeat(5_000)}]`, 'The request body holds a number that is too large.'],
    ['[01]', malformed],
    ['[1.]', malformed],
    ['[.5]', malformed],
    ['[+1]', malformed],
    ['[1 2]', malformed],
    ['[1,]', malformed],
    ['{"a":1,}', malformed],
    ['[tru]', malformed],
    ['{}{}', malformed],
    ['{"a" 1}', malformed],
    ['   ', malformed],
  ])('422 for %s', (text, message) => {
    expect(apiErrorOf(Buffer.from(text))).toBe(message)
  })

  test('422 for a depth of 100,000, at once', () => {
    for (const bytes of ['['.repeat(100_000), `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`]) {
      expect(apiErrorOf(Buffer.from(bytes))).toBe('The request body is nested deeper than 64 levels.')
    }
  })

  test('422 for millions of values, before any is created', () => {
    const values = ['[],', '"",', '{"a":1},', '0,', '1e9,', 'true,', 'null,', '-0.5,']
    const bodies = values.map((value) => `[${value.repeat(600_000)}1]`)
    const names = `{${Array.from({ length: 600_000 }, (_, index) => `"n${index}":1`).join()}}`
    for (const body of [...bodies, names]) {
      expect(apiErrorOf(Buffer.from(body))).toBe('The request body holds more than 20000 values.')
    }
    expect(apiErrorOf(Buffer.from(`[0${',0'.repeat(19_998)}]`))).toBe('accepted')
    expect(apiErrorOf(Buffer.from(`[0${',0'.repeat(19_999)}]`))).not.toBe('accepted')
  })

  test('422 for too many values in one item of a list, or in all of them', () => {
    const list = { expects: 'array' } as const
    const item = (values: number) => `[0${',0'.repeat(values - 2)}]`
    const items = (count: number) => Buffer.from(`[${Array(count).fill(item(20_000)).join()}]`)
    expect(apiErrorOf(items(14), list)).toBe('accepted')
    expect(apiErrorOf(items(15), list)).toBe('The request body holds more than 300000 values.')
    expect(apiErrorOf(Buffer.from(`[${item(20_001)}]`), list)).toBe(
      'One item of the request body holds more than 20000 values.',
    )
  })

  test('422 for bytes that are not UTF-8', () => {
    expect(apiErrorOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('The request body must be UTF-8.')
  })

  test('422 for a duplicate name among thousands', () => {
    const names = Array.from({ length: 9_000 }, (_, index) => `"n${index}":1`).join()
    expect(apiErrorOf(Buffer.from(`{${names},"n7":2}`))).toBe('The request body has the field n7 twice.')
  })
})

describe('where an object is expected', () => {
  const form = { expects: 'object' } as const

  test.each(['[]', ' [ ] ', '\uFEFF[\n]\t'])('an empty array is an empty object: %j', (text) => {
    expect(parseJson(Buffer.from(text), form)).toEqual({})
  })

  test.each(['[1]', '[[]]', '[] 1', '"text"', '1', 'true', 'null', '[e1e1', '["'])(
    '422 for %j, unparsed',
    (text) => {
      expect(apiErrorOf(Buffer.from(text), form)).toBe('The request body must be a JSON object.')
    },
  )

  test.each(['', ' ', 'x', '{', '}', "'a'"])('malformed or empty as elsewhere: %j', (text) => {
    expect(apiErrorOf(Buffer.from(text), form)).toBe(
      text === '' ? 'accepted' : 'The request body is not valid JSON.',
    )
  })

  test('422 for an object where an array is expected; an empty array stays an array', () => {
    expect(apiErrorOf(Buffer.from('{"a":1}'), { expects: 'array' })).toBe(
      'The request body must be a JSON array.',
    )
    expect(parseJson(Buffer.from('[]'), { expects: 'array' })).toEqual([])
  })
})

describe('Buffers in the JSON form of Node.js', () => {
  const form = { hasBuffers: true }
  const readForm = (text: string) => parseJson(Buffer.from(text), form)

  test('octets are read into bytes, uncounted, in any layout', () => {
    const data = Array.from({ length: 400_000 }, (_, index) => index % 256)
    expect(readForm(JSON.stringify({ data }))).toEqual({ data: Uint8Array.from(data) })
    expect(readForm('[{"data" : [ 0 ,\n255\t,7 ] , "type":"Buffer"}]')).toEqual([
      { data: Uint8Array.of(0, 255, 7), type: 'Buffer' },
    ])
  })

  test.each(['[256]', '[-1]', '[1.5]', '[1e1]', '["1"]', '[]', '[1,[2]]', '[null]', '[1000]'])(
    'any other array is as JSON.parse reads it: %s',
    (text) => expect(readForm(`{"data":${text}}`)).toEqual({ data: JSON.parse(text) }),
  )

  test.each(['[1,]', '[01]', '[1 2]', '[1', '[,1]', '[1}'])('422 for invalid JSON: %s', (text) => {
    expect(apiErrorOf(Buffer.from(`{"data":${text}}`), form)).toBe('The request body is not valid JSON.')
  })

  test('octets under another name, or on other routes, are numbers', () => {
    expect(readForm('{"date":[1,2]}')).toEqual({ date: [1, 2] })
    expect(read('{"data":[1,2]}')).toEqual({ data: [1, 2] })
  })
})
