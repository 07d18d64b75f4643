import { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { newId } from '../lib/ids.ts'
import { suppressionRoutes } from './suppressions-routes.ts'

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: suppressionRoutes })
})
beforeAll(async () => {
  team = await api.givenTeam()
})
afterAll(() => api.stop())

const emailsOf = (reply: { json: { data: { email: string }[] } }) => reply.json.data.map(({ email }) => email)
const totalOf = async (of: GivenTeam, query = '') =>
  (await of.get(`/suppressions${query}`)).json.meta.total as number

describe('POST /suppressions/batch/add', () => {
  test('201 with an entry for each address, in order; 200 with the same entries if all existed', async () => {
    const fresh = await api.givenTeam()
    const emails = ['Zoe@X.test', 'ann@x.test', 'zoe@x.test', 'BOB@x.test']
    const first = await fresh.post('/suppressions/batch/add', { emails })
    expect(first.status).toBe(201)
    expect(first.json.object).toBe('list')
    expect(emailsOf(first)).toEqual(['zoe@x.test', 'ann@x.test', 'zoe@x.test', 'bob@x.test'])
    expect(first.json.data[0]).toEqual(first.json.data[2])
    const again = await fresh.post('/suppressions/batch/add', { emails })
    expect(again.status).toBe(200)
    expect(again.json).toEqual(first.json)
    expect(await totalOf(fresh)).toBe(3)
    const events = await api.db.query('select 1 from event where team_id = $1', [fresh.id])
    expect(events).toHaveLength(3)
  })

  test('201 for 1,000 addresses, 422 for one more', async () => {
    const fresh = await api.givenTeam()
    const emails = Array.from({ length: 1_001 }, (_, index) => `p${index}@x.test`)
    const tooMany = await fresh.post('/suppressions/batch/add', { emails })
    expect(tooMany.status).toBe(422)
    expect(tooMany.json.message).toBe('The emails field must not have more than 1000 items.')
    expect((await fresh.post('/suppressions/batch/add', { emails: emails.slice(1) })).status).toBe(201)
    expect(await totalOf(fresh)).toBe(1_000)
  })

  test('422 naming each invalid address, and nothing is written', async () => {
    const fresh = await api.givenTeam()
    const reply = await fresh.post('/suppressions/batch/add', { emails: ['a@x.test', 'b', 'c@x.test', 'd@'] })
    expect(reply.status).toBe(422)
    expect(reply.json.errors).toEqual({
      'emails.1': ['The emails.1 field must be a valid email address.'],
      'emails.3': ['The emails.3 field must be a valid email address.'],
    })
    expect(await totalOf(fresh)).toBe(0)
  })

  test.each([
    [{}, 'emails', 'The emails field is required.'],
    [{ emails: [] }, 'emails', 'The emails field must have at least 1 item.'],
    [{ emails: 'a@x.test' }, 'emails', 'The emails field must be an array.'],
    [{ emails: ['a@x.test', 1] }, 'emails.1', 'The emails.1 field must be a string.'],
  ])('422 for %j', async (body, field, message) => {
    const reply = await team.post('/suppressions/batch/add', body)
    expect(reply.status).toBe(422)
    expect(reply.json.errors).toEqual({ [field]: [message] })
  })

  test('200 and 201 only, for twenty overlapping batches in opposite orders beside single additions and removals', async () => {
    const fresh = await api.givenTeam()
    const emails = Array.from({ length: 60 }, (_, index) => `race${index}@x.test`)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => [
        fresh.post('/suppressions/batch/add', { emails: index % 2 === 0 ? emails : emails.toReversed() }),
        fresh.post('/suppressions', { email: emails[index * 3] }),
        fresh.post('/suppressions/batch/remove', { emails: emails.slice(index, index + 9).toReversed() }),
      ]).flat(),
    )
    expect(replies.filter((reply) => ![200, 201].includes(reply.status)).map((reply) => reply.text)).toEqual(
      [],
    )
    const rows = await api.db.query('select 1 from suppression where team_id = $1', [fresh.id])
    expect(await totalOf(fresh)).toBe(rows.length)
    expect(await totalOf(fresh, '?reason=manual')).toBe(rows.length)
  })
})

