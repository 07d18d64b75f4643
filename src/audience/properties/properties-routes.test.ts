import { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { sweepTombstones } from '../contacts/sweep-tombstones-queries.ts'
import { PROPERTIES_MAX } from './properties.ts'
import { propertyRoutes } from './properties-routes.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const NOT_FOUND = '{"statusCode":404,"name":"not_found","message":"Not found."}'

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: [...propertyRoutes, ...contactRoutes] })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

const KINDS = { '/properties': 'property', '/contact-properties': 'contact_property' }

describe.each(Object.entries(KINDS))('POST %s', (path, object) => {
  test('201 with the property, shown at both paths in the form of each', async () => {
    const fresh = await api.givenTeam()
    const reply = await fresh.post(path, { key: '  Plan_2 ', type: 'string', fallback_value: 'free' })
    expect(reply.status).toBe(201)
    expect(reply.json).toEqual({
      object,
      id: expect.any(String),
      key: 'Plan_2',
      type: 'string',
      fallback_value: 'free',
      created_at: TIME,
      updated_at: TIME,
    })
    for (const [other, kind] of Object.entries(KINDS)) {
      const shown = { ...reply.json, object: kind }
      expect((await fresh.get(`${other}/${reply.json.id}`)).json).toEqual(shown)
      const list = await fresh.get(other)
      expect(list.json).toMatchObject({ object: 'list', data: [shown], meta: { total: 1 } })
      expect(list.json.meta.path).toBe(`https://api.test${other}`)
    }
  })
})

test('a number’s fallback is text at /properties and a number at /contact-properties', async () => {
  const made = await team.post('/contact-properties', { key: 'seats_2', type: 'number', fallback_value: 2.5 })
  expect(made.json.fallback_value).toBe(2.5)
  expect((await team.get(`/properties/${made.json.id}`)).json.fallback_value).toBe('2.5')
  const { json } = await team.get('/contact-properties')
  expect(json.data.find(({ id }: { id: string }) => id === made.json.id).fallback_value).toBe(2.5)
  const cleared = await team.patch(`/contact-properties/${made.json.id}`, { fallback_value: null })
  expect(cleared.json.fallback_value).toBeNull()
  expect((await team.delete(`/contact-properties/${made.json.id}`)).json.object).toBe('contact_property')
})

describe('POST /properties', () => {
  test.each([
    [{ type: 'string' }, 'key', 'The key field is required.'],
    [{ key: '', type: 'string' }, 'key', 'The key field is required.'],
    [{ key: 7, type: 'string' }, 'key', 'The key field must be a string.'],
    [{ key: ' ', type: 'string' }, 'key', 'The key field format is invalid.'],
    [{ key: '1st', type: 'string' }, 'key', 'The key field format is invalid.'],
    [{ key: 'a b', type: 'string' }, 'key', 'The key field format is invalid.'],
    [{ key: 'größe', type: 'string' }, 'key', 'The key field format is invalid.'],
    [{ key: '__proto', type: 'string' }, 'key', 'The key field format is invalid.'],
    [
      { key: 'k'.repeat(256), type: 'string' },
      'key',
      'The key field must not be greater than 255 characters.',
    ],
    [{ key: 'a' }, 'type', 'The type field is required.'],
    [{ key: 'a', type: 'boolean' }, 'type', 'The type field must be one of string, number, date.'],
    [
      { key: 'a', type: 'string', fallback_value: 'é'.repeat(1001) },
      'fallback_value',
      'The fallback_value field must not be greater than 1000 characters.',
    ],
    [
      { key: 'a', type: 'string', fallback_value: true },
      'fallback_value',
      'The fallback_value field must be a string.',
    ],
    [
      { key: 'a', type: 'string', fallback_value: 5 },
      'fallback_value',
      'The fallback_value field must be a string.',
    ],
    [
      { key: 'a', type: 'number', fallback_value: 'many' },
      'fallback_value',
      'The fallback_value field must be a number.',
    ],
    [
      { key: 'a', type: 'date', fallback_value: 'soon' },
      'fallback_value',
      'The fallback_value field must be an ISO 8601 date.',
    ],
  ])('422 for %j, and nothing is stored', async (body, field, message) => {
    const before = (await team.get('/properties')).json.meta.total
    const reply = await team.post('/properties', body)
    expect(reply.status).toBe(422)
    expect(reply.json).toMatchObject({ name: 'validation_error', message, errors: { [field]: [message] } })
    expect((await team.get('/properties')).json.meta.total).toBe(before)
  })

  test.each([
    ['a key of 255 letters', { key: 'k'.repeat(255), type: 'string' }, null],
    [
      'a fallback of 1000 code points',
      { key: 'long', type: 'string', fallback_value: '𝒳'.repeat(1000) },
      '𝒳'.repeat(1000),
    ],
    ['a number as text with a point', { key: 'n1', type: 'number', fallback_value: '0.5' }, '0.5'],
    ['a number as text', { key: 'n2', type: 'number', fallback_value: '007' }, '007'],
    ['a date', { key: 'd1', type: 'date', fallback_value: '2026-01-31' }, '2026-01-31'],
    ['null', { key: 'none', type: 'date', fallback_value: null }, null],
  ])('201 with %s', async (_name, body, fallback) => {
    const reply = await team.post('/properties', body)
    expect(reply.status).toBe(201)
    expect(reply.json.fallback_value).toBe(fallback)
  })

  test('422 for a key that differs only in case, even in parallel: one property, counted once', async () => {
    const fresh = await api.givenTeam()
    const keys = ['seats', 'Seats', 'SEATS', ' sEATS ']
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        fresh.post('/properties', { key: keys[index % 4], type: 'number' }),
      ),
    )
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply.status).toBe(422)
      expect(reply.json.errors).toEqual({ key: ['The key field has already been taken.'] })
    }
    expect((await fresh.get('/properties')).json.meta.total).toBe(1)
  })

  test('201 for a key that another team has', async () => {
    const [ann, bob] = [await api.givenTeam(), await api.givenTeam()]
    expect((await ann.post('/properties', { key: 'same', type: 'string' })).status).toBe(201)
    expect((await bob.post('/properties', { key: 'same', type: 'date' })).status).toBe(201)
  })

  test('422 for one property too many', async () => {
    const fresh = await api.givenTeam()
    await api.db.query(
      `insert into property (team_id, id, key, type, created_at, updated_at)
       select $1, gen_random_uuid(), 'p' || n, 'string', now(), now() from generate_series(1, $2::int) n`,
      [fresh.id, PROPERTIES_MAX],
    )
    await api.db.query('insert into counter (team_id, name, value) values ($1, $2, $3)', [
      fresh.id,
      'properties',
      PROPERTIES_MAX,
    ])
    expect((await fresh.post('/properties', { key: 'more', type: 'string' })).json.message).toBe(
      'An account must not have more than 1000 properties.',
    )
    expect((await fresh.get('/properties')).json.meta.total).toBe(PROPERTIES_MAX)
  })
})

