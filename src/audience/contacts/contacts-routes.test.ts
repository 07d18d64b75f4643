import { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { listRoutes } from '../lists/lists-routes.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { contactRoutes } from './contacts-routes.ts'
import { listContactsRoutes } from './selected-contacts-routes.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const NOT_FOUND = '{"statusCode":404,"name":"not_found","message":"Not found."}'

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({
    routes: [...contactRoutes, ...listRoutes, ...listContactsRoutes, ...propertyRoutes],
  })
  team = await api.givenTeam()
  await team.post('/properties', { key: 'Plan', type: 'string' })
})
afterAll(() => api.stop())

let counter = 0
const address = () => `contact${++counter}@x.test`
const addList = async (owner = team, name = 'News'): Promise<string> =>
  (await owner.post('/lists', { name })).json.id

describe('POST /contacts', () => {
  test('201 with the complete contact, then 200 with only the given fields changed', async () => {
    const listId = await addList()
    const created = await team.post('/contacts', {
      email: 'Ann.Smith@Example.TEST',
      first_name: 'Ann',
      last_name: 'Smith',
      user_id: 'u-1',
      time_zone: 'europe/berlin',
      unsubscribed: true,
      list_ids: [listId],
      properties: { plan: 'pro' },
    })
    expect(created.status).toBe(201)
    expect(created.json).toEqual({
      object: 'contact',
      id: expect.any(String),
      email: 'ann.smith@example.test',
      first_name: 'Ann',
      last_name: 'Smith',
      user_id: 'u-1',
      time_zone: 'Europe/Berlin',
      unsubscribed: true,
      properties: { PLAN: 'pro' },
      lists: [{ object: 'list', id: listId, name: 'News', created_at: TIME, updated_at: TIME }],
      created_at: TIME,
      updated_at: TIME,
    })
    expect((await team.get(`/contacts/${created.json.id}`)).text).toBe(created.text)

    const again = await team.post('/contacts', { email: 'ANN.smith@example.test', first_name: 'Anne' })
    expect(again.status).toBe(200)
    expect(again.json).toEqual({ ...created.json, first_name: 'Anne', updated_at: TIME })
  })

  test('201 with an address alone: subscribed, without names, values and lists', async () => {
    const { status, json } = await team.post('/contacts', { email: address() })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      first_name: '',
      last_name: '',
      user_id: '',
      time_zone: '',
      unsubscribed: false,
      properties: {},
      lists: [],
    })
  })

  test('200 with an empty time zone, which clears it; 422 with one that does not exist', async () => {
    const email = address()
    await team.post('/contacts', { email, time_zone: 'UTC' })
    const wrong = await team.patch(`/contacts/${email}`, { time_zone: 'Europe/Atlantis' })
    const message = 'The time_zone field must be an IANA time zone, such as Europe/Berlin.'
    expect([wrong.status, wrong.json.errors]).toEqual([422, { time_zone: [message] }])
    expect((await team.get(`/contacts/${email}`)).json.time_zone).toBe('UTC')
    expect((await team.patch(`/contacts/${email}`, { time_zone: '' })).json.time_zone).toBe('')
  })

  test('200 for the same address in another spelling', async () => {
    const { id, email } = (await team.post('/contacts', { email: 'jörg@bücher.test' })).json
    expect(email).toBe('jörg@xn--bcher-kva.test')
    for (const other of [
      'JÖRG@BÜCHER.TEST',
      'jörg@xn--bcher-kva.test',
      '"jörg"@bücher.test',
      ' Jörg@bücher.test ',
    ]) {
      const reply = await team.post('/contacts', { email: other })
      expect([reply.status, reply.json.id], other).toEqual([200, id])
    }
    expect((await team.post('/contacts', { email: 'jörg+x@bücher.test' })).status).toBe(201)
  })

  test.each([
    [{}, 'email', 'The email field is required.'],
    [{ email: null }, 'email', 'The email field is required.'],
    [{ email: '' }, 'email', 'The email field is required.'],
    [{ email: 5 }, 'email', 'The email field must be a string.'],
    [{ email: 'nobody' }, 'email', 'The email field must be a valid email address.'],
    [{ email: 'Ann <ann@x.test>' }, 'email', 'The email field must be a valid email address.'],
    [{ email: 'a@b' }, 'email', 'The email field must be a valid email address.'],
    [{ email: 'a@b.test\r\n' }, 'email', 'The email field must be a valid email address.'],
    [
      { email: `a@${'b'.repeat(255)}.test` },
      'email',
      'The email field must not be greater than 254 characters.',
    ],
    [
      { email: 'a@b.test', first_name: 'x'.repeat(256) },
      'first_name',
      'The first_name field must not be greater than 255 characters.',
    ],
    [
      { email: 'a@b.test', last_name: 'x'.repeat(256) },
      'last_name',
      'The last_name field must not be greater than 255 characters.',
    ],
    [
      { email: 'a@b.test', user_id: 'x'.repeat(256) },
      'user_id',
      'The user_id field must not be greater than 255 characters.',
    ],
    [{ email: 'a@b.test', first_name: 1 }, 'first_name', 'The first_name field must be a string.'],
    [
      { email: 'a@b.test', unsubscribed: 'yes' },
      'unsubscribed',
      'The unsubscribed field must be true or false.',
    ],
    [{ email: 'a@b.test', list_ids: 'x' }, 'list_ids', 'The list_ids field must be an array.'],
    [{ email: 'a@b.test', list_ids: ['x'] }, 'list_ids.0', 'The list_ids.0 field must be a valid UUID.'],
    [{ email: 'a@b.test', properties: [1] }, 'properties', 'The properties field must be an object.'],
  ])('422 for %j, and nothing is stored', async (body, field, message) => {
    const before = (await team.get('/contacts')).json.meta.total
    const reply = await team.post('/contacts', body)
    expect(reply.status).toBe(422)
    expect(reply.json).toMatchObject({ name: 'validation_error', message, errors: { [field]: [message] } })
    expect((await team.get('/contacts')).json.meta.total).toBe(before)
  })

  test('422 with every unknown list, including another team’s', async () => {
    const other = await api.givenTeam()
    const [mine, theirs, none] = [await addList(), await addList(other), newId()]
    const reply = await team.post('/contacts', { email: address(), list_ids: [mine, theirs, none] })
    expect(reply.status).toBe(422)
    expect(reply.json.errors).toEqual({
      'list_ids.1': ['The list_ids.1 field must be the id of a list of this account.'],
      'list_ids.2': ['The list_ids.2 field must be the id of a list of this account.'],
    })
  })

  test('201 with fields of 255 code points; fields that only the server may set are ignored', async () => {
    const long = '𝒳'.repeat(255)
    const given = { first_name: long, last_name: long, user_id: long }
    const id = newId()
    const reply = await team.post('/contacts', {
      email: address(),
      ...given,
      id,
      team_id: id,
      deleted_at: 'now',
    })
    expect(reply.status).toBe(201)
    expect(reply.json).toMatchObject(given)
    expect(reply.json.id).not.toBe(id)
  })

  test('exactly one contact for one address sent 40 times in parallel to two processes, counted once', async () => {
    const fresh = await api.givenTeam()
    const second = (await api.another()).as(fresh.token)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? fresh : second).post('/contacts', { email: 'Same@x.test', user_id: `u${index}` }),
      ),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(39)
    expect(new Set(replies.map(({ json }) => json.id)).size).toBe(1)
    expect((await fresh.get('/contacts')).json.meta.total).toBe(1)
  })
})