describe('POST /suppressions/batch/remove', () => {
  test('200 with the removed entries, by address and by id; others are ignored', async () => {
    const fresh = await api.givenTeam()
    const added = await fresh.post('/suppressions/batch/add', {
      emails: ['a@x.test', 'b@x.test', 'c@x.test'],
    })
    const [a, b] = added.json.data
    const byAddress = await fresh.post('/suppressions/batch/remove', { emails: ['none@x.test', 'A@x.test'] })
    expect(byAddress.status).toBe(200)
    expect(byAddress.json).toEqual({
      object: 'list',
      data: [{ object: 'suppression', id: a.id, email: 'a@x.test', deleted: true }],
    })
    const byId = await fresh.post('/suppressions/batch/remove', { ids: [newId(), b.id.toUpperCase()] })
    expect(emailsOf(byId)).toEqual(['b@x.test'])
    expect(await totalOf(fresh)).toBe(1)
    const none = await fresh.post('/suppressions/batch/remove', { ids: [b.id] })
    expect(none.json).toEqual({ object: 'list', data: [] })
  })

  test("200 with the same bytes for another team's ids and addresses, which stay", async () => {
    const other = await api.givenTeam()
    const theirs = (await other.post('/suppressions', { email: 'theirs@x.test' })).json
    for (const body of [{ ids: [theirs.id] }, { ids: [newId()] }, { emails: ['theirs@x.test'] }]) {
      expect((await team.post('/suppressions/batch/remove', body)).text).toBe('{"object":"list","data":[]}')
    }
    expect((await other.get(`/suppressions/${theirs.id}`)).status).toBe(200)
  })

  test.each([
    [{}, 'emails', 'The emails field is required.'],
    [{ ids: ['x'] }, 'ids.0', 'The ids.0 field must be a valid UUID.'],
    [{ emails: ['x'] }, 'emails.0', 'The emails.0 field must be a valid email address.'],
    [{ emails: ['a@x.test'], ids: [newId()] }, 'ids', 'The ids field must not be combined with emails.'],
  ])('422 for %j', async (body, field, message) => {
    const reply = await team.post('/suppressions/batch/remove', body)
    expect(reply.status).toBe(422)
    expect(reply.json.errors).toEqual({ [field]: [message] })
  })
})

describe('PUT and PATCH /suppressions/{id}', () => {
  test('200 with another reason, or none, and updated counts', async () => {
    const fresh = await api.givenTeam()
    const { id } = (await fresh.post('/suppressions', { email: 'a@x.test' })).json
    const changed = await fresh.patch('/suppressions/A@x.test', { reason: 'complaint' })
    expect(changed.status).toBe(200)
    expect(changed.json).toMatchObject({ id, reason: 'complaint', origin: 'complaint' })
    expect(await totalOf(fresh, '?reason=complaint')).toBe(1)
    expect(await totalOf(fresh, '?reason=manual')).toBe(0)
    expect((await fresh.put(`/suppressions/${id}`, { reason: null })).json.reason).toBeNull()
    expect((await fresh.put(`/suppressions/${id}`, {})).json.reason).toBeNull()
    expect(await totalOf(fresh)).toBe(1)
    await fresh.delete(`/suppressions/${id}`)
    expect([await totalOf(fresh), await totalOf(fresh, '?reason=complaint')]).toEqual([0, 0])
  })

  test('422 for an invalid reason, 404 for an unknown entry', async () => {
    const { id } = (await team.post('/suppressions', { email: 'b@x.test' })).json
    const reply = await team.put(`/suppressions/${id}`, { reason: 'dislike' })
    expect(reply.status).toBe(422)
    const other = await api.givenTeam()
    for (const path of [newId(), 'none@x.test', id]) {
      const missing = await other.put(`/suppressions/${path}`, { reason: 'bounce' })
      expect(missing.text).toBe('{"statusCode":404,"name":"not_found","message":"Not found."}')
    }
  })
})

