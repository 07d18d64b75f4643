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
/** How the step is stored: each flat step becomes one of a chain. */
const delay = (key: string) => ({ key, type: 'delay', config: { duration: '1 minute' } })
const created = { key: 'trigger', type: 'trigger', config: { type: 'contact_created' } }
const DEFAULTS = { reentry: 'once', on_retrigger: 'keep', exits: [], resume_rate: 600 }
/** A graph in the form of Resend's SDK. */
const GRAPH = {
  steps: [
    { key: 'start', type: 'trigger', config: { type: 'event', event_name: 'signed_up' } },
    { key: 'wait', type: 'delay', config: { duration: '3 days' } },
  ],
  connections: [{ from: 'start', to: 'wait', type: 'default' }],
}

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
      paused_reason: null,
      version: 0,
      trigger: null,
      steps: [],
      connections: [],
      settings: DEFAULTS,
      created_at: TIME,
      updated_at: TIME,
    })
    expect((await ann.get(`/automations/${automation.id.toUpperCase()}`)).json).toEqual(automation)
  })

  test('201 with every kind of step of the flat form, as a chain; fields of other types are dropped', async () => {
    const segmentId = await givenSegment()
    const flat = [
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
      steps: flat.map((step) => ({ seconds: 5, unsubscribed: true, ...step })),
    })
    const trigger = { type: 'segment_entered', segment_id: segmentId }
    expect(automation).toMatchObject({ status: 'active', version: 1 })
    expect(automation.trigger).toEqual(trigger)
    expect(automation.steps).toEqual([
      { key: 'trigger', type: 'trigger', config: trigger },
      {
        key: 'step_1',
        type: 'send_email',
        config: { template: { id: templateId }, sender_id: senderId, subject: 'Hi' },
      },
      { key: 'step_2', type: 'delay', config: { duration: '1 hour' } },
      { key: 'step_3', type: 'condition', config: { type: 'segment', segment_id: segmentId } },
      { key: 'step_4', type: 'contact_update', config: { unsubscribed: false } },
      { key: 'step_5', type: 'add_to_list', config: { list_id: listId } },
      { key: 'step_6', type: 'remove_from_list', config: { list_id: listId } },
    ])
    expect(automation.connections).toEqual([
      { from: 'trigger', to: 'step_1', type: 'default' },
      { from: 'step_1', to: 'step_2', type: 'default' },
      { from: 'step_2', to: 'step_3', type: 'default' },
      { from: 'step_3', to: 'step_4', type: 'condition_met' },
      { from: 'step_4', to: 'step_5', type: 'default' },
      { from: 'step_5', to: 'step_6', type: 'default' },
    ])
  })

  test('201 with steps and connections by key, and settings with their defaults', async () => {
    const settings = { reentry: 'every_time', reentry_gap: 'PT24H', exits: [{ event_name: 'canceled' }] }
    const automation = await givenAutomation({ ...GRAPH, settings })
    expect(automation).toMatchObject({ ...GRAPH, trigger: GRAPH.steps[0]?.config })
    expect(automation.settings).toEqual({ ...DEFAULTS, ...settings, reentry_gap: '1 day' })
    expect((await ann.get(`/automations/${automation.id}`)).json).toEqual(automation)
  })

  test('200 for both PUT and PATCH: only given fields change, and every status may follow every other', async () => {
    const { id } = await givenAutomation({ trigger: { type: 'contact_created' }, steps: [WAIT] })
    for (const status of ['active', 'paused', 'active', 'draft', 'paused', 'draft', 'active']) {
      expect((await ann.put(`/automations/${id}`, { status })).json).toMatchObject({
        status,
        name: 'Welcome',
        // The graph did not change, so no version follows the first.
        version: 1,
        steps: [created, delay('step_1')],
      })
    }
    const changed = await ann.patch(`/automations/${id}`, { name: 'New', status: 'draft', trigger: null })
    expect(changed.json).toMatchObject({ name: 'New', status: 'draft', trigger: null, connections: [] })
    expect(changed.json.steps).toEqual([delay('step_1')])
    expect((await ann.get(`/automations/${id}`)).json).toEqual(changed.json)
  })

  test('enabled and disabled stand for active and paused', async () => {
    const { id, ...automation } = await givenAutomation({ ...GRAPH, status: 'enabled' })
    expect(automation.status).toBe('active')
    expect((await ann.patch(`/automations/${id}`, { status: 'disabled' })).json.status).toBe('paused')
    const listed = (await ann.get('/automations?status=disabled&per_page=100')).json
    expect(listed.data.map((one: Fields) => one.id)).toContain(id)
    expect(listed.data.every(({ status }: Fields) => status === 'paused')).toBe(true)
    expect(listed.meta.total).toBe(listed.data.length)
  })

  test('a new version for each change of the graph or the settings of an active automation', async () => {
    const { id } = await givenAutomation({ ...GRAPH, status: 'active' })
    const versionAfter = async (changes: Fields) =>
      (await ann.patch(`/automations/${id}`, changes)).json.version
    expect(await versionAfter({ name: 'Renamed' })).toBe(1)
    expect(await versionAfter({ steps: GRAPH.steps })).toBe(1)
    expect(await versionAfter({ settings: { reentry: 'after_exit' } })).toBe(2)
    expect(await versionAfter({ status: 'paused', settings: { reentry: 'once' } })).toBe(2)
    expect(await versionAfter({ status: 'active' })).toBe(3)
    const { data } = (await ann.get(`/automations/${id}/versions`)).json
    expect(data.map(({ version, settings }: Fields) => [version, (settings as Fields).reentry])).toEqual([
      [3, 'once'],
      [2, 'after_exit'],
      [1, 'once'],
    ])
    expect(data[0]).toMatchObject({ ...GRAPH, waiting: 0, created_at: TIME })
  })

  test('200 for stop, which pauses only an active automation, and 201 for duplicate, a draft', async () => {
    const { id } = await givenAutomation({ ...GRAPH, status: 'active' })
    expect((await ann.post(`/automations/${id}/stop`)).json).toMatchObject({
      id,
      status: 'paused',
      version: 1,
    })
    const copy = await ann.post(`/automations/${id}/duplicate`)
    expect([copy.status, copy.json]).toMatchObject([
      201,
      { name: 'Copy of Welcome', status: 'draft', version: 0, ...GRAPH },
    ])
    expect(copy.json.id).not.toBe(id)
    expect((await ann.post(`/automations/${copy.json.id}/stop`)).json.status).toBe('draft')
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
    expect(first.data[0].runs).toEqual({ running: 0, failed: 0 })
  })
})