describe('PUT and PATCH /properties/{id}', () => {
  test('200, with only the given fields changed', async () => {
    const fresh = await api.givenTeam()
    const { id } = (await fresh.post('/properties', { key: 'plan', type: 'number', fallback_value: '1' }))
      .json
    const path = `/properties/${id}`
    expect((await fresh.put(path, { key: ' PLAN ' })).json).toMatchObject({
      key: 'PLAN',
      fallback_value: '1',
    })
    expect((await fresh.patch(path, { fallback_value: '2' })).json).toMatchObject({
      key: 'PLAN',
      fallback_value: '2',
    })
    expect((await fresh.patch(path, { type: 'number' })).status).toBe(200)
    expect((await fresh.put(path, { fallback_value: null })).json.fallback_value).toBeNull()
    expect((await fresh.put(`/contact-properties/${id.toUpperCase()}`, {})).json).toMatchObject({ id })
  })

  test('422 for another type, a taken key and a fallback that does not fit', async () => {
    const fresh = await api.givenTeam()
    const { id } = (await fresh.post('/properties', { key: 'one', type: 'number' })).json
    await fresh.post('/properties', { key: 'two', type: 'number' })
    const path = `/properties/${id}`
    for (const [body, field, message] of [
      [{ type: 'string' }, 'type', 'The type field cannot be changed.'],
      [{ key: 'TWO' }, 'key', 'The key field has already been taken.'],
      [{ fallback_value: 'x' }, 'fallback_value', 'The fallback_value field must be a number.'],
    ] as const) {
      const reply = await fresh.put(path, body)
      expect(reply.status).toBe(422)
      expect(reply.json.errors).toEqual({ [field]: [message] })
    }
    expect((await fresh.get(path)).json).toMatchObject({ key: 'one', type: 'number', fallback_value: null })
  })
})

