import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { made as madeBy } from '../../../test/support/client.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { contactRoutes } from '../../audience/contacts/contacts-routes.ts'
import { listRoutes } from '../../audience/lists/lists-routes.ts'
import { propertyRoutes } from '../../audience/properties/properties-routes.ts'
import { segmentRoutes } from '../../audience/segments/segments-routes.ts'
import { domainRoutes } from '../../domains/routes/domains-routes.ts'
import { senderRoutes } from '../../domains/routes/senders-routes.ts'
import { newId } from '../../lib/ids.ts'
import { templateRoutes } from '../../templates/templates-routes.ts'
import { campaignRoutes } from '../campaigns-routes.ts'
import { campaignContentRoutes } from './content-routes.ts'

type Fields = Record<string, unknown>
interface Finding {
  code: string
  severity: string
  message: string
}

const TEST_URL = 'https://api.test/unsubscribe/test'

let api: Api
let ann: GivenTeam
let domainId: string
let senderId: string
let listId: string

beforeAll(async () => {
  api = await startApi({
    routes: [
      ...[...domainRoutes, ...senderRoutes, ...templateRoutes, ...listRoutes, ...segmentRoutes],
      ...[...contactRoutes, ...propertyRoutes, ...campaignRoutes, ...campaignContentRoutes],
    ],
    deps: { secret: randomBytes(32) },
  })
  ann = await api.givenTeam()
  domainId = await made('/domains', { name: 'ann.example' })
  senderId = await made('/senders', { name: 'Ann', username: 'ann', domain_id: domainId })
  listId = await made('/lists', { name: 'Readers' })
  await made('/properties', { key: 'plan', type: 'string' })
  await made('/properties', { key: 'city', type: 'string', fallback_value: 'Paris' })
})
afterAll(() => api.stop())

const made = (path: string, body: Fields) => madeBy(ann, path, body)

const givenCampaign = (fields: Fields = {}) =>
  made('/campaigns', {
    name: 'Spring',
    sender_id: senderId,
    list_id: listId,
    subject: 'Hello {{{FIRST_NAME|there}}}',
    html: '<p>{{PLAN}} in {{CITY}}</p><a href="{{{UNSUBSCRIBE_URL}}}">leave</a>',
    ...fields,
  })

test('422 for a campaign that goes out with more placeholders or variables than a template may have', async () => {
  const html = '{{A}}'.repeat(10_001)
  const text = Array.from({ length: 201 }, (_, no) => `{{V${no}}}`).join('')
  const errors = {
    html: ['The html field must not have more than 10000 placeholders.'],
    text: ['The text field must not use more than 200 variables.'],
  }
  const id = await givenCampaign({ html, text })
  expect((await ann.patch(`/campaigns/${id}`, { status: 'sending' })).json.errors).toEqual(errors)
  expect((await ann.post(`/campaigns/${id}/test`, { to: ['a@simulator.test'] })).json.errors).toEqual(errors)
  const { json: checks } = await ann.get(`/campaigns/${id}/checks`)
  for (const [message] of Object.values(errors))
    expect(checks.data).toContainEqual({ code: 'incomplete', severity: 'error', message })
  expect((await ann.patch(`/campaigns/${id}`, { html: '{{A}}', text, status: 'draft' })).status).toBe(200)
})