describe('PUT and PATCH /contacts/{id}', () => {
  test.each(['put', 'patch'] as const)('200 for %s: given fields change, null clears', async (verb) => {
    const email = address()
    const { id } = (await team.post('/contacts', { email, first_name: 'A', last_name: 'B', user_id: 'c' }))
      .json
    expect((await team[verb](`/contacts/${id}`, { first_name: 'Z' })).json).toMatchObject({
      first_name: 'Z',
      last_name: 'B',
      user_id: 'c',
    })
    const cleared = await team[verb](`/contacts/${email.toUpperCase()}`, {
      first_name: null,
      last_name: null,
      user_id: '',
      unsubscribed: true,
    })
    expect(cleared.json).toMatchObject({
      id,
      first_name: '',
      last_name: '',
      user_id: '',
      unsubscribed: true,
    })
    expect((await team[verb](`/contacts/${id.toUpperCase()}`, {})).json).toMatchObject({
      id,
      unsubscribed: true,
    })
  })

  test('200 with another address, 422 with the address of another contact', async () => {
    const [first, second, third] = [address(), address(), address()]
    const { id } = (await team.post('/contacts', { email: first })).json
    await team.post('/contacts', { email: second })
    const taken = await team.put(`/contacts/${id}`, { email: second.toUpperCase(), first_name: 'X' })
    expect(taken.status).toBe(422)
    expect(taken.json.errors).toEqual({ email: ['The email field has already been taken.'] })
    expect((await team.get(`/contacts/${id}`)).json).toMatchObject({ email: first, first_name: '' })
    expect((await team.put(`/contacts/${id}`, { email: first })).status).toBe(200)
    expect((await team.put(`/contacts/${id}`, { email: third })).json).toMatchObject({ id, email: third })
    expect((await team.get(`/contacts/${first}`)).status).toBe(404)
  })

  test('200 once and 422 otherwise when many contacts take one address in parallel', async () => {
    const fresh = await api.givenTeam()
    const emails = Array.from({ length: 10 }, (_, index) => `p${index}@x.test`)
    for (const email of emails) await fresh.post('/contacts', { email })
    const replies = await Promise.all(
      emails.map((email) => fresh.put(`/contacts/${email}`, { email: 'one@x.test' })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)])
  })

  test('422 for two contacts that exchange their addresses at the same time', async () => {
    const [a, b] = [address(), address()]
    for (const email of [a, b]) await team.post('/contacts', { email })
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all([
        team.put(`/contacts/${a}`, { email: b }),
        team.put(`/contacts/${b}`, { email: a }),
      ])
      expect(replies.map(({ status }) => status)).toEqual([422, 422])
    }
  })

  test.each([
    [{ email: '' }, 'email'],
    [{ email: 'x' }, 'email'],
    [{ first_name: 'x'.repeat(256) }, 'first_name'],
    [{ list_ids: [newId()] }, 'list_ids.0'],
    [{ properties: { nope: 1 } }, 'properties.nope'],
  ])('422 for %j', async (body, field) => {
    const { id } = (await team.post('/contacts', { email: address() })).json
    const reply = await team.put(`/contacts/${id}`, body)
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.json.errors)).toEqual([field])
  })
})

