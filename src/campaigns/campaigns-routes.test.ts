import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import { made as madeBy } from '../../test/support/client.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { listRoutes } from '../audience/lists/lists-routes.ts'
import { segmentRoutes } from '../audience/segments/segments-routes.ts'
import { domainRoutes } from '../domains/routes/domains-routes.ts'
import { senderRoutes } from '../domains/routes/senders-routes.ts'
import { newId } from '../lib/ids.ts'
import { type Clock, systemClock } from '../lib/time/clock.ts'
import { noCampaignCounts } from '../metrics/campaigns/campaign-counts-queries.ts'
import { templateRoutes } from '../templates/templates-routes.ts'
import { campaignRoutes } from './campaigns-routes.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const HOUR_MS = 3_600_000
/** Tests set the clock ahead, but never beyond the present. */
const BEHIND_MS = 2 * HOUR_MS
let behindMs = BEHIND_MS
const clock: Clock = { ...systemClock, now: () => new Date(Date.now() - behindMs) }
const inHours = (hours: number) => new Date(Date.now() - BEHIND_MS + hours * HOUR_MS).toISOString()

type Fields = Record<string, unknown>

let api: Api
let ann: GivenTeam
let bob: GivenTeam
let domainId: string
let senderId: string
let templateId: string
let draftTemplateId: string
let segmentId: string
let listId: string

beforeAll(async () => {
  api = await startApi({
    routes: [
      ...domainRoutes,
      ...senderRoutes,
      ...templateRoutes,
      ...listRoutes,
      ...segmentRoutes,
      ...campaignRoutes,
    ],
    deps: { secret: randomBytes(32) },
    clock,
  })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
  domainId = await made('/domains', { name: 'ann.example' })
  senderId = await givenSender()
  templateId = await givenTemplate('published')
  draftTemplateId = await givenTemplate('draft')
  segmentId = await made('/segments', { name: 'S' })
  listId = await made('/lists', { name: 'L' })
})
afterAll(() => api.stop())
beforeEach(() => {
  behindMs = BEHIND_MS
})

const made = (path: string, body: Fields) => madeBy(ann, path, body)

let counter = 0
const givenSender = () => made('/senders', { name: 'Ann', username: `ann${++counter}`, domain_id: domainId })
const givenTemplate = (status: string) =>
  made('/templates', { name: 'T', sender_id: senderId, subject: 'S', text_content: 'T', status })