describe('422', () => {
  test.each([
    [{ name: undefined }, 'name', 'The name field is required.'],
    [
      { status: 'frob' },
      'status',
      'The status field must be one of draft, active, paused, enabled, disabled.',
    ],
    [{ steps: 'x' }, 'steps', 'The steps field must be an array.'],
    [{ steps: Array(150).fill(WAIT) }, 'steps', 'The steps field must not have more than 149 items.'],
    [{ steps: Array(151).fill(WAIT) }, 'steps', 'The steps field must not have more than 150 items.'],
    [
      { ...GRAPH, trigger: { type: 'contact_created' } },
      'trigger',
      'The trigger field must not be given with keys or connections. Add a step of type trigger.',
    ],
    [
      { steps: [{ key: 'wait', type: 'delay', config: { duration: '3 fortnights' } }] },
      'steps.0.config.duration',
      'The steps.0.config.duration field must be a duration, such as 30 minutes or 3 days.',
    ],
    [{ steps: [{}] }, 'steps.0.type', 'The steps.0.type field is required.'],
    [
      { steps: [WAIT, { type: 'wait', seconds: 0 }] },
      'steps.1.seconds',
      'The steps.1.seconds field must be an integer from 1 to 31536000.',
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
      // The request has no steps, so the field is that of the stored graph.
      'steps.1.config.template.id': [
        'The steps.1.config.template.id field must be the id of a published template.',
      ],
    })
    expect((await ann.patch(`/automations/${id}`, { status: 'paused' })).status).toBe(200)
  })
})

describe('move-runs', () => {
  test('409 for one that was never active, 422 for a version that is not an earlier one', async () => {
    const { id } = await givenAutomation(GRAPH)
    const move = (version: number) =>
      ann.post(`/automations/${id}/move-runs`, { from_version: version, dry_run: true })
    expect([(await move(1)).status, (await move(1)).json.message]).toEqual([
      409,
      'The automation was never active.',
    ])
    await ann.patch(`/automations/${id}`, { status: 'active' })
    for (const version of [1, 2]) {
      expect((await move(version)).json.errors).toEqual({
        from_version: ['The from_version field must be an earlier version of this automation.'],
      })
    }
    await ann.patch(`/automations/${id}`, { settings: { reentry: 'after_exit' } })
    expect((await move(1)).json).toEqual({
      object: 'automation_move',
      automation_id: id,
      to_version: 2,
      moved: 0,
      left: 0,
    })
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
      (wanted: string) => bob.post(`/automations/${wanted}/stop`),
      (wanted: string) => bob.post(`/automations/${wanted}/duplicate`),
      (wanted: string) => bob.get(`/automations/${wanted}/versions`),
      (wanted: string) => bob.post(`/automations/${wanted}/move-runs`, { from_version: 1 }),
      (wanted: string) => bob.post(`/automations/${wanted}/dry-run`, { email: 'ann@ann.example' }),
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
    for (const id of [templateId, newId()]) {
      const step = { key: 'mail', type: 'send_email', config: { template: { id } } }
      expect((await bob.post('/automations', { name: 'x', steps: [step] })).json.errors).toEqual({
        'steps.0.config.template.id': [
          'The steps.0.config.template.id field must be the id of a template of this account.',
        ],
      })
    }
  })
})
