import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { listRoutes } from '../lists/lists-routes.ts'
import { segmentRoutes } from '../segments/segments-routes.ts'
import { contactRoutes } from './contacts-routes.ts'

let api: Api
let team: GivenTeam
let listId: string

/** Oldest first. Lists show them newest first. */
const CONTACTS = [
  { email: 'ann@x.test', first_name: 'Ann', last_name: 'Smith' },
  { email: 'a_b@x.test', first_name: 'ANNA', last_name: 'Smythe', unsubscribed: true },
  { email: 'jörg@x.test', first_name: 'Émile', last_name: 'Zola' },
  { email: 'zoe@x.test', last_name: 'Annan', unsubscribed: true },
  { email: '100%@x.test', first_name: 'Mary Ann', last_name: 'Smith Jones' },
] as const

beforeAll(async () => {
  api = await startApi({ routes: [...contactRoutes, ...listRoutes, ...segmentRoutes] })
  team = await api.givenTeam()
  listId = (await team.post('/lists', { name: 'News' })).json.id
  for (const [index, contact] of CONTACTS.entries()) {
    await team.post('/contacts', { ...contact, list_ids: index % 2 === 0 ? [listId] : [] })
  }
  const other = await api.givenTeam()
  await other.post('/contacts', { email: 'ann@other.test', first_name: 'Ann' })
})
afterAll(() => api.stop())

async function found(query: string): Promise<string[]> {
  const { json, status } = await team.get(`/contacts?${query}`)
  expect(status).toBe(200)
  expect(json.meta.total).toBe(json.data.length)
  return json.data.map((contact: { email: string }) => contact.email)
}

test.each([
  ['', ['100%@x.test', 'zoe@x.test', 'jörg@x.test', 'a_b@x.test', 'ann@x.test']],
  ['email=ANN@x.test', ['ann@x.test']],
  ['email=J%C3%96RG@x.test', ['jörg@x.test']],
  ['email=ann', []],
  ['email=none@x.test', []],
  ['email=ann@other.test', []],
  ['unsubscribed=true', ['zoe@x.test', 'a_b@x.test']],
  ['unsubscribed=false', ['100%@x.test', 'jörg@x.test', 'ann@x.test']],
  ['q=ann', ['zoe@x.test', 'a_b@x.test', 'ann@x.test']],
  ['q=ANNA', ['zoe@x.test', 'a_b@x.test']],
  ['q=ann%20sm', ['ann@x.test']],
  ['q=ann+Smith', ['ann@x.test']],
  ['q=mary+ann+smith+j', ['100%@x.test']],
  ['q=mary+ann', ['100%@x.test']],
  ['q=smith', ['100%@x.test', 'ann@x.test']],
  ['q=%C3%A9mile+Z', ['jörg@x.test']],
  ['q=%C3%89M', ['jörg@x.test']],
  ['q=A_', ['a_b@x.test']],
  ['q=100%25', ['100%@x.test']],
  ['q=%25', []],
  ['q=_', []],
  ['q=%5C', []],
  ['q=test', []],
  ['q=', ['100%@x.test', 'zoe@x.test', 'jörg@x.test', 'a_b@x.test', 'ann@x.test']],
  ['q=ann&unsubscribed=true', ['zoe@x.test', 'a_b@x.test']],
  ['q=ann&unsubscribed=false', ['ann@x.test']],
])('200 for GET /contacts?%s', async (query, emails) => {
  expect(await found(query)).toEqual(emails)
})

test('200 for list_id, alone and with others; empty for an unknown list', async () => {
  expect(await found(`list_id=${listId}`)).toEqual(['100%@x.test', 'jörg@x.test', 'ann@x.test'])
  expect(await found(`list_id=${listId.toUpperCase()}&q=ann`)).toEqual(['ann@x.test'])
  expect(await found(`list_id=${newId()}`)).toEqual([])
})