describe('preview', () => {
  test('200 with the values of a contact, and an unsubscribe link of nobody', async () => {
    const contact = await made('/contacts', {
      email: 'zoe@readers.test',
      first_name: 'Zoe\nA',
      properties: { plan: '<gold>', city: 'Rome' },
    })
    const id = await givenCampaign({ preview_text: 'For {{EMAIL}}', reply_to: 'help@ann.example' })
    const reply = await ann.post(`/campaigns/${id}/preview`, { contact_id: contact.toUpperCase() })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json).toEqual({
      object: 'campaign_preview',
      from: '"Ann" <ann@ann.example>',
      reply_to: 'help@ann.example',
      subject: 'Hello Zoe A',
      html: expect.stringMatching(/^<div style="display:none;/),
      text: null,
      missing: [],
      warnings: [],
    })
    expect(reply.json.html).toContain('>For zoe@readers.test&#847;')
    expect(reply.json.html).toMatch(
      /<p>&lt;gold&gt; in Rome<\/p><a href="https:\/\/api.test\/unsubscribe\/test">leave<\/a>$/,
    )
  })

  test('200 without a contact: fallbacks, and the variables without one, in place', async () => {
    const id = await givenCampaign({
      text: 'Dear {{LAST_NAME}}: {{{RESEND_UNSUBSCRIBE_URL}}} {{ user.name }}',
    })
    const { json } = await ann.post(`/campaigns/${id}/preview`, {})
    expect(json).toMatchObject({ subject: 'Hello there', missing: ['PLAN', 'LAST_NAME'] })
    expect(json.html).toBe(`<p>{{PLAN}} in Paris</p><a href="${TEST_URL}">leave</a>`)
    expect(json.text).toBe(`Dear {{LAST_NAME}}: ${TEST_URL} {{ user.name }}`)
    expect(json.warnings).toMatchObject([{ part: 'text', line: 1 }])
  })

  test('200 for a draft with a name alone, and for a template', async () => {
    const empty = await made('/campaigns', { name: 'Empty' })
    expect((await ann.post(`/campaigns/${empty}/preview`, {})).json).toMatchObject({
      from: null,
      reply_to: null,
      subject: '',
      html: null,
      text: null,
    })
    const template = await made('/templates', {
      name: 'T',
      sender_id: senderId,
      subject: 'Of a template',
      html_content: '<p>{{X}}</p>',
      variables: [{ key: 'X', type: 'string', fallback_value: 'x' }],
      reply_to: 'template@ann.example',
    })
    const id = await givenCampaign({ subject: null, html: null, template_id: template })
    expect((await ann.post(`/campaigns/${id}/preview`, {})).json).toMatchObject({
      subject: 'Of a template',
      html: '<p>x</p>',
      reply_to: 'template@ann.example',
    })
  })

  test('422 for a contact of another account, 404 for its campaign', async () => {
    const bob = await api.givenTeam()
    const theirs = (await bob.post('/contacts', { email: 'a@b.test' })).json.id
    const id = await givenCampaign()
    const reply = await ann.post(`/campaigns/${id}/preview`, { contact_id: theirs })
    expect([reply.status, reply.json.errors]).toEqual([
      422,
      { contact_id: ['The contact_id field must be the id of a contact of this account.'] },
    ])
    for (const path of [id, newId()]) {
      expect((await bob.post(`/campaigns/${path}/preview`, {})).status).toBe(404)
      expect((await bob.get(`/campaigns/${path}/checks`)).status).toBe(404)
    }
  })
})

