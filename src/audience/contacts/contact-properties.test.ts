import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { contactRoutes } from './contacts-routes.ts'

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: [...contactRoutes, ...propertyRoutes] })
  team = await api.givenTeam()
  await team.post('/properties', { key: 'Plan', type: 'string' })
  await team.post('/properties', { key: 'seats', type: 'number' })
  await team.post('/properties', { key: 'renewsAt', type: 'date' })
  await team.post('/properties', { key: 'constructor', type: 'string' })
})
afterAll(() => api.stop())

let counter = 0
const address = () => `contact${++counter}@x.test`

describe('properties of a contact', () => {
  const put = async (email: string, properties: object) =>
    (await team.post('/contacts', { email, properties })).json.properties

  test('200: merged ignoring case; null removes a value', async () => {
    const email = address()
    expect(await put(email, { pLAN: 'pro', SEATS: 3 })).toEqual({ PLAN: 'pro', SEATS: 3 })
    expect(await put(email, { seats: 4 })).toEqual({ PLAN: 'pro', SEATS: 4 })
    expect(await put(email, { plan: null, RenewsAt: '2026-01-31T23:30:00-01:00' })).toEqual({
      SEATS: 4,
      RENEWSAT: '2026-02-01 00:30:00',
    })
    expect(await put(email, { plan: null })).toEqual({ SEATS: 4, RENEWSAT: '2026-02-01 00:30:00' })
  })

  test.each([
    [12, 12],
    ['12', 12],
    [' -0.5 ', -0.5],
    ['1e3', 1000],
    ['.5', 0.5],
    [0.1, 0.1],
    [-0, 0],
    [1e308, 1e308],
    [5e-324, 5e-324],
    ['9007199254740993', 9007199254740992],
  ])('a number given as %j is shown as %d', async (given, shown) => {
    expect(await put(address(), { seats: given })).toEqual({ SEATS: shown })
  })

  test.each([
    ['2026-01-31', '2026-01-31 00:00:00'],
    ['2026-01-31T12:30:00Z', '2026-01-31 12:30:00'],
    ['2026-01-31 12:30:00', '2026-01-31 12:30:00'],
    ['2026-01-31T12:30:00.999+02:00', '2026-01-31 10:30:00'],
    ['1066-10-14', '1066-10-14 00:00:00'],
    ['9999-12-31T23:59:59Z', '9999-12-31 23:59:59'],
  ])('a date given as %s is shown as %s', async (given, shown) => {
    expect(await put(address(), { renewsat: given })).toEqual({ RENEWSAT: shown })
  })

  test('200: a string stays unchanged if empty, of 1000 code points, or named like an inherited member', async () => {
    const long = '𝒳'.repeat(1000)
    expect(await put(address(), { plan: long })).toEqual({ PLAN: long })
    expect(await put(address(), { plan: '' })).toEqual({ PLAN: '' })
    expect(await put(address(), { plan: '12' })).toEqual({ PLAN: '12' })
    expect(await put(address(), { constructor: 'x' })).toEqual({ CONSTRUCTOR: 'x' })
    expect(await put(address(), {})).toEqual({})
  })
})

test.each([
  [
    { email: 'a@b.test', properties: { plan: true } },
    'properties.plan',
    'The properties.plan field must be a string or a number.',
  ],
  [
    { email: 'a@b.test', properties: { plan: 5 } },
    'properties.plan',
    'The properties.plan field must be a string.',
  ],
  [
    { email: 'a@b.test', properties: { plan: 'é'.repeat(1001) } },
    'properties.plan',
    'The properties.plan field must not be greater than 1000 characters.',
  ],
  [
    { email: 'a@b.test', properties: { seats: 'many' } },
    'properties.seats',
    'The properties.seats field must be a number.',
  ],
  [
    { email: 'a@b.test', properties: { seats: '' } },
    'properties.seats',
    'The properties.seats field must be a number.',
  ],
  [
    { email: 'a@b.test', properties: { seats: '0x10' } },
    'properties.seats',
    'The properties.seats field must be a number.',
  ],
  [
    { email: 'a@b.test', properties: { seats: '1e999' } },
    'properties.seats',
    'The properties.seats field must be a number.',
  ],
  [
    { email: 'a@b.test', properties: { RENEWSAT: 'soon' } },
    'properties.RENEWSAT',
    'The properties.RENEWSAT field must be an ISO 8601 date.',
  ],
  [
    { email: 'a@b.test', properties: { renewsAt: 5 } },
    'properties.renewsAt',
    'The properties.renewsAt field must be an ISO 8601 date.',
  ],
  [
    { email: 'a@b.test', properties: { renewsAt: '2026-02-30' } },
    'properties.renewsAt',
    'The properties.renewsAt field must be an ISO 8601 date.',
  ],
  [
    { email: 'a@b.test', properties: { nothing: 'x' } },
    'properties.nothing',
    'The properties.nothing field must be a property of this account.',
  ],
  [
    { email: 'a@b.test', properties: { nothing: null } },
    'properties.nothing',
    'The properties.nothing field must be a property of this account.',
  ],
  [
    { email: 'a@b.test', properties: { toString: 'x' } },
    'properties.toString',
    'The properties.toString field must be a property of this account.',
  ],
  [
    { email: 'a@b.test', properties: { plan: 'a', PLAN: 'b' } },
    'properties.PLAN',
    'The properties.PLAN field is given twice.',
  ],
])('422 for %j, and nothing is stored', async (body, field, message) => {
  const before = (await team.get('/contacts')).json.meta.total
  const reply = await team.post('/contacts', body)
  expect(reply.status).toBe(422)
  expect(reply.json).toMatchObject({ name: 'validation_error', message, errors: { [field]: [message] } })
  expect((await team.get('/contacts')).json.meta.total).toBe(before)
})

test('422 with all problems of one contact at once', async () => {
  const reply = await team.post('/contacts', {
    email: 'x',
    properties: { seats: 'many', nope: 1, plan: 'ok' },
  })
  expect(Object.keys(reply.json.errors)).toEqual(['email', 'properties.seats', 'properties.nope'])
})

test('422 for another team’s property, as for an unknown one', async () => {
  const other = await api.givenTeam()
  await other.post('/properties', { key: 'theirs', type: 'string' })
  const reply = await team.post('/contacts', { email: address(), properties: { theirs: 'x' } })
  expect(reply.json.message).toBe('The properties.theirs field must be a property of this account.')
})
