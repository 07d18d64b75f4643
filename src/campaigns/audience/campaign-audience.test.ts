import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { made as madeBy } from '../../../test/support/client.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { listRoutes } from '../../audience/lists/lists-routes.ts'
import { segmentRoutes } from '../../audience/segments/segments-routes.ts'
import { domainRoutes } from '../../domains/routes/domains-routes.ts'
import { senderRoutes } from '../../domains/routes/senders-routes.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { campaignRoutes } from '../campaigns-routes.ts'
import { startDue } from '../sending/start-campaign.ts'

type Fields = Record<string, unknown>

let api: Api
let ann: GivenTeam
let bob: GivenTeam
let senderId: string

beforeAll(async () => {
  const routes = [...domainRoutes, ...senderRoutes, ...listRoutes, ...segmentRoutes, ...campaignRoutes]
  api = await startApi({ routes, deps: { secret: randomBytes(32) } })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
  const domainId = await made('/domains', { name: 'ann.example' })
  senderId = await made('/senders', { name: 'Ann', username: 'ann', domain_id: domainId })
})
afterAll(() => api.stop())

const made = (path: string, body: Fields, team = ann) => madeBy(team, path, body)

const list = () => made('/lists', { name: 'L' })
const segment = () => made('/segments', { name: 'S' })
const segmentOn = (listId: string, operator = 'in') => {
  const conditions = [{ field: 'list', type: 'list', operator, value: listId }]
  return made('/segments', { name: 'S', filters: { groups: [{ match_type: 'all', conditions }] } })
}
const ready = (fields: Fields = {}) => ({
  name: 'Spring',
  sender_id: senderId,
  subject: 'Hello',
  html: '<p>Hello</p>',
  scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  ...fields,
})

async function given(fields: Fields = {}) {
  const reply = await ann.post('/campaigns', ready(fields))
  expect(reply.status, reply.text).toBe(201)
  return reply.json
}

async function errorsOf(fields: Fields) {
  const reply = await ann.post('/campaigns', ready(fields))
  expect(reply.status, reply.text).toBe(422)
  return reply.json.errors
}

describe('audience', () => {
  test('200 as given, each item once, in order, with ids in lower case', async () => {
    const [a, b, s, x] = [await list(), await list(), await segment(), await segment()]
    const include = [{ list_id: a.toUpperCase() }, { segment_id: s }, { list_id: b }, { list_id: a }]
    const campaign = await given({ audience: { include, exclude: [{ segment_id: x }] }, status: 'scheduled' })
    expect(campaign).toMatchObject({
      list_id: null,
      segment_id: null,
      status: 'scheduled',
      audience: {
        include: [{ list_id: a }, { segment_id: s }, { list_id: b }],
        exclude: [{ segment_id: x }],
      },
    })
    expect((await ann.get(`/campaigns/${campaign.id}`)).json).toEqual(campaign)
    const { id, audience } = campaign
    expect((await ann.get('/campaigns')).json.data).toContainEqual(expect.objectContaining({ id, audience }))
  })

  test('200 in the short form, which replaces what is included and keeps what is excluded', async () => {
    const [a, b, s] = [await list(), await list(), await segment()]
    const { id, audience } = await given({ list_id: a })
    expect(audience).toEqual({ include: [{ list_id: a }], exclude: [] })
    const change = async (fields: Fields) => (await ann.patch(`/campaigns/${id}`, fields)).json
    const exclude = [{ list_id: b }]
    expect(await change({ audience: { exclude } })).toMatchObject({
      list_id: a,
      segment_id: null,
      audience: { include: [{ list_id: a }], exclude },
    })
    expect(await change({ list_id: null, segment_id: s })).toMatchObject({
      list_id: null,
      segment_id: s,
      audience: { include: [{ segment_id: s }], exclude },
    })
    const several = { include: [{ list_id: a }, { segment_id: s }] }
    await change({ audience: several })
    expect(await change({ list_id: null, segment_id: null, name: 'New' })).toMatchObject({
      name: 'New',
      list_id: null,
      segment_id: null,
      audience: { ...several, exclude },
    })
    expect(await change({ list_id: b })).toMatchObject({ list_id: b, audience: { exclude } })
    expect(await change({ audience: null })).toMatchObject({ audience: { include: [], exclude: [] } })
  })

  test('422 for both forms, an item of neither kind or both, unknown ids, and too many items', async () => {
    const [a, s] = [await list(), await segment()]
    expect(await errorsOf({ list_id: a, audience: { include: [{ segment_id: s }] } })).toEqual({
      audience: ['The audience field must not be combined with list_id or segment_id.'],
    })
    const include = [{ list_id: a }, {}, { list_id: a, segment_id: s }]
    expect(await errorsOf({ audience: { include } })).toEqual({
      'audience.include.1': ['The audience.include.1 field needs either list_id or segment_id.'],
      'audience.include.2': ['The audience.include.2 field needs either list_id or segment_id.'],
    })
    const foreign = await made('/lists', { name: 'L' }, bob)
    const unknown = { include: [{ list_id: a }, { list_id: foreign }], exclude: [{ segment_id: newId() }] }
    expect(await errorsOf({ audience: unknown })).toEqual({
      'audience.include.1.list_id': [
        'The audience.include.1.list_id field must be the id of a list of this account.',
      ],
      'audience.exclude.0.segment_id': [
        'The audience.exclude.0.segment_id field must be the id of a segment of this account.',
      ],
    })
    const many = Array.from({ length: 21 }, () => ({ list_id: a }))
    expect(Object.keys(await errorsOf({ audience: { include: many } }))).toEqual(['audience.include'])
    expect(await errorsOf({ audience: { exclude: [{ list_id: a }] }, status: 'scheduled' })).toEqual({
      segment_id: ['The segment_id field is required when list_id and audience.include are not present.'],
    })
  })
})

