import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { listRoutes } from '../lists/lists-routes.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { segmentRoutes } from '../segments/segments-routes.ts'
import { contactRoutes } from './contacts-routes.ts'
import { segmentContactsRoutes } from './selected-contacts-routes.ts'

let api: Api
let ann: GivenTeam
let planId: string
let seatsId: string
let renewsId: string
let tierId: string
let newsId: string

beforeAll(async () => {
  api = await startApi({
    routes: [...contactRoutes, ...listRoutes, ...propertyRoutes, ...segmentRoutes, ...segmentContactsRoutes],
  })
  ann = await api.givenTeam()
  const bob = await api.givenTeam()
  const property = async (body: Record<string, unknown>) => (await ann.post('/properties', body)).json.id
  planId = await property({ key: 'plan', type: 'string' })
  seatsId = await property({ key: 'seats', type: 'number' })
  renewsId = await property({ key: 'renews', type: 'date' })
  tierId = await property({ key: 'tier', type: 'string', fallback_value: 'Free' })
  newsId = (await ann.post('/lists', { name: 'News' })).json.id
  for (const contact of [
    {
      email: 'one@shop.example',
      first_name: 'Ann',
      last_name: 'Straße',
      user_id: 'U-1',
      time_zone: 'America/New_York',
      properties: { plan: 'Pro', seats: 5, renews: '2026-03-10', tier: 'gold' },
      list_ids: [newsId],
    },
    {
      email: 'two@shop.example',
      first_name: 'Annabel',
      unsubscribed: true,
      properties: { plan: '100%_off', seats: 12.5, renews: '2026-03-10T23:59:59.999Z' },
    },
    {
      email: 'three@bücher.example',
      first_name: 'BERT',
      user_id: 'u-3',
      properties: { plan: 'protest', seats: -1, renews: '2026-03-11T00:00:00Z', tier: 'FREE' },
      list_ids: [newsId],
    },
    { email: 'four@other.example' },
  ]) {
    expect((await ann.post('/contacts', contact)).status).toBe(201)
  }
  await bob.post('/contacts', { email: 'one@shop.example', first_name: 'Ann' })
  const gone = (await ann.post('/contacts', { email: 'gone@shop.example', properties: { plan: 'Pro' } })).json
  await ann.delete(`/contacts/${gone.id}`)
})
afterAll(() => api.stop())

type Fields = Record<string, unknown>

const one = (condition: Fields) => ({ groups: [{ conditions: [condition] }] })

async function givenSegment(filters?: unknown, rest: Fields = {}) {
  const reply = await ann.post('/segments', { name: 'S', ...rest, ...(filters ? { filters } : {}) })
  expect(reply.status, reply.text).toBe(201)
  return reply.json
}

/** Returns the members by the first part of the address, in order of creation. */
async function members(id: string): Promise<string[]> {
  const reply = await ann.get(`/segments/${id}/contacts`)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json.meta.total).toBe(reply.json.data.length)
  return reply.json.data.map(({ email }: { email: string }) => email.split('@')[0]).reverse()
}

const who = async (filters: unknown, rest: Fields = {}) => members((await givenSegment(filters, rest)).id)