describe('DELETE /properties/{id}', () => {
  test('200, then 404; its values disappear from contacts at once and from the table with the sweep', async () => {
    const fresh = await api.givenTeam()
    const { id } = (await fresh.post('/properties', { key: 'plan', type: 'string' })).json
    await fresh.post('/properties', { key: 'kept', type: 'number' })
    for (const name of ['a', 'b', 'c']) {
      await fresh.post('/contacts', { email: `${name}@x.test`, properties: { plan: 'pro', kept: 1 } })
    }
    const reply = await fresh.delete(`/properties/${id}`)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ object: 'property', id, deleted: true })
    expect((await fresh.get(`/properties/${id}`)).text).toBe(NOT_FOUND)
    expect((await fresh.delete(`/properties/${id}`)).text).toBe(NOT_FOUND)
    expect((await fresh.get('/contacts/a@x.test')).json.properties).toEqual({ KEPT: 1 })
    expect((await fresh.get('/properties')).json.meta.total).toBe(1)

    const valueCount = async () => {
      const rows = await api.db.query<{ count: number }>(
        'select count(*)::int4 as count from contact_value where team_id = $1',
        [fresh.id],
      )
      return rows[0]?.count
    }
    expect(await valueCount()).toBe(6)
    while (await sweepTombstones(api.db, 2));
    expect(await valueCount()).toBe(3)
    expect(await api.db.query('select 1 from leftover')).toEqual([])
  })

  test('201 for the same key again, with another type, without the old values', async () => {
    const fresh = await api.givenTeam()
    const { id } = (await fresh.post('/properties', { key: 'plan', type: 'string' })).json
    await fresh.post('/contacts', { email: 'a@x.test', properties: { plan: 'pro' } })
    await fresh.delete(`/properties/${id}`)
    expect((await fresh.post('/properties', { key: 'plan', type: 'number' })).status).toBe(201)
    expect((await fresh.get('/contacts/a@x.test')).json.properties).toEqual({})
  })

  test('409 while a segment uses it; it stays', async () => {
    const fresh = await api.givenTeam()
    const { id } = (await fresh.post('/properties', { key: 'plan', type: 'string' })).json
    await api.db.query(
      'insert into segment_property (team_id, property_id, segment_id) values ($1, $2, $3)',
      [fresh.id, id, newId()],
    )
    const reply = await fresh.delete(`/properties/${id}`)
    expect(reply.status).toBe(409)
    expect(reply.json).toEqual({
      statusCode: 409,
      name: 'conflict',
      message: 'This property is used by segments and cannot be deleted.',
    })
    expect((await fresh.get(`/properties/${id}`)).status).toBe(200)
  })

  test('values written during the deletion are rejected or swept up, never left', async () => {
    const fresh = await api.givenTeam()
    const { id } = (await fresh.post('/properties', { key: 'plan', type: 'string' })).json
    const writes = Array.from({ length: 20 }, (_, index) =>
      fresh.post('/contacts', { email: `c${index}@x.test`, properties: { plan: 'pro' } }),
    )
    const [deleted, ...replies] = await Promise.all([fresh.delete(`/properties/${id}`), ...writes])
    expect(deleted.status).toBe(200)
    for (const reply of replies) expect([201, 422]).toContain(reply.status)
    while (await sweepTombstones(api.db, 100));
    expect(await api.db.query('select 1 from contact_value where team_id = $1', [fresh.id])).toEqual([])
  })
})

test('404, byte for byte the same, for another team’s property and an unknown one; it stays', async () => {
  const [ann, bob] = [await api.givenTeam(), await api.givenTeam()]
  const created = await ann.post('/properties', { key: 'secret', type: 'string' })
  for (const path of ['/properties', '/contact-properties']) {
    for (const id of [created.json.id, newId(), 'no-id']) {
      expect((await bob.get(`${path}/${id}`)).text).toBe(NOT_FOUND)
      expect((await bob.put(`${path}/${id}`, { key: 'mine' })).text).toBe(NOT_FOUND)
      expect((await bob.patch(`${path}/${id}`, { type: 'date' })).text).toBe(NOT_FOUND)
      expect((await bob.delete(`${path}/${id}`)).text).toBe(NOT_FOUND)
    }
  }
  expect((await ann.get(`/properties/${created.json.id}`)).text).toBe(created.text)
  expect((await bob.get('/properties')).json.data).toEqual([])
})

test('403 for a sending key', async () => {
  const key = await team.givenKey({ permission: 'send' })
  expect((await key.get('/properties')).status).toBe(403)
  expect((await key.post('/contact-properties', { key: 'a', type: 'string' })).status).toBe(403)
})

test('200 for the Resend SDK: create, list, get, update, remove', async () => {
  const fresh = await api.givenTeam()
  const resend = new Resend(fresh.token, { baseUrl: api.url })
  const created = await resend.contactProperties.create({ key: 'seats', type: 'number', fallbackValue: 5 })
  expect(created.error).toBeNull()
  const id = created.data?.id as string
  expect((await resend.contactProperties.get(id)).data).toMatchObject({ key: 'seats', fallbackValue: 5 })
  expect((await resend.contactProperties.update({ id, fallbackValue: null })).error).toBeNull()
  expect((await resend.contactProperties.list()).data).toMatchObject({
    object: 'list',
    data: [{ id, key: 'seats', type: 'number', fallbackValue: null }],
  })
  expect((await resend.contactProperties.remove(id)).data).toMatchObject({ id, deleted: true })
})
