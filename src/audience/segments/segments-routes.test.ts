import { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { segmentContactsRoutes } from '../contacts/selected-contacts-routes.ts'
import { listRoutes } from '../lists/lists-routes.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { segmentRoutes } from './segments-routes.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

let api: Api
let ann: GivenTeam
let bob: GivenTeam
let planId: string
let seatsId: string
let newsId: string

beforeAll(async () => {
  api = await startApi({
    routes: [...contactRoutes, ...listRoutes, ...propertyRoutes, ...segmentRoutes, ...segmentContactsRoutes],
  })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
  planId = (await ann.post('/properties', { key: 'plan', type: 'string' })).json.id
  seatsId = (await ann.post('/properties', { key: 'seats', type: 'number' })).json.id
  newsId = (await ann.post('/lists', { name: 'News' })).json.id
})
afterAll(() => api.stop())

type Fields = Record<string, unknown>

const one = (condition: Fields) => ({ groups: [{ conditions: [condition] }] })

async function givenSegment(filters?: unknown, rest: Fields = {}) {
  const reply = await ann.post('/segments', { name: 'S', ...rest, ...(filters ? { filters } : {}) })
  expect(reply.status, reply.text).toBe(201)
  return reply.json
}

describe('create, read, update, delete', () => {
  test('201 with the validated segment, 200 when it is read', async () => {
    const reply = await ann.post('/segments', {
      name: 'Pro',
      match_type: 'any',
      filters: {
        groups: [
          {
            match_type: 'any',
            conditions: [
              { field: 'property', operator: 'is', value: 'Pro', property_id: planId.toUpperCase() },
              { field: 'created_at', type: 'date', operator: 'greater_than', value: '2026-01-01' },
              { field: 'created_at', operator: 'within_last', value: 'P1W' },
              { field: 'list', operator: 'in', value: newsId.toUpperCase() },
              { field: 'unsubscribed', operator: 'equals', value: false, property_id: planId },
              { field: 'email', operator: 'exists', value: 'ignored' },
            ],
          },
        ],
      },
    })
    expect(reply.status).toBe(201)
    expect(reply.json).toEqual({
      object: 'segment',
      id: expect.any(String),
      name: 'Pro',
      match_type: 'any',
      filters: {
        groups: [
          {
            match_type: 'any',
            conditions: [
              { field: 'property', type: 'string', operator: 'equals', value: 'Pro', property_id: planId },
              {
                field: 'created_at',
                type: 'date',
                operator: 'after',
                value: '2026-01-01',
                property_id: null,
              },
              {
                field: 'created_at',
                type: 'date',
                operator: 'within_last',
                value: '1 week',
                property_id: null,
              },
              { field: 'list', type: 'list', operator: 'in', value: newsId, property_id: null },
              {
                field: 'unsubscribed',
                type: 'boolean',
                operator: 'equals',
                value: false,
                property_id: null,
              },
              { field: 'email', type: 'string', operator: 'is_set', value: null, property_id: null },
            ],
          },
        ],
      },
      created_at: TIME,
      updated_at: TIME,
    })
    expect((await ann.get(`/segments/${reply.json.id.toUpperCase()}`)).json).toEqual(reply.json)
  })

  test('201 for a name alone: match type all, no groups, no members', async () => {
    const segment = await givenSegment()
    expect(segment).toMatchObject({ match_type: 'all', filters: { groups: [] } })
    await ann.post('/contacts', { email: 'one@shop.example' })
    expect((await ann.get(`/segments/${segment.id}/contacts`)).json.data).toEqual([])
    for (const filters of [null, {}, { groups: [] }]) {
      expect((await ann.post('/segments', { name: 'S', filters })).json.filters).toEqual({ groups: [] })
    }
  })

  test('200 for both PUT and PATCH: given fields change, filters as a whole', async () => {
    const { id } = await givenSegment(one({ field: 'email', operator: 'is_set' }))
    expect((await ann.put(`/segments/${id}`, { name: 'New' })).json).toMatchObject({
      name: 'New',
      filters: { groups: [{ conditions: [{ field: 'email' }] }] },
    })
    const changed = await ann.patch(`/segments/${id}`, {
      match_type: 'any',
      filters: one({ field: 'first_name', operator: 'is_set' }),
    })
    expect(changed.json).toMatchObject({
      name: 'New',
      match_type: 'any',
      filters: { groups: [{ match_type: 'all', conditions: [{ field: 'first_name' }] }] },
    })
    expect((await ann.get(`/segments/${id}`)).json).toEqual(changed.json)
    expect((await ann.patch(`/segments/${id}`, { filters: null })).json.filters).toEqual({ groups: [] })
  })

  test('200 for DELETE, then 404 for everything', async () => {
    const { id } = await givenSegment()
    expect((await ann.delete(`/segments/${id.toUpperCase()}`)).json).toEqual({
      object: 'segment',
      id,
      deleted: true,
    })
    for (const reply of [
      await ann.get(`/segments/${id}`),
      await ann.get(`/segments/${id}/contacts`),
      await ann.patch(`/segments/${id}`, { name: 'x' }),
      await ann.delete(`/segments/${id}`),
    ]) {
      expect([reply.status, reply.json.message]).toEqual([404, 'Not found.'])
    }
  })

  test('409 for DELETE of a property while a condition names it, then 200', async () => {
    const { id: propertyId } = (await ann.post('/properties', { key: 'used', type: 'string' })).json
    const { id } = await givenSegment(one({ field: 'property', operator: 'is_set', property_id: propertyId }))
    expect((await ann.delete(`/properties/${propertyId}`)).status).toBe(409)
    await ann.patch(`/segments/${id}`, { filters: one({ field: 'email', operator: 'is_set' }) })
    expect((await ann.delete(`/properties/${propertyId}`)).status).toBe(200)
  })

  test('a segment on a property that is deleted meanwhile is rejected, or keeps the property', async () => {
    for (let round = 0; round < 8; round++) {
      const made = await ann.post('/properties', { key: `racing${round}`, type: 'string' })
      const [created, deleted] = await Promise.all([
        ann.post('/segments', {
          name: 'S',
          filters: one({ field: 'property', operator: 'is_set', property_id: made.json.id }),
        }),
        ann.delete(`/properties/${made.json.id}`),
      ])
      expect(`${created.status} ${deleted.status}`).toMatch(/^(201 409|422 200)$/)
    }
  })
})

describe('422', () => {
  const AT = 'filters.groups.0.conditions.0'
  const WRONG: [Fields, string, string][] = [
    [{ operator: 'equals', value: 'x' }, 'field', `The ${AT}.field field is required.`],
    [{ field: 'email', value: 'x' }, 'operator', `The ${AT}.operator field is required.`],
    [
      { field: 'email', type: 'number', operator: 'equals', value: 'x' },
      'type',
      `The ${AT}.type field must be string here.`,
    ],
    [
      { field: 'unsubscribed', operator: 'contains', value: 'x' },
      'operator',
      `The ${AT}.operator field must be one of equals, not_equals.`,
    ],
    [{ field: 'email', operator: 'equals' }, 'value', `The ${AT}.value field is required.`],
    [{ field: 'email', operator: 'equals', value: '' }, 'value', `The ${AT}.value field is required.`],
    [{ field: 'email', operator: 'equals', value: 5 }, 'value', `The ${AT}.value field must be a string.`],
    [
      { field: 'email', operator: 'equals', value: 'a\u0000' },
      'value',
      `The ${AT}.value field must not contain the character U+0000.`,
    ],
    [
      { field: 'unsubscribed', operator: 'equals', value: 'true' },
      'value',
      `The ${AT}.value field must be true or false.`,
    ],
    [
      { field: 'created_at', operator: 'before', value: 'soon' },
      'value',
      `The ${AT}.value field must be an ISO 8601 date.`,
    ],
    ...['soon', '2026-01-01', '40000 days', 0].map((value): [Fields, string, string] => [
      { field: 'created_at', operator: 'older_than', value },
      'value',
      `The ${AT}.value field must be a duration of at most 36525 days, such as 30 days.`,
    ]),
    [
      { field: 'list', operator: 'in', value: newId() },
      'value',
      `The ${AT}.value field must be the id of a list of this account.`,
    ],
    [
      { field: 'property', operator: 'equals', value: 'x' },
      'property_id',
      `The ${AT}.property_id field is required.`,
    ],
    [
      { field: 'property', operator: 'equals', value: 'x', property_id: newId() },
      'property_id',
      `The ${AT}.property_id field must be the id of a property of this account.`,
    ],
  ]
  test.each(WRONG)('for the condition %j', async (condition, field, message) => {
    const reply = await ann.post('/segments', { name: 'S', filters: one(condition) })
    expect(reply.status).toBe(422)
    expect(reply.json).toEqual({
      statusCode: 422,
      name: 'validation_error',
      message,
      errors: { [`${AT}.${field}`]: [message] },
    })
  })

  test('for a value that does not fit the type of the property, with its path', async () => {
    const reply = await ann.post('/segments', {
      name: 'S',
      filters: {
        groups: [
          {
            conditions: [
              { field: 'email', operator: 'is_set' },
              { field: 'property', operator: 'equals', value: 'many', property_id: seatsId },
            ],
          },
        ],
      },
    })
    expect(reply.json.errors).toEqual({
      'filters.groups.0.conditions.1.value': [
        'The filters.groups.0.conditions.1.value field must be a number.',
      ],
    })
  })

  test('for more groups and conditions than the limits, and for an empty group', async () => {
    const condition = { field: 'email', operator: 'is_set' }
    const group = { conditions: Array(26).fill(condition) }
    const post = (groups: unknown) => ann.post('/segments', { name: 'S', filters: { groups } })
    expect((await post([group, group])).json.message).toBe(
      'The filters field must not have more than 50 conditions.',
    )
    expect((await post(Array(21).fill({ conditions: [condition] }))).json.message).toBe(
      'The filters.groups field must not have more than 20 items.',
    )
    expect((await post([{ conditions: [] }])).json.message).toBe(
      'The filters.groups.0.conditions field must have at least 1 item.',
    )
    expect(
      (await post([{ conditions: Array(25).fill(condition) }, { conditions: Array(25).fill(condition) }]))
        .status,
    ).toBe(201)
  })

  test('for a name that is missing, empty or too long', async () => {
    for (const [name, says] of [
      [undefined, 'is required.'],
      ['', 'is required.'],
      ['𝒂'.repeat(256), 'must not be greater than 255 characters.'],
    ]) {
      expect((await ann.post('/segments', { name })).json.message).toBe(`The name field ${says}`)
    }
  })
})

describe('isolation', () => {
  test('404, byte for byte the same, for another team’s segment and an unknown one; it stays unchanged', async () => {
    const { id } = await givenSegment(one({ field: 'email', operator: 'is_set' }))
    const before = (await ann.get(`/segments/${id}`)).text
    for (const ask of [
      (wanted: string) => bob.get(`/segments/${wanted}`),
      (wanted: string) => bob.get(`/segments/${wanted}/contacts`),
      (wanted: string) => bob.patch(`/segments/${wanted}`, { name: 'x' }),
      (wanted: string) => bob.delete(`/segments/${wanted}`),
    ]) {
      const [foreign, none, malformed] = [await ask(id), await ask(newId()), await ask('no-id')]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(none.text)
      expect(malformed.text).toBe(none.text)
    }
    expect((await ann.get(`/segments/${id}`)).text).toBe(before)
    expect((await bob.get('/segments')).json.data).toEqual([])
    expect((await bob.get(`/contacts?segment_id=${id}`)).json.data).toEqual([])
  })

  test('422 for another team’s property or list, the same as for an unknown one', async () => {
    const ask = (condition: Fields) => bob.post('/segments', { name: 'S', filters: one(condition) })
    const ofProperty = (id: string) => ask({ field: 'property', operator: 'is_set', property_id: id })
    const ofList = (id: string) => ask({ field: 'list', operator: 'in', value: id })
    expect((await ofProperty(planId)).status).toBe(422)
    expect((await ofProperty(planId)).text).toBe((await ofProperty(newId())).text)
    expect((await ofList(newsId)).status).toBe(422)
    expect((await ofList(newsId)).text).toBe((await ofList(newId())).text)
  })

  test('403 for a sending key', async () => {
    const key = await ann.givenKey({ permission: 'send' })
    expect((await key.get('/segments')).status).toBe(403)
  })
})

test('200 for the Resend SDK: create, list, get, remove', async () => {
  const team = await api.givenTeam()
  const resend = new Resend(team.token, { baseUrl: api.url })
  const created = await resend.segments.create({ name: 'Everyone' })
  expect(created.error).toBeNull()
  const id = created.data?.id as string
  expect((await resend.segments.get(id)).data).toMatchObject({ object: 'segment', id, name: 'Everyone' })
  expect((await resend.segments.list()).data).toMatchObject({ object: 'list', data: [{ id }] })
  expect((await resend.segments.remove(id)).data).toMatchObject({ object: 'segment', id, deleted: true })
})