/** Returns the fields of a campaign that may be scheduled. */
const ready = (fields: Fields = {}) => ({
  name: 'Spring',
  sender_id: senderId,
  subject: 'Hello',
  html: '<p>Hello</p>',
  segment_id: segmentId,
  status: 'scheduled',
  scheduled_at: inHours(1),
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

describe('create, read, update, delete', () => {
  test('201 with a name alone: an empty draft', async () => {
    const campaign = await givenCampaign({ team_id: bob.id, id: newId() })
    expect(campaign).toEqual({
      object: 'campaign',
      id: expect.any(String),
      name: 'Spring',
      status: 'draft',
      sender_id: null,
      template_id: null,
      subject: null,
      preview_text: null,
      reply_to: null,
      html: null,
      text: null,
      segment_id: null,
      list_id: null,
      audience: { include: [], exclude: [] },
      scheduled_at: null,
      paused_reason: null,
      started_at: null,
      ended_at: null,
      rate_per_hour: null,
      send_window: null,
      rate: null,
      estimated_end_at: null,
      waits_until: null,
      recipients: { waiting: 0, accepted: 0, skipped: 0, failed: 0 },
      totals: noCampaignCounts(),
      created_at: TIME,
      updated_at: TIME,
    })
    expect((await ann.get(`/campaigns/${campaign.id.toUpperCase()}`)).json).toEqual(campaign)
  })

  test('201 scheduled, with a template and a list, or with its own text and a segment', async () => {
    const { subject: _subject, html: _html, segment_id: _segment, ...rest } = ready()
    expect(
      await givenCampaign({ ...rest, template_id: templateId.toUpperCase(), list_id: listId }),
    ).toMatchObject({ status: 'scheduled', template_id: templateId, list_id: listId, scheduled_at: TIME })
    expect(await givenCampaign(ready({ html: undefined, text: 'Hi' }))).toMatchObject({
      status: 'scheduled',
      text: 'Hi',
      html: null,
    })
  })

  test('200 for both PUT and PATCH: only given fields change, null clears a field', async () => {
    const { id } = await givenCampaign(ready({ status: 'draft' }))
    expect((await ann.put(`/campaigns/${id}`, { subject: 'New' })).json).toMatchObject({
      name: 'Spring',
      subject: 'New',
      segment_id: segmentId,
    })
    const changed = await ann.patch(`/campaigns/${id}`, { segment_id: null, list_id: listId })
    expect(changed.json).toMatchObject({ segment_id: null, list_id: listId, subject: 'New' })
    expect((await ann.get(`/campaigns/${id}`)).json).toEqual(changed.json)
  })

  test('200 for DELETE, then 404; 409 while it is being sent', async () => {
    const { id } = await givenCampaign(ready())
    await setStatus(id, 'sending')
    const refused = await ann.delete(`/campaigns/${id}`)
    expect([refused.status, refused.json.name, refused.json.message]).toEqual([
      409,
      'conflict',
      'This campaign is being sent and cannot be deleted.',
    ])
    await setStatus(id, 'sent')
    expect((await ann.delete(`/campaigns/${id}`)).json).toEqual({ object: 'campaign', id, deleted: true })
    expect((await ann.get(`/campaigns/${id}`)).status).toBe(404)
    expect((await ann.patch(`/campaigns/${id}`, { name: 'x' })).status).toBe(404)
    expect((await ann.delete(`/campaigns/${id}`)).status).toBe(404)
  })

  test('200 with pages of campaigns, newest first, also by status', async () => {
    const team = await api.givenTeam()
    for (const [name, status] of [
      ['one', 'draft'],
      ['two', 'canceled'],
      ['three', 'draft'],
    ]) {
      await team.post('/campaigns', { name, status })
    }
    const names = async (query: string) => {
      const { data, meta } = (await team.get(`/campaigns${query}`)).json
      return [data.map((campaign: { name: string }) => campaign.name), meta.total]
    }
    expect(await names('')).toEqual([['three', 'two', 'one'], 3])
    expect(await names('?status=draft')).toEqual([['three', 'one'], 2])
    expect(await names('?status=draft&per_page=1&page=2')).toEqual([['one'], 2])
    expect(await names('?status=sent')).toEqual([[], 0])
    expect((await team.get('/campaigns?status=frob')).status).toBe(422)
  })

  test('200 with a list without content, however large it is', async () => {
    const team = await api.givenTeam()
    const { json } = await team.post('/campaigns', { name: 'Long', html: 'x'.repeat(500_000), text: 'y' })
    const { html, text, rate, estimated_end_at, waits_until, ...summary } = json
    expect([html.length, text, rate, estimated_end_at, waits_until]).toEqual([500_000, 'y', null, null, null])
    for (const query of ['', '?status=draft']) {
      expect((await team.get(`/campaigns${query}`)).json.data).toEqual([summary])
    }
  })
})

describe('422', () => {
  test.each([
    [{ name: undefined }, 'name', 'The name field is required.'],
    [{ name: 'a'.repeat(256) }, 'name', 'The name field must not be greater than 255 characters.'],
    [
      { preview_text: 'a'.repeat(256) },
      'preview_text',
      'The preview_text field must not be greater than 255 characters.',
    ],
    [
      { preview_text: 'a\nb' },
      'preview_text',
      'The preview_text field must not contain line breaks or control characters.',
    ],
    [{ reply_to: 'nobody' }, 'reply_to', 'The reply_to field must be a valid email address.'],
    [
      { status: 'sent' },
      'status',
      'The status field must be one of draft, scheduled, sending, paused, canceled.',
    ],
    [{ status: 'sending' }, 'status', 'The status field must be one of draft, scheduled, canceled.'],
    [{ subject: 'a'.repeat(999) }, 'subject', 'The subject field must not be greater than 998 characters.'],
    [
      { subject: 'a\nBcc: b' },
      'subject',
      'The subject field must not contain line breaks or control characters.',
    ],
    [{ scheduled_at: inHours(-1) }, 'scheduled_at', 'The scheduled_at field must be a date in the future.'],
    [{ scheduled_at: 'soon' }, 'scheduled_at', 'The scheduled_at field must be an ISO 8601 timestamp.'],
    [
      { scheduled_at: inHours(366 * 24) },
      'scheduled_at',
      'The scheduled_at field must be within 365 days from now.',
    ],
    [{ sender_id: newId() }, 'sender_id', 'The sender_id field must be the id of a sender of this account.'],
    [
      { template_id: newId() },
      'template_id',
      'The template_id field must be the id of a template of this account.',
    ],
    [
      { segment_id: newId() },
      'segment_id',
      'The segment_id field must be the id of a segment of this account.',
    ],
    [{ list_id: newId() }, 'list_id', 'The list_id field must be the id of a list of this account.'],
    [{ list_id: 'no-id' }, 'list_id', 'The list_id field must be a valid UUID.'],
  ])('for %j', async (fields, field, message) => {
    const reply = await ann.post('/campaigns', { name: 'x', ...fields })
    expect(reply.status).toBe(422)
    expect(reply.json).toEqual({
      statusCode: 422,
      name: 'validation_error',
      message,
      errors: { [field]: [message] },
    })
  })

  test('for a template with own content, and for a segment with a list, even if only one of them is new', async () => {
    const both = await ann.post('/campaigns', { name: 'x', template_id: templateId, text: 'x' })
    expect(both.json.errors).toEqual({
      template_id: ['The template_id field must not be combined with subject, html or text.'],
    })
    const { id } = await givenCampaign({ subject: 'S', segment_id: segmentId })
    expect((await ann.patch(`/campaigns/${id}`, { template_id: templateId })).status).toBe(422)
    const reply = await ann.patch(`/campaigns/${id}`, { list_id: listId })
    expect(reply.json.message).toBe('The list_id field must not be combined with segment_id.')
    const changed = await ann.patch(`/campaigns/${id}`, { template_id: templateId, subject: null })
    expect(changed.json).toMatchObject({ template_id: templateId, subject: null })
  })

  test('for an empty scheduled campaign, naming all missing fields', async () => {
    const reply = await ann.post('/campaigns', { name: 'x', status: 'scheduled' })
    expect(reply.json.errors).toEqual({
      sender_id: ['The sender_id field is required.'],
      subject: ['The subject field is required when template_id is not present.'],
      html: ['The html field is required when text and template_id are not present.'],
      segment_id: ['The segment_id field is required when list_id and audience.include are not present.'],
      scheduled_at: ['The scheduled_at field is required.'],
    })
    const { id } = await givenCampaign(ready())
    for (const [field, gone] of [
      ['sender_id', { sender_id: null }],
      ['subject', { subject: null }],
      ['html', { html: '' }],
      ['segment_id', { segment_id: null }],
      ['scheduled_at', { scheduled_at: null }],
    ] as const) {
      const refused = await ann.patch(`/campaigns/${id}`, gone)
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, [field]])
    }
  })

  test('for a scheduled campaign with a draft of a template; a draft of a campaign may use it', async () => {
    const content = { subject: undefined, html: undefined, template_id: draftTemplateId }
    const reply = await ann.post('/campaigns', ready(content))
    expect(reply.json.errors).toEqual({
      template_id: ['The template_id field must be the id of a published template.'],
    })
    expect((await givenCampaign(ready({ ...content, status: 'draft' }))).template_id).toBe(draftTemplateId)
  })
})

