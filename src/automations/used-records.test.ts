import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import { type ChainStep, chainOf } from '../../test/support/automations.ts'
import { made as madeBy } from '../../test/support/client.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { listRoutes } from '../audience/lists/lists-routes.ts'
import { propertyRoutes } from '../audience/properties/properties-routes.ts'
import { segmentRoutes } from '../audience/segments/segments-routes.ts'
import { domainRoutes } from '../domains/routes/domains-routes.ts'
import { senderRoutes } from '../domains/routes/senders-routes.ts'
import { newId } from '../lib/ids.ts'
import { templateRoutes } from '../templates/templates-routes.ts'
import { automationRoutes } from './automations-routes.ts'
import { automationRunRoutes } from './reading/runs-routes.ts'

type Fields = Record<string, unknown>

let api: Api
let ann: GivenTeam
let domainId: string
let senderId: string
let templateId: string

beforeAll(async () => {
  api = await startApi({
    routes: [
      ...domainRoutes,
      ...senderRoutes,
      ...templateRoutes,
      ...segmentRoutes,
      ...listRoutes,
      ...propertyRoutes,
      ...automationRoutes,
      ...automationRunRoutes,
    ],
    deps: { secret: randomBytes(32) },
  })
  ann = await api.givenTeam()
  domainId = await made('/domains', { name: 'ann.example' })
  senderId = await givenSender()
  templateId = await givenTemplate('published')
})
afterAll(() => api.stop())

const made = (path: string, body: Fields) => madeBy(ann, path, body)

let counter = 0
const givenSender = () => made('/senders', { name: 'Ann', username: `ann${++counter}`, domain_id: domainId })
const givenTemplate = (status: string) =>
  made('/templates', { name: 'T', sender_id: senderId, subject: 'S', text_content: 'T', status })
const givenAlias = () =>
  made('/templates', {
    name: 'T',
    sender_id: senderId,
    subject: 'S',
    text_content: 'T',
    status: 'published',
    alias: `a.${++counter}`,
  })
const givenSegment = () => made('/segments', { name: 'S' })

const WAIT = { type: 'wait', seconds: 60 }
async function givenAutomation(fields: Fields) {
  const reply = await ann.post('/automations', { name: 'Welcome', ...fields })
  expect(reply.status, reply.text).toBe(201)
  return reply.json
}

