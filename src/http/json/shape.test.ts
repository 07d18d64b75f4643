import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { readQuery } from '../route/query.ts'
import { checkShape, refuseShape } from './shape.ts'

const Person = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
  mood: Type.Optional(Type.Enum(['good', 'bad'])),
  nick: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
  to: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 2 })])),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  tags: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
  id: Type.Optional(Type.String({ format: 'uuid' })),
  html: Type.Optional(Type.String({ 'x-nul': true })),
  on: Type.Optional(Type.Boolean()),
})

test.each([
  [{ name: 'Ann' }],
  [
    {
      name: 'Ann',
      age: 3,
      mood: 'bad',
      nick: null,
      to: ['a', 'b'],
      headers: { x: 'y' },
      tags: [{ name: 't' }],
    },
  ],
  [{ name: '👩‍🚀xx', to: 'a', unknown: { deep: [1] } }],
  [{ name: 'Ann', html: 'a\u0000b' }],
  [{ name: 'Ann', id: '01998b1e-0000-7000-8000-000000000000' }],
])('null for %j', (value) => {
  expect(checkShape(Person, value)).toBeNull()
})

test.each([
  [{}, { name: ['The name field is required.'] }],
  [{ name: null }, { name: ['The name field is required.'] }],
  [{ name: '' }, { name: ['The name field is required.'] }],
  [{ name: 7 }, { name: ['The name field must be a string.'] }],
  [{ name: 'abcdef' }, { name: ['The name field must not be greater than 5 characters.'] }],
  [{ name: '😀😀😀😀😀😀' }, { name: ['The name field must not be greater than 5 characters.'] }],
  [{ name: 'a', age: '3' }, { age: ['The age field must be an integer.'] }],
  [{ name: 'a', age: 1.5 }, { age: ['The age field must be an integer.'] }],
  [{ name: 'a', age: 151 }, { age: ['The age field must not be greater than 150.'] }],
  [{ name: 'a', age: -1 }, { age: ['The age field must be at least 0.'] }],
  [{ name: 'a', mood: 'odd' }, { mood: ['The mood field must be one of good, bad.'] }],
  [{ name: 'a', nick: 'long' }, { nick: ['The nick field must not be greater than 3 characters.'] }],
  [{ name: 'a', nick: 1 }, { nick: ['The nick field must be a string.'] }],
  [{ name: 'a', to: {} }, { to: ['The to field must be a string or an array.'] }],
  [{ name: 'a', to: ['a', 'b', 'c'] }, { to: ['The to field must not have more than 2 items.'] }],
  [{ name: 'a', to: ['a', 2] }, { 'to.1': ['The to.1 field must be a string.'] }],
  [{ name: 'a', headers: { x: 1 } }, { 'headers.x': ['The headers.x field must be a string.'] }],
  [{ name: 'a', headers: [1] }, { headers: ['The headers field must be an object.'] }],
  [{ name: 'a', tags: [{}] }, { 'tags.0.name': ['The tags.0.name field is required.'] }],
  [{ name: 'a', id: 'x' }, { id: ['The id field must be a valid UUID.'] }],
  [{ name: 'a', on: 'true' }, { on: ['The on field must be true or false.'] }],
  [{ name: 'a\u0000' }, { name: ['The name field must not contain the character U+0000.'] }],
  [{ name: '\ud800' }, { name: ['The name field must be valid Unicode text.'] }],
  [{ name: 'a', html: '\udc00' }, { html: ['The html field must be valid Unicode text.'] }],
  [[], { '': ['The request body must be an object.'] }],
  [null, { '': ['The request body must be an object.'] }],
])('errors for %j', (value, errors) => {
  expect(checkShape(Person, value)).toEqual(errors)
})

