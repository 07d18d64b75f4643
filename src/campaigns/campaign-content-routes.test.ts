import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { contactRoutes } from '../audience/contacts/contacts-routes.ts'
import { listRoutes } from '../audience/lists/lists-routes.ts'
import { propertyRoutes } from '../audience/properties/properties-routes.ts'
import { segmentRoutes } from '../audience/segments/segments-routes.ts'
import { domainRoutes } from '../domains/domains-routes.ts'
import { senderRoutes } from '../domains/senders-routes.ts'
import { newId } from '../lib/ids.ts'
import { suppressionRoutes } from '../suppressions/suppressions-routes.ts'
import { templateRoutes } from '../templates/templates-routes.ts'
import { campaignContentRoutes } from './campaign-content-routes.ts'
import { campaignRoutes } from './campaigns-routes.ts'

type Fields = Record<string, unknown>

let api: Api
let ann: GivenTeam
let bob: GivenTeam
let domainId: string
let senderId: string

beforeAll(async () => {
  api = await startApi({
    routes: [
      ...[...domainRoutes, ...senderRoutes, ...templateRoutes, ...propertyRoutes, ...contactRoutes],
      ...[...listRoutes, ...segmentRoutes, ...suppressionRoutes, ...campaignRoutes],
      ...campaignContentRoutes,
    ],
    deps: { secret: randomBytes(32) },
  })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
  domainId = await made('/domains', { name: 'ann.example' })
  senderId = await made('/senders', { name: 'Ann', username: 'ann', domain_id: domainId })
})
afterAll(() => api.stop())

async function made(path: string, body: Fields): Promise<string> {
  const reply = await ann.post(path, body)
  expect(reply.status, reply.text).toBe(201)
  return reply.json.id
}

let counter = 0
const list = () => made('/lists', { name: 'L' })
const contact = (fields: Fields = {}) => made('/contacts', { email: `c${++counter}@x.test`, ...fields })
const campaign = (fields: Fields = {}) => made('/campaigns', { name: 'C', sender_id: senderId, ...fields })

describe('POST /campaigns/audience', () => {
  const count = async (body: Fields) => {
    const reply = await ann.post('/campaigns/audience', body)
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  }

  test('200 with who would get it, who would not and why, each contact once', async () => {
    const [a, b, out] = [await list(), await list(), await list()]
    const first = await contact({ first_name: 'Zoe', list_ids: [a] })
    const both = await contact({ list_ids: [a, b] })
    await contact({ list_ids: [b, out] })
    await contact({ list_ids: [b], unsubscribed: true })
    await contact({ email: 'gone@x.test', list_ids: [b] })
    await ann.post('/suppressions', { email: 'gone@x.test' })
    const audience = { include: [{ list_id: a }, { list_id: b }], exclude: [{ list_id: out }] }
    const answer = await count({ audience })
    expect(answer).toEqual({
      object: 'campaign_audience',
      ...{ count: 2, unsubscribed: 1, suppressed: 1, is_estimated: false },
      contacts: [
        { id: both, email: expect.any(String), first_name: '', last_name: '' },
        { id: first, email: expect.any(String), first_name: 'Zoe', last_name: '' },
      ],
    })
    expect(await count({ list_id: a })).toMatchObject({ count: 2, unsubscribed: 0, suppressed: 0 })
    expect(await count({})).toMatchObject({ count: 0, contacts: [] })
  })

  test('200 with at most ten contacts, and those who left the list or the campaigns counted as unsubscribed', async () => {
    const a = await list()
    for (let no = 0; no < 12; no++) await contact({ list_ids: [a] })
    await contact({ email: 'left@x.test', list_ids: [a] })
    await api.db.query(
      `insert into unsubscription (team_id, scope, email, id, source, left_list, created_at)
       values ($1, $2, 'left@x.test', $3, 'api', false, now())`,
      [ann.id, `list:${a}`, newId()],
    )
    const answer = await count({ list_id: a })
    expect(answer).toMatchObject({ count: 12, unsubscribed: 1 })
    expect(answer.contacts).toHaveLength(10)
  })

  test('422 for both forms and for lists of other teams', async () => {
    const a = await list()
    const both = await ann.post('/campaigns/audience', {
      list_id: a,
      audience: { include: [{ list_id: a }] },
    })
    expect(both.json.message).toBe('The audience field must not be combined with list_id or segment_id.')
    const foreign = await bob.post('/campaigns/audience', { list_id: a })
    expect(foreign.json.errors).toEqual({
      list_id: ['The list_id field must be the id of a list of this account.'],
    })
  })
})