describe('members', () => {
  const property = (id: () => string, operator: string, value?: unknown) => () => ({
    field: 'property',
    operator,
    value,
    property_id: id(),
  })
  const plan = (operator: string, value?: unknown) => property(() => planId, operator, value)
  const seats = (operator: string, value?: unknown) => property(() => seatsId, operator, value)
  const renews = (operator: string, value?: unknown) => property(() => renewsId, operator, value)
  const tier = (operator: string, value?: unknown) => property(() => tierId, operator, value)
  const field = (name: string, operator: string, value?: unknown) => () => ({ field: name, operator, value })
  const ALL = ['one', 'two', 'three', 'four']

  const CASES: [string, () => Fields, string[]][] = [
    ['email equals', field('email', 'equals', 'ONE@Shop.Example'), ['one']],
    ['email equals, as U-label', field('email', 'equals', 'three@BÜCHER.example'), ['three']],
    ['email not_equals', field('email', 'not_equals', 'one@shop.example'), ['two', 'three', 'four']],
    ['email contains', field('email', 'contains', 'O@S'), ['two']],
    ['email starts_with', field('email', 'starts_with', 'T'), ['two', 'three']],
    ['email starts_with, % is a letter', field('email', 'starts_with', '%'), []],
    ['email ends_with', field('email', 'ends_with', '@SHOP.example'), ['one', 'two']],
    ['email ends_with, as U-label', field('email', 'ends_with', '@bücher.example'), ['three']],
    ['first_name equals', field('first_name', 'equals', 'ann'), ['one']],
    ['first_name starts_with', field('first_name', 'starts_with', 'ANN'), ['one', 'two']],
    ['first_name contains', field('first_name', 'contains', 'er'), ['three']],
    ['first_name ends_with', field('first_name', 'ends_with', 'BEL'), ['two']],
    [
      'first_name not_contains, also without one',
      field('first_name', 'not_contains', 'nn'),
      ['three', 'four'],
    ],
    [
      'first_name not_equals, also without one',
      field('first_name', 'not_equals', 'ann'),
      ['two', 'three', 'four'],
    ],
    ['first_name is_set', field('first_name', 'is_set'), ['one', 'two', 'three']],
    ['first_name is_not_set', field('first_name', 'is_not_set'), ['four']],
    ['last_name ends_with', field('last_name', 'ends_with', 'SSE'), []],
    ['last_name ends_with itself', field('last_name', 'ends_with', 'ASSE'.replace('SS', 'ß')), ['one']],
    ['user_id equals', field('user_id', 'equals', 'u-1'), ['one']],
    ['user_id starts_with', field('user_id', 'starts_with', 'U-'), ['one', 'three']],
    ['time_zone starts_with', field('time_zone', 'starts_with', 'america/'), ['one']],
    ['time_zone is_not_set', field('time_zone', 'is_not_set'), ['two', 'three', 'four']],
    ['unsubscribed equals true', field('unsubscribed', 'equals', true), ['two']],
    ['unsubscribed equals false', field('unsubscribed', 'is', false), ['one', 'three', 'four']],
    ['unsubscribed not_equals true', field('unsubscribed', 'is_not', true), ['one', 'three', 'four']],
    ['created_at after', field('created_at', 'after', '2020-01-01'), ALL],
    ['created_at before', field('created_at', 'before', '2020-01-01'), []],
    ['created_at before, long ago', field('created_at', 'before', '1901-01-01'), []],
    ['created_at not_on', field('created_at', 'not_on', '2020-01-01'), ALL],
    ['list in', () => ({ field: 'list', operator: 'in', value: newsId }), ['one', 'three']],
    ['list not_in', () => ({ field: 'list', operator: 'not_in', value: newsId }), ['two', 'four']],
    ['string equals', plan('equals', 'PRO'), ['one']],
    ['string not_equals, also without one', plan('not_equals', 'pro'), ['two', 'three', 'four']],
    ['string contains', plan('contains', '%_'), ['two']],
    ['string contains, _ is a letter', plan('contains', 'p_o'), []],
    ['string starts_with', plan('starts_with', 'pro'), ['one', 'three']],
    ['string starts_with, % is a letter', plan('starts_with', '1%'), []],
    ['string ends_with', plan('ends_with', 'OFF'), ['two']],
    ['string is_set', plan('is_set'), ['one', 'two', 'three']],
    ['string is_not_set', plan('is_not_set'), ['four']],
    ['number equals', seats('equals', '5.0'), ['one']],
    ['number not_equals, also without one', seats('not_equals', 5), ['two', 'three', 'four']],
    ['number greater_than', seats('greater_than', 5), ['two']],
    ['number greater_than_or_equals', seats('greater_than_or_equal', 5), ['one', 'two']],
    ['number less_than', seats('less_than', 5), ['three']],
    ['number less_than_or_equals', seats('less_than_or_equals', 12.5), ['one', 'two', 'three']],
    ['date on a day', renews('on', '2026-03-10'), ['one', 'two']],
    ['date not_on a day, also without one', renews('not_equals', '2026-03-10'), ['three', 'four']],
    ['date before a day', renews('before', '2026-03-11'), ['one', 'two']],
    ['date after a day', renews('after', '2026-03-10'), ['three']],
    ['date on_or_after', renews('on_or_after', '2026-03-11'), ['three']],
    ['date on_or_before', renews('on_or_before', '2026-03-10'), ['one', 'two']],
    ['date after an instant', renews('after', '2026-03-10T23:59:59.998Z'), ['two', 'three']],
    ['date with an offset', renews('on', '2026-03-11T01:00:00+01:00'), ['three']],
    ['date is_set', renews('is_set'), ['one', 'two', 'three']],
    ['date after the last of all days', renews('after', '9999-12-31'), []],
    ['date before the last of all days', renews('before', '9999-12-31'), ['one', 'two', 'three']],
    ['created_at on_or_before the last of all days', field('created_at', 'on_or_before', '9999-12-31'), ALL],
    ['number beyond every number', seats('less_than', '1e308'), ['one', 'two', 'three']],
    ['number next to nothing', seats('greater_than', '1e-320'), ['one', 'two']],
    ['string that ends in a backslash', plan('starts_with', 'pro\\'), []],
    ['fallback equals: the fallback counts', tier('equals', 'free'), ['two', 'three', 'four']],
    ['fallback not_equals', tier('not_equals', 'free'), ['one']],
    ['fallback starts_with', tier('starts_with', 'F'), ['two', 'three', 'four']],
    ['fallback that does not fit', tier('equals', 'GOLD'), ['one']],
    ['fallback not_contains', tier('not_contains', 'old'), ['two', 'three', 'four']],
    ['fallback is_set: own values alone', tier('is_set'), ['one', 'three']],
    ['fallback is_not_set', tier('is_not_set'), ['two', 'four']],
  ]
  test.each(CASES)('%s', async (_, condition, expected) => {
    expect(await who(one(condition()))).toEqual(expected)
    // Test the condition as one of two branches, next to one that matches no contact.
    const nobody = { field: 'email', operator: 'equals', value: 'nobody@x.example' }
    expect(await who({ groups: [{ match_type: 'any', conditions: [condition(), nobody] }] })).toEqual(
      expected,
    )
    expect(await who({ groups: [{ conditions: [condition(), nobody] }] })).toEqual([])
  })

  test('all and any within groups and between them', async () => {
    const inNews = { field: 'list', operator: 'in', value: newsId }
    const many = { field: 'property', operator: 'greater_than', value: 4, property_id: seatsId }
    const away = { field: 'unsubscribed', operator: 'equals', value: true }
    const other = { field: 'email', operator: 'ends_with', value: 'other.example' }
    const groups = (first: string, second: string) => ({
      groups: [
        { match_type: first, conditions: [inNews, many] },
        { match_type: second, conditions: [away, other] },
      ],
    })
    expect(await who(groups('all', 'all'))).toEqual([])
    expect(await who(groups('all', 'all'), { match_type: 'any' })).toEqual(['one'])
    expect(await who(groups('all', 'any'), { match_type: 'any' })).toEqual(['one', 'two', 'four'])
    expect(await who(groups('any', 'any'))).toEqual(['two'])
    expect(await who(groups('any', 'any'), { match_type: 'any' })).toEqual(['one', 'two', 'three', 'four'])
  })

  test('live: a contact is a member while it matches', async () => {
    const team = await api.givenTeam()
    const { id } = (
      await team.post('/segments', {
        name: 'S',
        filters: one({ field: 'first_name', operator: 'equals', value: 'Zoe' }),
      })
    ).json
    const count = async () => (await team.get(`/segments/${id}/contacts`)).json.meta.total
    expect(await count()).toBe(0)
    await team.post('/contacts', { email: 'zoe@x.example', first_name: 'zoe' })
    expect(await count()).toBe(1)
    await team.post('/contacts', { email: 'zoe@x.example', first_name: 'Zora' })
    expect(await count()).toBe(0)
  })

  test('no contact is a member of a deleted list', async () => {
    const listId = (await ann.post('/lists', { name: 'Short' })).json.id
    await ann.post('/contacts', { email: 'four@other.example', list_ids: [listId] })
    const inside = await givenSegment(one({ field: 'list', operator: 'in', value: listId }))
    const outside = await givenSegment(one({ field: 'list', operator: 'not_in', value: listId }))
    expect(await members(inside.id)).toEqual(['four'])
    await ann.delete(`/lists/${listId}`)
    expect(await members(inside.id)).toEqual([])
    expect(await members(outside.id)).toEqual(ALL)
  })

  test('a value longer than its index entry is compared completely', async () => {
    const team = await api.givenTeam()
    const { id: noteId } = (await team.post('/properties', { key: 'note', type: 'string' })).json
    const long = 'Ä'.repeat(150)
    await team.post('/contacts', { email: 'a@x.example', properties: { note: `${long}a` } })
    await team.post('/contacts', { email: 'b@x.example', properties: { note: `${long}b` } })
    for (const operator of ['equals', 'starts_with']) {
      const filters = one({ field: 'property', operator, value: `${'ä'.repeat(150)}A`, property_id: noteId })
      const { id } = (await team.post('/segments', { name: 'S', filters })).json
      const { data } = (await team.get(`/segments/${id}/contacts`)).json
      expect(data.map(({ email }: { email: string }) => email)).toEqual(['a@x.example'])
    }
  })

  test('200 for GET /contacts?segment_id=, with other filters and in pages', async () => {
    const { id } = await givenSegment(one({ field: 'first_name', operator: 'is_set' }))
    const first = (await ann.get(`/contacts?segment_id=${id}&per_page=2`)).json
    expect(first.data.map(({ email }: { email: string }) => email)).toEqual([
      'three@xn--bcher-kva.example',
      'two@shop.example',
    ])
    expect(first).toMatchObject({ has_more: true, meta: { total: 3 } })
    const rest = (await ann.get(`/segments/${id}/contacts?limit=2&after=${first.data[1].id}`)).json
    expect(rest.data.map(({ email }: { email: string }) => email)).toEqual(['one@shop.example'])
    const narrowed = (await ann.get(`/contacts?segment_id=${id}&unsubscribed=true`)).json
    expect(narrowed.data).toHaveLength(1)
    for (const unknown of [newId()]) {
      expect((await ann.get(`/contacts?segment_id=${unknown}`)).json.data).toEqual([])
    }
  })
})