describe('DELETE /contacts/{id}', () => {
  test('200, then gone everywhere; the same address makes a new contact without the old data', async () => {
    const fresh = await api.givenTeam()
    await fresh.post('/properties', { key: 'plan', type: 'string' })
    const listId = await addList(fresh)
    const body = { email: 'gone@x.test', first_name: 'G', list_ids: [listId], properties: { plan: 'pro' } }
    const { id } = (await fresh.post('/contacts', body)).json
    const reply = await fresh.delete(`/contacts/${id}`)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ object: 'contact', id, contact: id, deleted: true })

    for (const path of [id, 'gone@x.test']) {
      expect((await fresh.get(`/contacts/${path}`)).text).toBe(NOT_FOUND)
      expect((await fresh.put(`/contacts/${path}`, {})).text).toBe(NOT_FOUND)
      expect((await fresh.delete(`/contacts/${path}`)).text).toBe(NOT_FOUND)
      expect((await fresh.get(`/contacts/${path}/lists`)).text).toBe(NOT_FOUND)
      expect((await fresh.post(`/contacts/${path}/lists`, { list_ids: [] })).text).toBe(NOT_FOUND)
      expect((await fresh.delete(`/contacts/${path}/lists/${listId}`)).text).toBe(NOT_FOUND)
    }
    expect((await fresh.get('/contacts')).json).toMatchObject({ data: [], meta: { total: 0 } })
    expect((await fresh.get(`/lists/${listId}/contacts`)).json).toMatchObject({
      data: [],
      meta: { total: 0 },
    })
    expect(
      await api.db.query('select email from contact where id = $1 and deleted_at is not null', [id]),
    ).toEqual([{ email: 'gone@x.test' }])

    const again = await fresh.post('/contacts', { email: 'gone@x.test' })
    expect(again.status).toBe(201)
    expect(again.json).toMatchObject({ first_name: '', properties: {}, lists: [] })
    expect(again.json.id).not.toBe(id)
    expect((await fresh.delete('/contacts/GONE@x.test')).json.id).toBe(again.json.id)
  })

  test('200 once for parallel deletions of one contact, with correct counters in any order', async () => {
    const fresh = await api.givenTeam()
    const listId = await addList(fresh)
    for (let round = 0; round < 5; round++) {
      await fresh.post('/contacts', { email: 'x@x.test', list_ids: [listId] })
      await Promise.all([
        fresh.delete('/contacts/x@x.test'),
        fresh.delete('/contacts/x@x.test'),
        fresh.post('/contacts', { email: 'x@x.test', list_ids: [listId] }),
        fresh.post('/contacts', { email: 'x@x.test', list_ids: [] }),
        fresh.post('/contacts/x@x.test/lists', { list_ids: [listId] }),
      ])
      const all = (await fresh.get('/contacts')).json
      expect(all.meta.total).toBe(all.data.length)
      const members = (await fresh.get(`/lists/${listId}/contacts`)).json
      expect(members.meta.total).toBe(members.data.length)
    }
  })
})