describe('status', () => {
  const MOVES: [string, string, number][] = [
    ['draft', 'scheduled', 200],
    ['draft', 'canceled', 200],
    ['scheduled', 'draft', 200],
    ['scheduled', 'scheduled', 200],
    ['scheduled', 'canceled', 200],
    ['canceled', 'draft', 200],
    ['canceled', 'canceled', 200],
    ['canceled', 'scheduled', 422],
    ['draft', 'paused', 422],
    ['sending', 'draft', 422],
    ['sending', 'canceled', 422],
    ['sent', 'draft', 422],
    ['sent', 'scheduled', 422],
  ]
  test.each(MOVES)('from %s to %s returns %i', async (from, to, status) => {
    const { id } = await givenCampaign(ready({ status: 'draft' }))
    await setStatus(id, from)
    const reply = await ann.patch(`/campaigns/${id}`, { status: to })
    expect(reply.status).toBe(status)
    if (status === 200) expect(reply.json.status).toBe(to)
    else {
      expect(reply.json.errors).toEqual({
        status: [`The status field must not change from ${from} to ${to}.`],
      })
    }
    expect((await ann.get(`/campaigns/${id}`)).json.status).toBe(status === 200 ? to : from)
  })

  test.each(['canceled', 'sending', 'sent'])(
    '422 for the content of one that is %s; its name changes',
    async (status) => {
      const { id } = await givenCampaign(ready())
      await setStatus(id, status)
      const reply = await ann.patch(`/campaigns/${id}`, { subject: 'New' })
      expect(reply.json.message).toBe(`The subject field cannot be changed once the campaign is ${status}.`)
      expect((await ann.patch(`/campaigns/${id}`, { name: 'Old one' })).json.name).toBe('Old one')
    },
  )

  test('200 for a canceled campaign that becomes a draft with new content', async () => {
    const { id } = await givenCampaign({ status: 'canceled' })
    const reply = await ann.patch(`/campaigns/${id}`, { status: 'draft', subject: 'New' })
    expect(reply.json).toMatchObject({ status: 'draft', subject: 'New' })
  })

  test('200 for a due campaign: it stays scheduled, its name changes, and it cannot be rescheduled', async () => {
    const { id } = await givenCampaign(ready())
    behindMs = 0
    expect((await ann.patch(`/campaigns/${id}`, { name: 'Late' })).json).toMatchObject({
      name: 'Late',
      status: 'scheduled',
    })
    await ann.patch(`/campaigns/${id}`, { status: 'draft' })
    const reply = await ann.patch(`/campaigns/${id}`, { status: 'scheduled' })
    expect(reply.json.errors).toEqual({
      scheduled_at: ['The scheduled_at field must be a date in the future.'],
    })
  })
})