describe('used objects', () => {
  const isVip = (segmentId: string) => ({ type: 'not', rule: { type: 'segment', segment_id: segmentId } })
  const mail = (config: Fields) =>
    ['mail', 'send_email', { template: { id: templateId }, ...config }] as const
  const givenProperty = () => made('/contact-properties', { key: `Plan_${++counter}`, type: 'string' })
  const hasPlan = () => ({ type: 'rule', field: `contact.plan_${counter}`, operator: 'exists' })
  test.each<[string, string, () => Promise<string>, (id: string) => ChainStep]>([
    ['segment', '/segments', givenSegment, (id) => ['known', 'condition', isVip(id)]],
    ['template', '/templates', () => givenTemplate('published'), (id) => mail({ template: { id } })],
    [
      'template by its alias',
      '/templates',
      () => givenAlias(),
      () => mail({ template: { id: `A.${counter}` } }),
    ],
    ['sender', '/senders', givenSender, (id) => mail({ sender_id: id })],
    ['list', '/lists', () => made('/lists', { name: 'L' }), (id) => ['join', 'add_to_list', { list_id: id }]],
    ['property', '/contact-properties', givenProperty, () => ['known', 'condition', hasPlan()]],
    [
      'property that it sets',
      '/contact-properties',
      givenProperty,
      () => ['set', 'contact_update', { properties: { [`PLAN_${counter}`]: 'pro' } }],
    ],
  ])(
    '409 for DELETE of a %s while a run waits before it on an earlier version, 200 after it has ended',
    async (_, path, given, stepOf) => {
      const usedId = await given()
      const wait: ChainStep = ['wait', 'delay', { duration: '1 day' }]
      const start: ChainStep = ['start', 'trigger', { type: 'api' }]
      const { id } = await givenAutomation({ status: 'active', ...chainOf(start, wait, stepOf(usedId)) })
      const email = `c${++counter}@to.test`
      const { json: run } = await ann.post(`/automations/${id}/runs`, { email })
      const isKept = async () => {
        expect((await ann.delete(`${path}/${usedId}`)).json).toMatchObject({
          statusCode: 409,
          message: expect.stringMatching(/^This .* is used by .* and cannot be deleted\.$/),
        })
      }
      await isKept()
      await ann.patch(`/automations/${id}`, chainOf(start, wait, ['end', 'exit']))
      await isKept()
      await ann.patch(`/automations/${id}`, { status: 'paused' })
      await isKept()
      expect((await ann.post(`/automations/${id}/runs/${run.id}/cancel`)).status).toBe(200)
      const reply = await ann.delete(`${path}/${usedId}`)
      expect(reply.status, reply.text).toBe(200)
    },
  )

  test('409 for another key of a property that one that is active names, 200 for another case of it', async () => {
    const usedId = await givenProperty()
    const start: ChainStep = ['start', 'trigger', { type: 'api' }]
    const chain = chainOf(start, ['known', 'condition', hasPlan()])
    const { id } = await givenAutomation({ status: 'active', ...chain })
    const rename = (key: string) => ann.patch(`/contact-properties/${usedId}`, { key })
    const key = `tier_${++counter}`
    const reply = await rename(key)
    expect([reply.status, reply.json.message]).toEqual([
      409,
      'This property is used by active automations, so its key cannot change.',
    ])
    expect((await rename(`PLAN_${counter - 1}`)).status).toBe(200)
    await ann.patch(`/automations/${id}`, { status: 'paused' })
    expect((await rename(key)).json.key).toBe(key)
  })

  test.each(['draft', 'active', 'paused'])(
    '409 for DELETE of the sender that one that is %s names, 200 once it does not',
    async (status) => {
      const usedId = await givenSender()
      const { id } = await givenAutomation({
        status,
        trigger: { type: 'contact_created' },
        steps: [{ type: 'send_email', template_id: templateId, sender_id: usedId }],
      })
      const reply = await ann.delete(`/senders/${usedId}`)
      expect([reply.status, reply.json.message]).toEqual([
        409,
        'This sender is used by campaigns and cannot be deleted.',
      ])
      await ann.patch(`/automations/${id}`, { steps: [WAIT], trigger: { type: 'contact_created' } })
      expect((await ann.delete(`/senders/${usedId}`)).status).toBe(200)
    },
  )

  test.each([
    [
      'its trigger',
      (id: string) => ({ trigger: { type: 'segment_entered', segment_id: id }, steps: [WAIT] }),
    ],
    [
      'a step',
      (id: string) => ({
        trigger: { type: 'contact_created' },
        steps: [WAIT, { type: 'condition', segment_id: id }],
      }),
    ],
  ])(
    '409 for DELETE of a segment that %s names while it is active, 200 while it is not',
    async (_, partsOf) => {
      const segmentId = await givenSegment()
      const { id } = await givenAutomation({ status: 'active', ...partsOf(segmentId) })
      const reply = await ann.delete(`/segments/${segmentId}`)
      expect(reply.status).toBe(409)
      expect(reply.json).toEqual({
        statusCode: 409,
        name: 'conflict',
        message: 'This segment is used by active automations and cannot be deleted.',
      })
      await ann.patch(`/automations/${id}`, { status: 'paused' })
      expect((await ann.delete(`/segments/${segmentId}`)).status).toBe(200)
      // The automation may still be renamed, but neither run nor change its steps.
      expect((await ann.patch(`/automations/${id}`, { name: 'Old' })).status).toBe(200)
      const refused = await ann.patch(`/automations/${id}`, { status: 'active' })
      expect(refused.status).toBe(422)
      expect(refused.json.message).toMatch(/segment_id field must be the id of a segment of this account\.$/)
    },
  )

  test('409 for a segment of an active campaign and an active automation names campaigns first', async () => {
    const segmentId = await givenSegment()
    await givenAutomation({
      status: 'active',
      trigger: { type: 'segment_entered', segment_id: segmentId },
      steps: [WAIT],
    })
    await api.db.query(
      `with c as (
         insert into campaign (team_id, id, name, status, scheduled_at, created_at, updated_at)
         values ($1, $2, 'C', 'scheduled', $4, $4, $4)
       )
       insert into campaign_audience (team_id, campaign_id, is_excluded, kind, used_id, position)
       values ($1, $2, false, 'segment', $3, 0)`,
      [ann.id, newId(), segmentId, new Date()],
    )
    expect((await ann.delete(`/segments/${segmentId}`)).json.message).toBe(
      'This segment is used by active campaigns and cannot be deleted.',
    )
  })

  test('an automation activated while its segment is deleted has the segment, or is rejected', async () => {
    for (let round = 0; round < 8; round++) {
      const segmentId = await givenSegment()
      const { id } = await givenAutomation({
        trigger: { type: 'segment_entered', segment_id: segmentId },
        steps: [WAIT],
      })
      const [activated, deleted] = await Promise.all([
        ann.patch(`/automations/${id}`, { status: 'active' }),
        ann.delete(`/segments/${segmentId}`),
      ])
      expect(`${activated.status} ${deleted.status}`).toMatch(/^(200 409|422 200)$/)
    }
  })
})