test('404, byte for byte the same, for another team’s contact and an unknown one, by id and address; it stays', async () => {
  const other = await api.givenTeam()
  const listId = await addList(other)
  const theirs = await other.post('/contacts', { email: 'theirs@x.test', list_ids: [listId] })
  for (const id of [theirs.json.id, 'theirs@x.test', newId(), 'none@x.test', 'x', '%00', 'a%00@b.test']) {
    expect((await team.get(`/contacts/${id}`)).text).toBe(NOT_FOUND)
    expect((await team.put(`/contacts/${id}`, { first_name: 'X' })).text).toBe(NOT_FOUND)
    expect((await team.patch(`/contacts/${id}`, { first_name: 'X' })).text).toBe(NOT_FOUND)
    expect((await team.delete(`/contacts/${id}`)).text).toBe(NOT_FOUND)
    expect((await team.get(`/contacts/${id}/lists`)).text).toBe(NOT_FOUND)
    expect((await team.post(`/contacts/${id}/lists`, { list_ids: [] })).text).toBe(NOT_FOUND)
    expect((await team.delete(`/contacts/${id}/lists/${listId}`)).text).toBe(NOT_FOUND)
  }
  expect((await other.get('/contacts/theirs@x.test')).text).toBe(theirs.text)
})

test('403 for a sending key', async () => {
  const key = await team.givenKey({ permission: 'send' })
  expect((await key.get('/contacts')).status).toBe(403)
  expect((await key.post('/contacts', { email: address() })).status).toBe(403)
})

test('200 for the Resend SDK: create, list, get, update, remove', async () => {
  const fresh = await api.givenTeam()
  await fresh.post('/properties', { key: 'plan', type: 'string' })
  const resend = new Resend(fresh.token, { baseUrl: api.url })
  const email = 'ann+sdk@x.test'
  const created = await resend.contacts.create({
    email,
    firstName: 'Ann',
    unsubscribed: false,
    properties: { plan: 'pro' },
  })
  expect(created.error).toBeNull()
  const id = created.data?.id as string
  expect((await resend.contacts.get({ email })).data).toMatchObject({
    object: 'contact',
    id,
    first_name: 'Ann',
  })
  expect((await resend.contacts.update({ id, lastName: 'Smith', unsubscribed: true })).data).toMatchObject({
    object: 'contact',
    id,
  })
  expect((await resend.contacts.list()).data).toMatchObject({
    object: 'list',
    data: [{ id, email, last_name: 'Smith', unsubscribed: true }],
  })
  expect((await resend.contacts.remove({ email })).data).toMatchObject({
    object: 'contact',
    contact: id,
    deleted: true,
  })
})