describe('isolation', () => {
  test('404, byte for byte the same, for another team’s campaign and an unknown one; it stays unchanged', async () => {
    const { id } = await givenCampaign(ready())
    const before = (await ann.get(`/campaigns/${id}`)).text
    for (const ask of [
      (wanted: string) => bob.get(`/campaigns/${wanted}`),
      (wanted: string) => bob.patch(`/campaigns/${wanted}`, { name: 'x' }),
      (wanted: string) => bob.delete(`/campaigns/${wanted}`),
    ]) {
      const [foreign, none, malformed] = [await ask(id), await ask(newId()), await ask('no-id')]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(none.text)
      expect(malformed.text).toBe(none.text)
    }
    expect((await ann.get(`/campaigns/${id}`)).text).toBe(before)
  })

  test('422 for another team’s objects, the same as for unknown ones', async () => {
    for (const [field, id] of Object.entries({
      sender_id: senderId,
      template_id: templateId,
      segment_id: segmentId,
      list_id: listId,
    })) {
      const foreign = await bob.post('/campaigns', { name: 'x', [field]: id })
      const none = await bob.post('/campaigns', { name: 'x', [field]: newId() })
      expect([foreign.status, foreign.text]).toEqual([422, none.text])
    }
  })

  test('403 for a sending key', async () => {
    const key = await ann.givenKey({ permission: 'send' })
    expect((await key.get('/campaigns')).status).toBe(403)
  })
})
