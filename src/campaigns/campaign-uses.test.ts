import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import { made as madeBy } from '../../test/support/client.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { segmentRoutes } from '../audience/segments/segments-routes.ts'
import { domainRoutes } from '../domains/routes/domains-routes.ts'
import { senderRoutes } from '../domains/routes/senders-routes.ts'
import { templateRoutes } from '../templates/templates-routes.ts'
import { campaignRoutes } from './campaigns-routes.ts'

const HOUR_MS = 3_600_000

type Fields = Record<string, unknown>

let api: Api
let ann: GivenTeam
let domainId: string
let senderId: string
let segmentId: string

beforeAll(async () => {
  api = await startApi({
    routes: [...domainRoutes, ...senderRoutes, ...templateRoutes, ...segmentRoutes, ...campaignRoutes],
    deps: { secret: randomBytes(32) },
  })
  ann = await api.givenTeam()
  domainId = await made('/domains', { name: 'ann.example' })
  senderId = await givenSender()
  segmentId = await made('/segments', { name: 'S' })
})
afterAll(() => api.stop())
const made = (path: string, body: Fields) => madeBy(ann, path, body)

let counter = 0
const givenSender = () => made('/senders', { name: 'Ann', username: `ann${++counter}`, domain_id: domainId })
/** Returns the fields of a campaign that may be scheduled. */
const ready = (fields: Fields = {}) => ({
  name: 'Spring',
  sender_id: senderId,
  subject: 'Hello',
  html: '<p>Hello</p>',
  segment_id: segmentId,
  status: 'scheduled',
  scheduled_at: new Date(Date.now() + HOUR_MS).toISOString(),
  ...fields,
})

async function givenCampaign(fields: Fields = {}) {
  const reply = await ann.post('/campaigns', { name: 'Spring', ...fields })
  expect(reply.status, reply.text).toBe(201)
  return reply.json
}

async function setStatus(id: string, status: string) {
  await api.db.query('update campaign set status = $2 where id = $1', [id, status])
}

describe('used objects', () => {
  test.each(['draft', 'scheduled', 'canceled', 'sending', 'sent'])(
    '409 for DELETE of the sender of a campaign that is %s, 200 once it is gone',
    async (status) => {
      const usedId = await givenSender()
      const { id } = await givenCampaign(ready({ sender_id: usedId }))
      await setStatus(id, status)
      const reply = await ann.delete(`/senders/${usedId}`)
      expect(reply.status).toBe(409)
      expect(reply.json).toEqual({
        statusCode: 409,
        name: 'conflict',
        message: 'This sender is used by campaigns and cannot be deleted.',
      })
      await setStatus(id, 'draft')
      await ann.delete(`/campaigns/${id}`)
      expect((await ann.delete(`/senders/${usedId}`)).status).toBe(200)
    },
  )

  test('409 for a sender of campaigns and templates names campaigns first', async () => {
    const usedId = await givenSender()
    await made('/templates', { name: 'T', sender_id: usedId, subject: 'S', text_content: 'T' })
    expect((await ann.delete(`/senders/${usedId}`)).json.message).toBe(
      'This sender is used by templates and cannot be deleted.',
    )
    await givenCampaign({ sender_id: usedId })
    expect((await ann.delete(`/senders/${usedId}`)).json.message).toBe(
      'This sender is used by campaigns and cannot be deleted.',
    )
  })

  test.each(['scheduled', 'sending'])(
    '409 for DELETE of the segment of a campaign that is %s',
    async (status) => {
      const usedId = await made('/segments', { name: 'S' })
      const { id } = await givenCampaign(ready({ segment_id: usedId }))
      await setStatus(id, status)
      const reply = await ann.delete(`/segments/${usedId}`)
      expect(reply.status).toBe(409)
      expect(reply.json).toEqual({
        statusCode: 409,
        name: 'conflict',
        message: 'This segment is used by active campaigns and cannot be deleted.',
      })
      expect((await ann.get(`/segments/${usedId}`)).status).toBe(200)
    },
  )

  test.each(['draft', 'canceled', 'sent'])(
    '200 for DELETE of the segment of a campaign that is %s, which is left without one',
    async (status) => {
      const usedId = await made('/segments', { name: 'S' })
      const { id } = await givenCampaign(ready({ segment_id: usedId }))
      await setStatus(id, status)
      expect((await ann.delete(`/segments/${usedId}`)).status).toBe(200)
      expect((await ann.get(`/campaigns/${id}`)).json).toMatchObject({ segment_id: null, status })
    },
  )

  test('a campaign scheduled while its segment is deleted has the segment, or is rejected', async () => {
    for (let round = 0; round < 8; round++) {
      const usedId = await made('/segments', { name: 'S' })
      const { id } = await givenCampaign(ready({ segment_id: usedId, status: 'draft' }))
      const [scheduled, deleted] = await Promise.all([
        ann.patch(`/campaigns/${id}`, { status: 'scheduled' }),
        ann.delete(`/segments/${usedId}`),
      ])
      expect(`${scheduled.status} ${deleted.status}`).toMatch(/^(200 409|422 200)$/)
    }
  })

  test('a campaign created while its sender is deleted has the sender, or is rejected', async () => {
    for (let round = 0; round < 8; round++) {
      const usedId = await givenSender()
      const [created, deleted] = await Promise.all([
        ann.post('/campaigns', { name: 'x', sender_id: usedId }),
        ann.delete(`/senders/${usedId}`),
      ])
      expect(`${created.status} ${deleted.status}`).toMatch(/^(201 409|422 200)$/)
    }
  })
})