describe('POST /campaigns/{id}/preview', () => {
  test('200 as a contact would get it, with an unsubscribe link that changes nothing', async () => {
    await made('/properties', { key: 'plan', type: 'string', fallback_value: 'basic' })
    const id = await campaign({
      subject: 'Hello {{{FIRST_NAME|you}}}',
      preview_text: 'On {{PLAN}}',
      html: '<p>{{EMAIL}} {{CITY}}</p><a href="{{{UNSUBSCRIBE_URL}}}">leave</a>',
      text: '{% if x %}',
    })
    const nobody = (await ann.post(`/campaigns/${id}/preview`, {})).json
    expect(nobody).toMatchObject({
      ...{ object: 'campaign_preview', id, contact_id: null, subject: 'Hello you', text: '{% if x %}' },
      missing: ['EMAIL', 'CITY'],
      warnings: [{ part: 'text', line: 1, column: 1 }],
    })
    expect(nobody.html).toMatch(
      /^<div style="display:none[^>]*>On basic(?:&#847;&#8204;&#160;)+<\/div><p>\{\{EMAIL}}/,
    )
    expect(nobody.html).toContain('<a href="https://api.test/unsubscribe/test">leave</a>')
    const email = 'zoe@x.test'
    const contact_id = await contact({ email, first_name: 'Zoe', properties: { plan: 'gold' } })
    const zoe = (await ann.post(`/campaigns/${id}/preview`, { contact_id })).json
    expect(zoe).toMatchObject({ contact_id, subject: 'Hello Zoe', missing: ['CITY'] })
    expect(zoe.html).toContain('>On gold&')
    expect(zoe.html).toContain('<p>zoe@x.test {{CITY}}</p>')
  })

  test('200 with the content of the template, and for a campaign without content', async () => {
    const template_id = await made('/templates', {
      ...{ name: 'T', sender_id: senderId, subject: 'S {{X}}', html_content: '<body>Hi</body>' },
      variables: [{ key: 'X', type: 'string', fallback_value: 'x' }],
    })
    const id = await campaign({ template_id, preview_text: '<b> {{{X|y}}}' })
    const { subject, html } = (await ann.post(`/campaigns/${id}/preview`, {})).json
    expect(subject).toBe('S x')
    expect(html).toMatch(/^<body><div style="[^"]*">&lt;b&gt; y&#847;.*<\/div>Hi<\/body>$/)
    const empty = (await ann.post(`/campaigns/${await campaign()}/preview`, {})).json
    expect(empty).toMatchObject({ subject: '', html: null, text: null, missing: [] })
  })

  test('422 for a contact of another team, 404 for a campaign of another', async () => {
    const id = await campaign()
    const reply = await ann.post(`/campaigns/${id}/preview`, { contact_id: newId() })
    expect(reply.json.message).toBe('The contact_id field must be the id of a contact of this account.')
    for (const ask of ['preview', 'test']) {
      expect((await bob.post(`/campaigns/${id}/${ask}`, { to: ['a@x.test'] })).status).toBe(404)
    }
    expect((await bob.get(`/campaigns/${id}/checks`)).status).toBe(404)
  })
})

describe('preview text and reply address', () => {
  test('200 with both, which null and an empty text clear', async () => {
    const id = await campaign({ preview_text: 'Soon', reply_to: 'Help <help@x.test>' })
    const read = async () => (await ann.get(`/campaigns/${id}`)).json
    expect(await read()).toMatchObject({ preview_text: 'Soon', reply_to: 'Help <help@x.test>' })
    await ann.patch(`/campaigns/${id}`, { preview_text: '', reply_to: null })
    expect(await read()).toMatchObject({ preview_text: null, reply_to: null })
  })

  test.each([
    [{ preview_text: 'a\nb' }, 'The preview_text field must not contain line breaks or control characters.'],
    [{ preview_text: 'a'.repeat(256) }, 'The preview_text field must not be greater than 255 characters.'],
    [{ reply_to: 'nobody' }, 'The reply_to field must be a valid email address.'],
  ])('422 for %j', async (fields, message) => {
    const reply = await ann.post('/campaigns', { name: 'C', ...fields })
    expect([reply.status, reply.json.message]).toEqual([422, message])
  })
})

