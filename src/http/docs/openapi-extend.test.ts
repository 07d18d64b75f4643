import { expect, test } from 'vitest'
import { extendModels } from './openapi-extend.ts'

const text = { type: 'string' }
const Summary = {
  type: 'object',
  required: ['id'],
  properties: { id: text, name: { type: ['string', 'null'] } },
}

const describe = (model: object) =>
  extendModels({ Summary, Whole: JSON.parse(JSON.stringify(model)) }, { Whole: 'Summary' }).Whole

test('a model with a base has only its own fields, and those that are narrower', () => {
  const properties = { id: text, name: text, html: text }
  expect(describe({ type: 'object', required: ['id', 'html'], properties })).toEqual({
    allOf: [
      { $ref: '#/components/schemas/Summary' },
      { required: ['html'], properties: { name: text, html: text } },
    ],
  })
})

test.each([
  ['lacks a field', { required: ['id'], properties: { id: text } }, 'name'],
  ['makes a field optional', { properties: Summary.properties }, 'id'],
  [
    'has another type',
    { required: ['id'], properties: { ...Summary.properties, id: { type: 'integer' } } },
    'id',
  ],
])('a model that %s is not an extension', (_, model, field) => {
  expect(() => describe({ type: 'object', ...model })).toThrow(
    `Whole extends Summary, but its field ${field} differs.`,
  )
})

test('a base must be a model', () => {
  expect(() => extendModels({ Summary }, { Summary: 'Nothing' })).toThrow(
    'Summary extends Nothing, which is not a model.',
  )
})
