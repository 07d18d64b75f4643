import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import { made as madeBy } from '../../test/support/client.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { listRoutes } from '../audience/lists/lists-routes.ts'
import { segmentRoutes } from '../audience/segments/segments-routes.ts'
import { domainRoutes } from '../domains/routes/domains-routes.ts'
import { senderRoutes } from '../domains/routes/senders-routes.ts'
import { newId } from '../lib/ids.ts'
import { templateRoutes } from '../templates/templates-routes.ts'
import { automationRoutes } from './automations-routes.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

type Fields = Record<string, unknown>

let api: Api
let ann: GivenTeam
let bob: GivenTeam
let domainId: string
let senderId: string
let templateId: string
let draftTemplateId: string
let listId: string

beforeAll(async () => {
  api = await startApi({
    routes: [
      ...domainRoutes,
      ...senderRoutes,
      ...templateRoutes,
      ...listRoutes,
      ...segmentRoutes,
      ...automationRoutes,
    ],
    deps: { secret: randomBytes(32) },
  })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
  domainId = await made('/domains', { name: 'ann.example' })
  senderId = await givenSender()
  templateId = await givenTemplate('published')
  draftTemplateId = await givenTemplate('draft')
  listId = await made('/lists', { name: 'L' })
})
afterAll(() => api.stop())

const made = (path: string, body: Fields) => madeBy(ann, path, body)

let counter = 0
const givenSender = () => made('/senders', { name: 'Ann', username: `ann${++counter}`, domain_id: domainId })
const givenTemplate = (status: string) =>
  made('/templates', { name: 'T', sender_id: senderId, subject: 'S', text_content: 'T', status })
const givenSegment = () => made('/segments', { name: 'S' })

const WAIT = { type: 'wait', seconds: 60 }

async function givenAutomation(fields: Fields = {}) {
  const reply = await ann.post('/automations', { name: 'Welcome', ...fields })
  expect(reply.status, reply.text).toBe(201)
  return reply.json
}

describe('create, read, update, delete', () => {
  test('201 with a name alone: a draft without trigger or steps', async () => {
    const automation = await givenAutomation()
    expect(automation).toEqual({
      object: 'automation',
      id: expect.any(String),
      name: 'Welcome',
      status: 'draft',
      trigger: null,
      steps: [],
      created_at: TIME,
      updated_at: TIME,
    })
    expect((await ann.get(`/automations/${automation.id.toUpperCase()}`)).json).toEqual(automation)
  })

  test('201 with every kind of step; fields of other types are dropped', async () => {
    const segmentId = await givenSegment()
    const steps = [
      { type: 'send_email', template_id: templateId, sender_id: senderId, subject: 'Hi' },
      { type: 'wait', seconds: 3600 },
      { type: 'condition', segment_id: segmentId },
      { type: 'update_contact', unsubscribed: false },
      { type: 'add_to_list', list_id: listId },
      { type: 'remove_from_list', list_id: listId },
    ]
    const automation = await givenAutomation({
      status: 'active',
      trigger: { type: 'segment_entered', segment_id: segmentId.toUpperCase(), list_id: newId(), odd: 1 },
      steps: steps.map((step) => ({ seconds: 5, unsubscribed: true, ...step })),
    })
    expect(automation).toMatchObject({
      status: 'active',
      trigger: { type: 'segment_entered', segment_id: segmentId },
      steps,
    })
    expect(automation.trigger).toEqual({ type: 'segment_entered', segment_id: segmentId })
    expect(automation.steps).toEqual(steps)
  })

  test('200 for both PUT and PATCH: only given fields change, and every status may follow every other', async () => {
    const { id } = await givenAutomation({ trigger: { type: 'contact_created' }, steps: [WAIT] })
    for (const status of ['active', 'paused', 'active', 'draft', 'paused', 'draft', 'active']) {
      expect((await ann.put(`/automations/${id}`, { status })).json).toMatchObject({
        status,
        name: 'Welcome',
        steps: [WAIT],
      })
    }
    const changed = await ann.patch(`/automations/${id}`, { name: 'New', status: 'draft', trigger: null })
    expect(changed.json).toMatchObject({ name: 'New', status: 'draft', trigger: null, steps: [WAIT] })
    expect((await ann.get(`/automations/${id}`)).json).toEqual(changed.json)
  })

  test('200 for DELETE, then 404', async () => {
    const { id } = await givenAutomation({ steps: [{ type: 'send_email', sender_id: senderId }] })
    expect((await ann.delete(`/automations/${id}`)).json).toEqual({ object: 'automation', id, deleted: true })
    expect((await ann.get(`/automations/${id}`)).status).toBe(404)
    expect((await ann.patch(`/automations/${id}`, { name: 'x' })).status).toBe(404)
    expect((await ann.delete(`/automations/${id}`)).status).toBe(404)
  })

  test('200 with pages of automations, newest first', async () => {
    const team = await api.givenTeam()
    for (const name of ['one', 'two', 'three']) await team.post('/automations', { name })
    const first = (await team.get('/automations?per_page=2')).json
    expect(first.data.map((automation: { name: string }) => automation.name)).toEqual(['three', 'two'])
    expect(first.meta.total).toBe(3)
  })
})