describe('GET /campaigns/{id}/checks', () => {
  const checks = async (id: string): Promise<{ code: string; severity: string; message: string }[]> => {
    const reply = await ann.get(`/campaigns/${id}/checks`)
    expect(reply.status, reply.text).toBe(200)
    return reply.json.checks
  }
  const codes = async (id: string) => (await checks(id)).map(({ code }) => code)
  const leave = '<a href="{{{UNSUBSCRIBE_URL}}}">leave</a>'
  const verify = () =>
    api.db.query(
      'insert into verified_domain (name, team_id, domain_id) values ($1, $2, $3) on conflict do nothing',
      ['ann.example', ann.id, domainId],
    )

  test('200 with the errors that sending would return', async () => {
    const id = await campaign({ sender_id: null })
    const found = await checks(id)
    const refused = await ann.patch(`/campaigns/${id}`, { status: 'sending' })
    expect(found.map(({ message }) => message)).toEqual(Object.values(refused.json.errors).flat())
    expect(new Set(found.map(({ code, severity }) => `${code} ${severity}`))).toEqual(
      new Set(['incomplete error']),
    )
  })

  test('200 with an error while the domain is not verified or sending is paused', async () => {
    const a = await list()
    await contact({ list_ids: [a] })
    const id = await campaign({ list_id: a, subject: 'S', html: leave })
    await api.db.query('delete from verified_domain where team_id = $1', [ann.id])
    await api.db.query('update team set sending_paused_at = now() where id = $1', [ann.id])
    expect(await codes(id)).toEqual(['unverified_domain', 'sending_paused'])
    await verify()
    await api.db.query('update team set sending_paused_at = null where id = $1', [ann.id])
    expect(await checks(id)).toEqual([])
  })

  test('200 with warnings about content', async () => {
    await verify()
    const a = await list()
    await contact({ list_ids: [a] })
    const html = `<a href="/offer">a</a><a href="https://x.test">b</a><a href="#top">c</a><a href="mailto:a@x.test">d</a>`
    const id = await campaign({ list_id: a, subject: 'S', html, text: '{{UNSUBSCRIBE_URL}} *|NAME|*' })
    const found = await checks(id)
    expect(found.map(({ code }) => code)).toEqual(['no_unsubscribe_link', 'relative_link', 'placeholder'])
    expect(found[0]?.message).toMatch(/^The HTML has no \{\{\{UNSUBSCRIBE_URL}}}\./)
    expect(found[1]?.message).toBe('Links must begin with https:// or mailto:. These do not work: /offer.')
    expect(found[2]?.message).toMatch(/^Line 1, column 21 of the text: /)
    await ann.patch(`/campaigns/${id}`, { html: `${leave}${'é'.repeat(53_000)}`, text: null })
    expect(await codes(id)).toEqual(['html_too_large'])
    await ann.patch(`/campaigns/${id}`, { html: null, text: '{{UNSUBSCRIBE_URL}}', preview_text: '*|X|*' })
    expect(await codes(id)).toEqual(['no_preview', 'placeholder'])
  })

  test('200 with the number of contacts that lack a value, and a warning for an empty audience', async () => {
    await verify()
    const a = await list()
    const html = `${leave}{{FIRST_NAME}} {{LAST_NAME}} {{{CITY|here}}}`
    const id = await campaign({ list_id: a, subject: 'S', html })
    expect(await codes(id)).toEqual(['empty_audience'])
    await contact({ list_ids: [a], first_name: 'A', last_name: 'B' })
    await contact({ list_ids: [a], first_name: 'A' })
    await contact({ list_ids: [a], unsubscribed: true })
    expect(await checks(id)).toEqual([
      {
        ...{ code: 'missing_values', severity: 'warning' },
        message:
          '1 of 2 contacts have no value for LAST_NAME and would get no email. Give it a fallback: {{{LAST_NAME|fallback}}}.',
      },
    ])
    await api.db.query(
      `with c as (
         insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
         select $1, gen_random_uuid(), 'n' || n || '@many.test', false, now(), now()
         from generate_series(1, 1000) as n
         returning id
       )
       insert into list_member (team_id, list_id, contact_id, created_at)
       select $1, $2, id, now() from c`,
      [ann.id, a],
    )
    expect((await checks(id)).map(({ message }) => message)[0]).toMatch(
      /of a sample of 1000 contacts have no/,
    )
  })
})