describe('POST /segments/count', () => {
  test('200 with the count of an unsaved segment and its newest contacts', async () => {
    const conditions = [{ field: 'property', property_id: tierId, operator: 'equals', value: 'free' }]
    const body = { match_type: 'any', filters: { groups: [{ conditions }] } }
    const reply = await ann.post('/segments/count', body)
    expect([reply.status, reply.json]).toEqual([
      200,
      { object: 'segment_count', count: 3, is_exact: true, contacts: expect.any(Array) },
    ])
    const { id } = (await ann.post('/segments', { name: 'Free', ...body })).json
    const { data } = (await ann.get(`/segments/${id}/contacts`)).json
    expect(reply.json.contacts).toEqual(data)
    expect((await ann.post('/segments/count', {})).json).toMatchObject({ count: 0, contacts: [] })
  })

  test('200 with an estimate if more contacts match than are counted', async () => {
    const many = await api.givenTeam()
    const { id: lastId } = (await many.post('/contacts', { email: 'last@many.example' })).json
    await api.db.query(
      `insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
       select team_id, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@many.example', false, created_at,
         updated_at
       from contact, generate_series(1, 11999) as n
       where team_id = $1 and id = $2`,
      [many.id, lastId],
    )
    await api.db.query("update counter set value = 12000 where team_id = $1 and name = 'contacts'", [many.id])
    const conditions = [{ field: 'email', operator: 'contains', value: '@many' }]
    const { json } = await many.post('/segments/count', { filters: { groups: [{ conditions }] } })
    expect(json).toMatchObject({ count: 12_000, is_exact: false })
    expect(json.contacts.map(({ email }: Fields) => email)).toHaveLength(5)
  })

  test('422 for conditions that a segment cannot have, at the same path', async () => {
    const filters = {
      groups: [
        { conditions: [{ field: 'property', property_id: newId(), operator: 'equals', value: 'x' }] },
        { conditions: [{ field: 'email', operator: 'is_between', value: 'x' }] },
      ],
    }
    const [counted, made] = [
      await ann.post('/segments/count', { filters }),
      await ann.post('/segments', { name: 'X', filters }),
    ]
    expect([counted.status, counted.json.errors]).toEqual([422, made.json.errors])
  })
})