test('200 for segment_id, alone and with others; empty for an unknown or foreign segment', async () => {
  const body = {
    name: 'Smiths',
    match_type: 'all',
    filters: {
      groups: [
        {
          match_type: 'all',
          conditions: [{ field: 'last_name', type: 'string', operator: 'starts_with', value: 'smi' }],
        },
      ],
    },
  }
  const { id } = (await team.post('/segments', body)).json
  expect(await found(`segment_id=${id}`)).toEqual(['100%@x.test', 'ann@x.test'])
  expect(await found(`segment_id=${id.toUpperCase()}&list_id=${listId}&q=mary`)).toEqual(['100%@x.test'])
  expect(await found(`segment_id=${newId()}`)).toEqual([])
  const other = await api.givenTeam()
  const theirs = (await other.post('/segments', body)).json.id
  expect(await found(`segment_id=${theirs}`)).toEqual([])
})

test.each([
  ['list_id=x', 'list_id', 'The list_id field must be a valid UUID.'],
  ['segment_id=x', 'segment_id', 'The segment_id field must be a valid UUID.'],
  ['unsubscribed=maybe', 'unsubscribed', 'The unsubscribed field must be true or false.'],
  [`q=${'x'.repeat(256)}`, 'q', 'The q field must not be greater than 255 characters.'],
  ['q=%00', 'q', 'The q field must not contain the character U+0000.'],
])('422 for GET /contacts?%s', async (query, field, message) => {
  const reply = await team.get(`/contacts?${query}`)
  expect(reply.status).toBe(422)
  expect(reply.json.errors).toEqual({ [field]: [message] })
})

describe('thousands of contacts', () => {
  const COUNT = 12_000
  let big: GivenTeam

  beforeAll(async () => {
    big = await api.givenTeam()
    // The oldest 10,500 are named `old`, ten of the others `rare`: more than walking and gathering reach.
    await api.db.query(
      `insert into contact (team_id, id, email, first_name, unsubscribed, created_at, updated_at)
       select $1, ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'c' || n || '@x.test',
         case when n < 10500 then 'Old' when n % 150 = 0 then 'Rare' else 'New' end, n % 2 = 0, now(), now()
       from generate_series(0, ${COUNT - 1}) n`,
      [big.id],
    )
    // As autovacuum would: without statistics, a search may reach its time limit on a busy machine, and estimate the total.
    await api.db.query('analyze contact')
  })

  const numbersOf = (json: { data: { email: string }[] }) =>
    json.data.map(({ email }) => Number(/\d+/.exec(email)?.[0]))
  const oldest = (count: number) => Array.from({ length: count }, (_, index) => 10_499 - index)
  const rare = [11_850, 11_700, 11_550, 11_400, 11_250, 11_100, 10_950, 10_800, 10_650, 10_500]

  test('200 with the newest first, however far back and however many', async () => {
    const many = (await big.get('/contacts?q=old&per_page=5')).json
    expect(numbersOf(many)).toEqual(oldest(5))
    expect(many).toMatchObject({ has_more: true, meta: { total: 10_000 } })
    const few = (await big.get('/contacts?q=rare')).json
    expect(numbersOf(few)).toEqual(rare)
    expect(few).toMatchObject({ has_more: false, meta: { total: 10 } })
    const half = (await big.get('/contacts?unsubscribed=true&per_page=3')).json
    expect(numbersOf(half)).toEqual([11_998, 11_996, 11_994])
  })

  test('200 page by page, by number and by id, in both directions', async () => {
    const second = (await big.get('/contacts?q=rare&per_page=4&page=2')).json
    expect(numbersOf(second)).toEqual(rare.slice(4, 8))
    const after = (await big.get(`/contacts?q=rare&limit=4&after=${second.data.at(-1).id}`)).json
    expect(numbersOf(after)).toEqual(rare.slice(8))
    expect(after.has_more).toBe(false)
    const before = (await big.get(`/contacts?q=rare&limit=3&before=${second.data[0].id}`)).json
    expect(numbersOf(before)).toEqual(rare.slice(1, 4))
    expect(before.has_more).toBe(true)
    const deep = (await big.get('/contacts?q=old&per_page=100&page=60')).json
    expect(numbersOf(deep)[0]).toBe(10_499 - 5900)
    const past = (await big.get('/contacts?q=rare&page=2')).json
    expect(past).toMatchObject({ data: [], has_more: false, meta: { total: 10 } })
  })
})
