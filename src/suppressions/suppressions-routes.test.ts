import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { newId } from '../lib/ids.ts'
import { suppressionRoutes } from './suppressions-routes.ts'

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: suppressionRoutes })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

const eventsOf = (id: string) =>
  api.db.query<{ type: string; data: object }>(
    'select type, data from event where team_id = $1 and subject_id = $2 order by id',
    [team.id, id],
  )

describe('POST /suppressions', () => {
  test('201 the first time, 200 with the same entry after that', async () => {
    const first = await team.post('/suppressions', { email: 'Ann@Example.TEST' })
    expect(first.status).toBe(201)
    expect(first.json).toMatchObject({ email: 'ann@example.test', reason: 'manual' })
    const again = await team.post('/suppressions', { email: 'ann@example.test' })
    expect(again.status).toBe(200)
    expect(again.json).toEqual(first.json)
    expect(await eventsOf(first.json.id)).toEqual([
      {
        type: 'suppression.added',
        data: { id: first.json.id, email: 'ann@example.test', reason: 'manual', source_email_id: null },
      },
    ])
  })

  test('200 for the same address in another spelling', async () => {
    const { id } = (await team.post('/suppressions', { email: 'jörg@bücher.test' })).json
    for (const email of [
      'JÖRG@BÜCHER.TEST',
      'jörg@xn--bcher-kva.test',
      '"jörg"@bücher.test',
      ' jörg@bücher.test ',
    ]) {
      expect((await team.post('/suppressions', { email })).json.id, email).toBe(id)
    }
  })

  test('201 once for the same address 50 times in parallel, counted once', async () => {
    const fresh = await api.givenTeam()
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => fresh.post('/suppressions', { email: 'same@x.test' })),
    )
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(49)
    expect(new Set(replies.map((reply) => reply.json.id)).size).toBe(1)
    expect((await fresh.get('/suppressions')).json.meta.total).toBe(1)
  })

  test.each([
    [{}, 'The email field is required.'],
    [{ email: null }, 'The email field is required.'],
    [{ email: '' }, 'The email field is required.'],
    [{ email: 1 }, 'The email field must be a string.'],
    [{ email: ['a@b.test'] }, 'The email field must be a string.'],
    [{ email: `${'x'.repeat(248)}@x.test` }, 'The email field must not be greater than 254 characters.'],
    [{ email: 'Ann <ann@x.test>' }, 'The email field must be a valid email address.'],
    [{ email: 'nobody' }, 'The email field must be a valid email address.'],
    [{ email: 'a@b' }, 'The email field must be a valid email address.'],
    [{ email: 'a@b.test\r\nX: y' }, 'The email field must be a valid email address.'],
    [{ email: 'a\u0000@b.test' }, 'The email field must not contain the character U+0000.'],
  ])('422 for %j', async (body, message) => {
    const reply = await team.post('/suppressions', body)
    expect(reply.status).toBe(422)
    expect(reply.json).toMatchObject({ name: 'validation_error', message, errors: { email: [message] } })
  })
})

test('200 by id and by address in any spelling', async () => {
  const { id } = (await team.post('/suppressions', { email: 'find+me@example.test' })).json
  for (const path of [
    id,
    id.toUpperCase(),
    'find%2Bme%40example.test',
    'FIND%2bME@example.test',
    'find+me@example.test',
  ]) {
    expect((await team.get(`/suppressions/${path}`)).json.id, path).toBe(id)
  }
})

test('200 on removal, by address too; then 404, and the address can be added again', async () => {
  const { id } = (await team.post('/suppressions', { email: 'gone@example.test' })).json
  expect((await team.delete('/suppressions/gone@example.test')).json).toEqual({
    object: 'suppression',
    id,
    deleted: true,
  })
  expect((await team.get(`/suppressions/${id}`)).status).toBe(404)
  expect((await team.delete(`/suppressions/${id}`)).status).toBe(404)
  expect((await eventsOf(id)).map((event) => event.type)).toEqual([
    'suppression.added',
    'suppression.removed',
  ])
  const again = await team.post('/suppressions', { email: 'gone@example.test' })
  expect(again.status).toBe(201)
  expect(again.json.id).not.toBe(id)
})

test("404 with the same bytes for another team's entry, by id and by address; it stays", async () => {
  const other = await api.givenTeam()
  const { id } = (await other.post('/suppressions', { email: 'theirs@example.test' })).json
  for (const path of [id, 'theirs@example.test', newId(), 'x', '%00', 'a%00@b.test']) {
    for (const verb of ['get', 'delete'] as const) {
      const reply = await team[verb](`/suppressions/${path}`)
      expect(reply.text).toBe('{"statusCode":404,"name":"not_found","message":"Not found."}')
    }
  }
  expect((await other.get(`/suppressions/${id}`)).status).toBe(200)
  expect((await team.get('/suppressions')).text).not.toContain('theirs@')
})

test('200 in pages with a total that follows additions and removals', async () => {
  const fresh = await api.givenTeam()
  for (const name of ['a', 'b', 'c']) await fresh.post('/suppressions', { email: `${name}@x.test` })
  await fresh.delete('/suppressions/b@x.test')
  const list = await fresh.get('/suppressions')
  expect(list.json.data.map((entry: { email: string }) => entry.email)).toEqual(['c@x.test', 'a@x.test'])
  expect(list.json.meta).toMatchObject({ total: 2, from: 1, to: 2, last_page: 1 })
})