describe('deletion', () => {
  const setStatus = (id: string, status: string) =>
    api.db.query(
      `update campaign
       set status = $2, paused_reason = case when $2::text = 'paused' then 'user' end
       where id = $1`,
      [id, status],
    )
  const kept = (kind: string) =>
    `A campaign leaves out the contacts of this ${kind}, so it cannot be deleted.`

  test.each(['draft', 'paused'])('409 for what a campaign excludes that is %s', async (status) => {
    const [a, x, s] = [await list(), await list(), await segment()]
    const exclude = [{ list_id: x }, { segment_id: s }]
    const { id } = await given({ audience: { include: [{ list_id: a }], exclude } })
    await setStatus(id, status)
    expect((await ann.delete(`/lists/${x}`)).json).toMatchObject({ statusCode: 409, message: kept('list') })
    expect((await ann.delete(`/segments/${s}`)).json).toMatchObject({
      statusCode: 409,
      message: kept('segment'),
    })
    await setStatus(id, 'sent')
    expect((await ann.delete(`/lists/${x}`)).status).toBe(200)
    expect((await ann.delete(`/segments/${s}`)).status).toBe(200)
  })

  test.each(['scheduled', 'sending'])('409 for all that a campaign names that is %s', async (status) => {
    const [a, x] = [await list(), await list()]
    const { id } = await given({ audience: { include: [{ list_id: a }], exclude: [{ list_id: x }] } })
    await setStatus(id, status)
    for (const each of [a, x]) {
      const reply = await ann.delete(`/lists/${each}`)
      expect([reply.status, reply.json.message]).toEqual([
        409,
        'This list is used by active campaigns and cannot be deleted.',
      ])
    }
  })

  test('409 for a list that an excluded segment tests', async () => {
    const [a, x] = [await list(), await list()]
    const s = await segmentOn(x)
    await given({ audience: { include: [{ list_id: a }], exclude: [{ segment_id: s }] } })
    expect((await ann.delete(`/lists/${x}`)).json).toMatchObject({ statusCode: 409, message: kept('list') })
  })

  test('a draft loses an inclusion that is deleted, and keeps the others', async () => {
    const [a, b] = [await list(), await list()]
    const { id } = await given({ audience: { include: [{ list_id: a }, { list_id: b }] } })
    expect((await ann.delete(`/lists/${a}`)).status).toBe(200)
    expect((await ann.get(`/campaigns/${id}`)).json).toMatchObject({
      list_id: b,
      audience: { include: [{ list_id: b }] },
    })
  })

  test('422, and not started at its time, once an exclusion was deleted while it was canceled', async () => {
    const [a, x] = [await list(), await list()]
    const exclude = [{ list_id: x }]
    const { id } = await given({ audience: { include: [{ list_id: a }], exclude }, status: 'canceled' })
    expect((await ann.delete(`/lists/${x}`)).status).toBe(200)
    expect((await ann.patch(`/campaigns/${id}`, { status: 'draft' })).json.audience.exclude).toEqual(exclude)
    for (const status of ['scheduled', 'sending']) {
      const reply = await ann.patch(`/campaigns/${id}`, { status })
      expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ['audience.exclude.0']])
    }
    await setStatus(id, 'scheduled')
    await api.db.query("update campaign set scheduled_at = now() - interval '1 minute' where team_id = $1", [
      ann.id,
    ])
    await startDue({ db: api.db, log: createLog('silent') }, new Date())
    expect((await ann.get(`/campaigns/${id}`)).json).toMatchObject({
      status: 'paused',
      paused_reason: 'errors',
      started_at: null,
    })
    const mended = await ann.patch(`/campaigns/${id}`, { audience: { exclude: [] }, status: 'sending' })
    expect(mended.json).toMatchObject({ status: 'sending', audience: { exclude: [] } })
  })

  test('422 for an excluded segment that tests a deleted list', async () => {
    const [a, x] = [await list(), await list()]
    const s = await segmentOn(x)
    expect((await ann.delete(`/lists/${x}`)).status).toBe(200)
    const audience = { include: [{ list_id: a }], exclude: [{ segment_id: s }] }
    expect(Object.keys(await errorsOf({ audience, status: 'scheduled' }))).toEqual(['audience.exclude.0'])
  })

  test('409 for a list in the conditions of a segment as of the start, while the audience is being read', async () => {
    const [a, x] = [await list(), await list()]
    const s = await segmentOn(x)
    const { id } = await given({ audience: { include: [{ list_id: a }], exclude: [{ segment_id: s }] } })
    expect((await ann.patch(`/campaigns/${id}`, { status: 'sending' })).status).toBe(200)
    await ann.patch(`/segments/${s}`, { filters: { groups: [] } })
    expect((await ann.delete(`/lists/${x}`)).status).toBe(409)
    await api.db.query('update campaign set audience_done = true where id = $1', [id])
    expect((await ann.delete(`/lists/${x}`)).status).toBe(200)
  })

  test('a campaign scheduled while an exclusion is deleted has it, or is rejected', async () => {
    const a = await list()
    for (let round = 0; round < 8; round++) {
      const x = await list()
      const audience = { include: [{ list_id: a }], exclude: [{ list_id: x }] }
      const [created, deleted] = await Promise.all([
        ann.post('/campaigns', ready({ audience, status: 'scheduled' })),
        ann.delete(`/lists/${x}`),
      ])
      expect(`${created.status} ${deleted.status}`).toMatch(/^(201 409|422 200)$/)
    }
  })
})