describe('422', () => {
  test.each([
    [{ name: undefined }, 'name', 'The name field is required.'],
    [{ status: 'frob' }, 'status', 'The status field must be one of draft, active, paused.'],
    [{ steps: 'x' }, 'steps', 'The steps field must be an array.'],
    [{ steps: Array(101).fill(WAIT) }, 'steps', 'The steps field must not have more than 100 items.'],
    [{ steps: [{}] }, 'steps.0.type', 'The steps.0.type field is required.'],
    [
      { steps: [WAIT, { type: 'wait', seconds: 0 }] },
      'steps.1.seconds',
      'The steps.1.seconds field must be at least 1.',
    ],
    [
      { trigger: { type: 'list_joined', list_id: 'x' } },
      'trigger.list_id',
      'The trigger.list_id field must be a valid UUID.',
    ],
    [
      { trigger: { type: 'list_joined', list_id: newId() } },
      'trigger.list_id',
      'The trigger.list_id field must be the id of a list of this account.',
    ],
    [
      { steps: [WAIT, { type: 'send_email', template_id: newId() }] },
      'steps.1.template_id',
      'The steps.1.template_id field must be the id of a template of this account.',
    ],
    [{ status: 'active', steps: [WAIT] }, 'trigger', 'The trigger field is required.'],
    [
      { status: 'active', trigger: { type: 'contact_created' } },
      'steps',
      'The steps field must have at least 1 item.',
    ],
    [
      { status: 'active', trigger: { type: 'list_joined' }, steps: [WAIT] },
      'trigger.list_id',
      'The trigger.list_id field is required.',
    ],
    [
      { status: 'active', trigger: { type: 'contact_created' }, steps: [{ type: 'send_email' }] },
      'steps.0.template_id',
      'The steps.0.template_id field is required.',
    ],
  ])('for %j', async (fields, field, message) => {
    const reply = await ann.post('/automations', { name: 'x', ...fields })
    expect(reply.status).toBe(422)
    expect(reply.json).toEqual({
      statusCode: 422,
      name: 'validation_error',
      message,
      errors: { [field]: [message] },
    })
  })

  test('for an active automation with a draft of a template, even if it becomes active later', async () => {
    const { id } = await givenAutomation({
      trigger: { type: 'contact_created' },
      steps: [{ type: 'send_email', template_id: draftTemplateId }],
    })
    expect((await ann.patch(`/automations/${id}`, { status: 'active' })).json.errors).toEqual({
      'steps.0.template_id': ['The steps.0.template_id field must be the id of a published template.'],
    })
    expect((await ann.patch(`/automations/${id}`, { status: 'paused' })).status).toBe(200)
  })
})

describe('used objects', () => {
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
      await ann.patch(`/automations/${id}`, { steps: [WAIT] })
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

describe('isolation', () => {
  test('404, byte for byte the same, for another team’s automation and an unknown one; it stays unchanged', async () => {
    const { id } = await givenAutomation({ steps: [WAIT] })
    const before = (await ann.get(`/automations/${id}`)).text
    for (const ask of [
      (wanted: string) => bob.get(`/automations/${wanted}`),
      (wanted: string) => bob.patch(`/automations/${wanted}`, { name: 'x' }),
      (wanted: string) => bob.delete(`/automations/${wanted}`),
    ]) {
      const [foreign, none, malformed] = [await ask(id), await ask(newId()), await ask('no-id')]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(none.text)
      expect(malformed.text).toBe(none.text)
    }
    expect((await ann.get(`/automations/${id}`)).text).toBe(before)
  })

  test('422 for another team’s objects, the same as for unknown ones', async () => {
    const segmentId = await givenSegment()
    for (const [field, type, id] of [
      ['sender_id', 'send_email', senderId],
      ['template_id', 'send_email', templateId],
      ['segment_id', 'condition', segmentId],
      ['list_id', 'add_to_list', listId],
    ] as const) {
      const foreign = await bob.post('/automations', { name: 'x', steps: [{ type, [field]: id }] })
      const none = await bob.post('/automations', { name: 'x', steps: [{ type, [field]: newId() }] })
      expect([foreign.status, foreign.text]).toEqual([422, none.text])
    }
  })
})