test('null is removed from optional fields in which it has no meaning, at any depth, and kept in others', () => {
  const Tag = Type.Object({ name: Type.String(), color: Type.Optional(Type.String()) })
  const Deep = Type.Object({ ...Person.properties, labels: Type.Optional(Type.Array(Tag)) })
  const value = {
    name: 'Ann',
    age: null,
    mood: null,
    to: null,
    headers: null,
    tags: null,
    on: null,
    nick: null,
    unknown: null,
    labels: [{ name: 'a', color: null }],
  }
  expect(checkShape(Deep, value)).toBeNull()
  expect(value).toEqual({ name: 'Ann', nick: null, unknown: null, labels: [{ name: 'a' }] })
})

test('errors for all invalid fields, in the order of the fields', () => {
  const errors = checkShape(Person, { age: 'x', mood: 1 })
  expect(Object.keys(errors ?? {})).toEqual(['name', 'age', 'mood'])
})

test('at most one hundred errors, whatever a hostile array contains', () => {
  const value = { name: 'a', tags: Array.from({ length: 1_000_000 }, () => 5) }
  expect(Object.keys(checkShape(Person, value) ?? {})).toHaveLength(100)
})

test('errors do not repeat a name of a megabyte', () => {
  const errors = checkShape(Person, { name: 'a', headers: { ['x'.repeat(1_000_000)]: 1 } })
  expect(JSON.stringify(errors).length).toBeLessThan(1_000)
})

test('inherited properties are not fields', () => {
  const Odd = Type.Object({ constructor: Type.Optional(Type.String()) })
  expect(checkShape(Odd, {})).toBeNull()
})

test('the same verdict as TypeBox wherever both apply', () => {
  const oracle = Compile(Person)
  const values: unknown[] = [
    { name: 'Ann' },
    {},
    { name: 1 },
    { name: 'abcdef' },
    { name: 'a', age: 1.5 },
    { name: 'a', nick: null },
  ]
  values.push(
    { name: 'a', to: 5 },
    { name: 'a', to: ['x'] },
    { name: 'a', mood: 'bad' },
    { name: 'a', mood: 'x' },
    5,
    null,
    [],
  )
  for (const value of values)
    expect(checkShape(Person, value) === null, JSON.stringify(value)).toBe(oracle.Check(value))
})

test('query parameters are parsed from text, and only those of the schema', () => {
  const Query = Type.Object({
    page: Type.Optional(Type.Integer()),
    on: Type.Optional(Type.Boolean()),
    q: Type.Optional(Type.String()),
  })
  expect(readQuery(Query, { page: '3', on: 'false', q: '7', other: 'x' })).toEqual({
    page: 3,
    on: false,
    q: '7',
  })
  for (const page of ['', '1.5', '0x10', '1e3', ' 1', '99999999999999999999', ['1', '2']]) {
    expect(checkShape(Query, readQuery(Query, { page }))).toEqual({
      page: ['The page field must be an integer.'],
    })
  }
})

test('an empty array in place of a map becomes an empty object; any other array stays unchanged', () => {
  const body = { name: 'a', headers: [], to: [], tags: [], unknown: [] }
  expect(checkShape(Person, body)).toBeNull()
  expect(body).toEqual({ name: 'a', headers: {}, to: [], tags: [], unknown: [] })
})

test('octets count as an array of numbers, not as an object', () => {
  const octets = Uint8Array.of(1, 2, 3)
  expect(checkShape(Type.Array(Type.Number(), { maxItems: 3 }), octets)).toBeNull()
  expect(checkShape(Type.Array(Type.Unknown(), { maxItems: 2 }), octets)).not.toBeNull()
  expect(checkShape(Type.Array(Type.String()), octets)).toEqual({ 0: ['The 0 field must be a string.'] })
  expect(checkShape(Type.Object({}), octets)).not.toBeNull()
})

test('an error of the whole value becomes a 422 that names no field', () => {
  const apiError = refuseShape(checkShape(Person, 'text') ?? {})
  expect(apiError).toMatchObject({ status: 422, message: 'The request body must be an object.' })
  expect(apiError.errors).toBeUndefined()
  expect(refuseShape(checkShape(Person, {}) ?? {}).errors).toEqual({ name: ['The name field is required.'] })
})