test('200 with matching entries: by reason, by address, by prefix, in pages', async () => {
  const fresh = await api.givenTeam()
  const emails = ['ab@x.test', 'a%b@x.test', 'a_b@x.test', 'ä@x.test', 'b@x.test', 'A\u{10ffff}@x.test']
  await fresh.post('/suppressions/batch/add', { emails })
  await fresh.patch('/suppressions/ab@x.test', { reason: 'bounce' })
  const list = async (query: string) => emailsOf(await fresh.get(`/suppressions?${query}`))
  expect(await list('reason=bounce')).toEqual(['ab@x.test'])
  expect(await list('origin=bounce')).toEqual(['ab@x.test'])
  expect(await list('email=B@X.test')).toEqual(['b@x.test'])
  expect(await list('email=nobody')).toEqual([])
  expect(await list('q=A')).toEqual(['a%b@x.test', 'a_b@x.test', 'ab@x.test', 'a\u{10ffff}@x.test'])
  expect(await list('q=a%25')).toEqual(['a%b@x.test'])
  expect(await list('q=a&reason=bounce')).toEqual(['ab@x.test'])
  expect(await list(`q=${encodeURIComponent('Ä')}`)).toEqual(['ä@x.test'])
  const first = await fresh.get('/suppressions?q=a&limit=2')
  expect(first.json).toMatchObject({ has_more: true, meta: { total: 4 } })
  const after = await fresh.get(`/suppressions?q=a&limit=2&after=${first.json.data[1].id}`)
  expect(emailsOf(after)).toEqual(['ab@x.test', 'a\u{10ffff}@x.test'])
  expect(after.json.has_more).toBe(false)
  const before = await fresh.get(`/suppressions?q=a&limit=2&before=${after.json.data[0].id}`)
  expect(emailsOf(before)).toEqual(emailsOf(first))
  expect((await fresh.get('/suppressions?reason=none')).status).toBe(422)
})

test('200 with the rest of a list by prefix after an entry that was removed meanwhile', async () => {
  const fresh = await api.givenTeam()
  await fresh.post('/suppressions/batch/add', {
    emails: ['a1@x.test', 'a2@x.test', 'a3@x.test', 'a4@x.test'],
  })
  const first = await fresh.get('/suppressions?q=a&limit=2')
  const [{ id: before }, { id: after }] = first.json.data
  await fresh.post('/suppressions/batch/remove', { ids: [before, after] })
  const rest = ['a3@x.test', 'a4@x.test']
  expect(emailsOf(await fresh.get(`/suppressions?q=a&limit=2&after=${after}`))).toEqual(rest)
  expect(emailsOf(await fresh.get(`/suppressions?q=a&after=${before}`))).toEqual(rest)
  expect(emailsOf(await fresh.get(`/suppressions?q=a&before=${after}`))).toEqual([])
  const other = await api.givenTeam()
  await other.post('/suppressions', { email: 'a9@x.test' })
  expect(emailsOf(await other.get(`/suppressions?q=a&after=${after}`))).toEqual([])
})

test('every call of the Resend SDK gets the expected response', async () => {
  const fresh = await api.givenTeam()
  const { suppressions } = new Resend(fresh.token, { baseUrl: api.url })
  const added = await suppressions.add({ email: 'a@x.test' })
  expect(added.data).toMatchObject({ object: 'suppression', id: expect.any(String) })
  const batch = await suppressions.batch.add({ emails: ['b@x.test', 'c@x.test'] })
  expect(batch.data?.data).toHaveLength(2)
  const listed = await suppressions.list({ origin: 'manual', limit: 2 })
  expect(listed.data).toMatchObject({ object: 'list', has_more: true })
  expect(listed.data?.data[0]).toMatchObject({ email: 'c@x.test', origin: 'manual', source_id: null })
  expect((await suppressions.get('a@x.test')).data).toMatchObject({ id: added.data?.id, origin: 'manual' })
  const ids = batch.data?.data.map(({ id }) => id) ?? []
  expect((await suppressions.batch.remove({ ids })).data?.data).toHaveLength(2)
  expect((await suppressions.remove(added.data?.id ?? '')).data).toMatchObject({ deleted: true })
})