describe('checks', () => {
  async function findingsOf(id: string): Promise<Finding[]> {
    const reply = await ann.get(`/campaigns/${id}/checks`)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json.object).toBe('campaign_checks')
    return reply.json.data
  }
  const codesOf = async (id: string) => (await findingsOf(id)).map(({ code }) => code)

  async function givenReaders(...readers: Fields[]): Promise<string> {
    const list = await made('/lists', { name: 'L' })
    for (const fields of readers) {
      await made('/contacts', { email: `${newId()}@readers.test`, list_ids: [list], ...fields })
    }
    return list
  }

  test('200 without findings for content and an audience in order', async () => {
    const list_id = await givenReaders({ properties: { plan: 'gold' } })
    expect(await findingsOf(await givenCampaign({ list_id }))).toEqual([])
  })

  test('200 with the errors that keep it from being sent, first', async () => {
    const id = await made('/campaigns', { name: 'Empty' })
    expect(await findingsOf(id)).toEqual(
      [
        'The sender_id field is required.',
        'The subject field is required when template_id is not present.',
        'The html field is required when text and template_id are not present.',
        'The segment_id field is required when list_id and audience.include are not present.',
      ].map((message) => ({ code: 'incomplete', severity: 'error', message })),
    )
    const list_id = await givenReaders({})
    const other = await made('/domains', { name: 'other.example' })
    await api.db.query('delete from verified_domain where domain_id = $1', [other])
    const sender_id = await made('/senders', { name: 'A', username: 'a', domain_id: other })
    const text_content = 'T {{{UNSUBSCRIBE_URL}}}'
    const template = { name: 'T', sender_id, subject: 'S', text_content, status: 'draft' }
    const template_id = await made('/templates', template)
    const own = { subject: null, html: null, list_id, sender_id, template_id }
    await api.db.query('update team set sending_paused_at = now() where id = $1', [ann.id])
    const found = await findingsOf(await givenCampaign(own))
    await api.db.query('update team set sending_paused_at = null where id = $1', [ann.id])
    expect(found.map(({ code, severity }) => [code, severity])).toEqual([
      ['incomplete', 'error'],
      ['sending_paused', 'error'],
      ['domain_unverified', 'error'],
    ])
    expect(found[2]?.message).toContain('other.example')
  })

  test('200 with how many contacts lack a value, without those who unsubscribed', async () => {
    const list_id = await givenReaders(
      { first_name: 'Ann', properties: { plan: 'gold' } },
      { properties: { plan: 'gold' } },
      {},
      { unsubscribed: true },
    )
    const html =
      '{{FIRST_NAME}} {{PLAN}} {{CITY}} {{NOBODY_KNOWS}} {{EMAIL}} {{{LAST_NAME|x}}} {{{UNSUBSCRIBE_URL}}}'
    const found = await findingsOf(await givenCampaign({ list_id, subject: 'Hello', html }))
    expect(found).toEqual(
      [
        '2 contacts have no value for FIRST_NAME, and would get no email. Add a fallback: {{{FIRST_NAME|fallback}}}.',
        '1 contact has no value for PLAN, and would get no email. Add a fallback: {{{PLAN|fallback}}}.',
        'NOBODY_KNOWS is neither a field of contacts nor a property, and has no fallback: no contact would get an email. Add a fallback: {{{NOBODY_KNOWS|fallback}}}.',
      ].map((message) => ({ code: 'missing_value', severity: 'warning', message })),
    )
  })

  test('200 with an estimate that says so, of more contacts than are counted', async () => {
    const list_id = await givenReaders()
    await api.db.query(
      `with added as (
         insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
         select $1, gen_random_uuid(), 'many' || n || '@readers.test', false, now(), now()
         from generate_series(1, 10100) as n
         returning id
       )
       insert into list_member (team_id, list_id, contact_id, created_at)
       select $1, $2, id, now() from added`,
      [ann.id, list_id],
    )
    const found = await findingsOf(await givenCampaign({ list_id, html: '{{PLAN}} {{{UNSUBSCRIBE_URL}}}' }))
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^(?:At least|About) [\d,]+ contacts have no value for PLAN/),
    ])
  })

  test('200 with an empty audience', async () => {
    const list_id = await givenReaders({ unsubscribed: true })
    expect(await codesOf(await givenCampaign({ list_id }))).toEqual(['empty_audience'])
    const condition = { field: 'email', type: 'string', operator: 'contains', value: 'nobody-has-this' }
    const filters = { groups: [{ match_type: 'all', conditions: [condition] }] }
    const segment_id = await made('/segments', { name: 'None', filters })
    expect(await codesOf(await givenCampaign({ list_id: null, segment_id }))).toEqual(['empty_audience'])
  })

  test.each<[string, Fields, string[], string?]>([
    [
      'no link to unsubscribe',
      { html: '<p>a</p>', text: 'b' },
      ['no_unsubscribe_link', 'no_unsubscribe_link'],
    ],
    ["a link in Resend's name", { html: '{{{RESEND_UNSUBSCRIBE_URL}}}' }, []],
    [
      'large html',
      { html: `{{{UNSUBSCRIBE_URL}}}${'é'.repeat(60_000)}` },
      ['html_too_large'],
      'The html has 118 KB before tracking.',
    ],
    [
      'links of a site',
      {
        html: '<a href="/shop">a</a><a href="#">b</a><a href="www.a.test">c</a><a href="https://a.test/?a=1&amp;b">d</a><a href="mailto:a@a.test">e</a><a href="{{SHOP}}/a">f</a><!-- <a href="x"> --><a name="g">{{{UNSUBSCRIBE_URL}}}',
      },
      ['missing_value', 'link_not_absolute'],
      'to work in an email: "/shop", "#", "www.a.test".',
    ],
    [
      'a preview text without html',
      { html: null, text: '{{{UNSUBSCRIBE_URL}}}', preview_text: 'a' },
      ['preview_text_unused'],
    ],
    [
      'text that is no placeholder',
      { subject: 'a {{ a.b }}', preview_text: '{{ c.d }}', html: '\n {{ e.f }}{{{UNSUBSCRIBE_URL}}}' },
      ['placeholder', 'placeholder', 'placeholder'],
      'In the html, line 2, column 2: {{ e.f }} is not a placeholder',
    ],
  ])('200 with warnings of %s', async (_, fields, codes, part = '') => {
    const list_id = await givenReaders({})
    const found = await findingsOf(await givenCampaign({ list_id, subject: 'Hello', html: null, ...fields }))
    expect(found.map(({ code }) => code)).toEqual(codes)
    expect(found.every(({ severity }) => severity === 'warning')).toBe(true)
    expect(found.map(({ message }) => message).join('\n')).toContain(part)
  })
})

/** A second of work; the limit is for processors that other tests share, and does not count their time. */
test.each(['{', '<', '<a href=', '{{A}}', '<body '])('200 for a megabyte of %s', async (part) => {
  const id = await givenCampaign({ html: part.repeat(900_000 / part.length), preview_text: 'a' })
  const before = process.cpuUsage()
  expect([200, 422]).toContain((await ann.post(`/campaigns/${id}/preview`, {})).status)
  expect((await ann.get(`/campaigns/${id}/checks`)).status).toBe(200)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(5000)
})
