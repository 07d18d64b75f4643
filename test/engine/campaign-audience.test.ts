import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
beforeAll(async () => {
  service = await startTestSendwright()
})
afterAll(() => service.stop())

type Fields = Record<string, unknown>

async function made(ann: Sender, path: string, body: Fields): Promise<string> {
  const reply = await ann.post(path, body)
  expect(reply.status, reply.text).toBe(201)
  return reply.json.id
}

async function given() {
  const ann = await service.givenSender({ plan: 'unlimited' })
  const to = service.givenDestination()
  const senderId = await made(ann, '/senders', { name: 'Ann', username: 'ann', domain_id: ann.domainId })
  const list = () => made(ann, '/lists', { name: 'L' })
  const contact = (name: string, ...list_ids: string[]) =>
    made(ann, '/contacts', { email: `${name}@${to}`, first_name: name, list_ids })
  const segment = (value: string) => {
    const conditions = [{ field: 'email', type: 'string', operator: 'contains', value }]
    return made(ann, '/segments', { name: 'S', filters: { groups: [{ match_type: 'all', conditions }] } })
  }
  const campaign = (fields: Fields) =>
    made(ann, '/campaigns', { name: 'C', sender_id: senderId, subject: 'Hello', text: 'Hi', ...fields })
  return { ann, to, list, contact, segment, campaign }
}
type World = Awaited<ReturnType<typeof given>>

const storedOf = ({ to }: World) => service.mx.messages.filter((message) => message.to[0]?.endsWith(`@${to}`))
const namesOf = (world: World) =>
  storedOf(world)
    .map((message) => message.to[0]?.split('@')[0])
    .sort()

async function send(world: World, id: string) {
  const reply = await world.ann.patch(`/campaigns/${id}`, { status: 'sending' })
  expect(reply.status, reply.text).toBe(200)
  const read = async () => (await world.ann.get(`/campaigns/${id}`)).json
  await expect.poll(async () => (await read()).status).toBe('sent')
  return read()
}

test('sent once to everybody in two lists and a segment, without those of a list and a segment', async () => {
  const world = await given()
  const { list, contact, segment, campaign } = world
  const [a, b, out] = [await list(), await list(), await list()]
  await contact('first', a)
  await contact('both', a, b)
  await contact('second', b)
  await contact('named-vip')
  await contact('named-out', out)
  await contact('left', a, out)
  await contact('banned', b)
  await contact('stranger')
  const audience = {
    include: [{ list_id: a }, { list_id: b }, { segment_id: await segment('named') }],
    exclude: [{ list_id: out }, { segment_id: await segment('banned') }],
  }
  const { recipients } = await send(world, await campaign({ audience }))
  expect(recipients).toEqual({ waiting: 0, accepted: 4, skipped: 0, failed: 0 })
  await expect.poll(() => namesOf(world)).toEqual(['both', 'first', 'named-vip', 'second'])
  const scopes = await service.db.query(
    'select distinct unsubscribe_scope as scope from email_content where team_id = $1',
    [world.ann.id],
  )
  expect(scopes).toEqual([{ scope: 'topic:Campaigns' }])
})

test('sent to a list without another, which those who unsubscribe leave', async () => {
  const world = await given()
  const { ann, list, contact, campaign } = world
  const [a, out] = [await list(), await list()]
  await contact('in', a)
  await contact('out', a, out)
  await send(world, await campaign({ list_id: a, audience: undefined }))
  await expect.poll(() => namesOf(world)).toEqual(['in', 'out'])
  await send(world, await campaign({ audience: { include: [{ list_id: a }], exclude: [{ list_id: out }] } }))
  await expect.poll(() => namesOf(world)).toEqual(['in', 'in', 'out'])
  const scopes = await service.db.query(
    'select distinct unsubscribe_scope as scope from email_content where team_id = $1',
    [ann.id],
  )
  expect(scopes).toEqual([{ scope: `list:${a}` }])
})

test('a contact whose value is missing is not left out by a segment that tests it', async () => {
  const world = await given()
  const { ann, list, contact, campaign, to } = world
  const a = await list()
  await contact('Ann', a)
  await made(ann, '/contacts', { email: `nameless@${to}`, list_ids: [a] })
  const conditions = [{ field: 'first_name', type: 'string', operator: 'equals', value: 'Ann' }]
  const filters = { groups: [{ match_type: 'all', conditions }] }
  const anns = await made(ann, '/segments', { name: 'Anns', filters })
  const audience = { include: [{ list_id: a }], exclude: [{ segment_id: anns }] }
  await send(world, await campaign({ audience }))
  await expect.poll(() => namesOf(world)).toEqual(['nameless'])
})

test('the preview text and the reply address reach recipients, with their values', async () => {
  const world = await given()
  const { list, contact, campaign } = world
  const a = await list()
  await contact('Zoe', a)
  await send(
    world,
    await campaign({
      ...{ list_id: a, reply_to: 'Help <help@elsewhere.test>', text: null },
      preview_text: 'For {{{FIRST_NAME|you}}} & <friends>',
      html: '<!doctype html><html><body class="a>b"><p>Content</p></body></html>',
    }),
  )
  await expect.poll(() => storedOf(world).length).toBe(1)
  const raw = storedOf(world)[0]?.raw.toString() ?? ''
  expect(raw).toMatch(/^Reply-To: Help <help@elsewhere\.test>\r$/m)
  const [textPart = '', htmlPart = ''] = raw.replaceAll('=\r\n', '').split('text/html')
  expect(textPart).toContain('Content')
  expect(textPart).not.toContain('friends')
  const hidden = /<body class=3D"a>b"><div style=3D"display:none;[^"]*">([^<]*)<\/div><p>Content/.exec(
    htmlPart,
  )
  expect(hidden?.[1]).toMatch(/^For Zoe &amp; &lt;friends&gt;(?:&#847;&#8204;&#160;){150}$/)
})

test('a test reaches addresses that are no contacts, with links that change nothing, and uses the quota', async () => {
  const world = await given()
  const { ann, to, list, contact, campaign } = world
  const a = await list()
  await contact('Zoe', a)
  await ann.post('/suppressions', { email: `gone@${to}` })
  const html = '<p>{{FIRST_NAME}}</p><a href="{{{UNSUBSCRIBE_URL}}}">leave</a>'
  const id = await campaign({ subject: 'Hi {{{FIRST_NAME|you}}}', html, text: null, preview_text: 'Soon' })
  const reply = await ann.post(`/campaigns/${id}/test`, {
    to: ['zoe', 'new', 'gone'].map((name) => `${name}@${to}`),
  })
  expect(reply.status, reply.text).toBe(202)
  const emails = reply.json.emails as { to: string; id: string | null; message: string | null }[]
  expect(emails).toEqual([
    { to: `zoe@${to}`, id: expect.any(String), message: null, missing: [] },
    { to: `new@${to}`, id: expect.any(String), message: null, missing: ['FIRST_NAME'] },
    {
      ...{ to: `gone@${to}`, id: null, missing: ['FIRST_NAME'] },
      message: 'The recipient is suppressed or has unsubscribed.',
    },
  ])
  await expect.poll(() => namesOf(world)).toEqual(['new', 'zoe'])
  const raws = storedOf(world).map(({ raw }) => raw.toString().replaceAll('=\r\n', ''))
  const subjects = raws.map((raw) => /^Subject: (.*)\r$/m.exec(raw)?.[1]).sort()
  expect(subjects).toEqual(['[Test] Hi Zoe', '[Test] Hi you'])
  for (const raw of raws) {
    const links = [...raw.matchAll(/http[^"\s<>]*\/unsubscribe\/([\w.-]+)/g)].map(([, token]) => token)
    expect(links.length).toBeGreaterThanOrEqual(2)
    expect(new Set(links)).toEqual(new Set(['test']))
  }
  const page = await fetch(`${service.url}/unsubscribe/test`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('This link is from a test')])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const path of ['/unsubscribe/test', '/unsubscribe/test/undo']) {
    const body = 'List-Unsubscribe=One-Click'
    expect((await fetch(`${service.url}${path}`, { method: 'POST', headers, body })).status).toBe(200)
  }
  const state = (await ann.get(`/contacts/zoe@${to}`)).json
  expect(state).toMatchObject({ unsubscribed: false, lists: [{ id: a }] })
  const used = 'select month_recipients::int4 as recipients from usage where team_id = $1'
  expect(await service.db.query(used, [ann.id])).toEqual([{ recipients: 2 }])
  expect((await ann.get(`/campaigns/${id}`)).json).toMatchObject({
    status: 'draft',
    recipients: { accepted: 0 },
  })
})

test('a test is refused for content that is incomplete and for addresses that are invalid, not for the audience', async () => {
  const world = await given()
  const { ann, to, campaign } = world
  const id = await campaign({ subject: null, text: null })
  const refused = await ann.post(`/campaigns/${id}/test`, { to: [`a@${to}`, 'nobody'] })
  expect([refused.status, refused.json.errors]).toEqual([
    422,
    { 'to.1': ['The to.1 field must be a valid email address.'] },
  ])
  const incomplete = await ann.post(`/campaigns/${id}/test`, { to: [`a@${to}`] })
  expect(Object.keys(incomplete.json.errors)).toEqual(['subject', 'html'])
  const many = Array.from({ length: 11 }, (_, no) => `a${no}@${to}`)
  expect((await ann.post(`/campaigns/${id}/test`, { to: many })).status).toBe(422)
  await ann.patch(`/campaigns/${id}`, { subject: 'S', text: 'T' })
  await service.db.query('delete from verified_domain where team_id = $1', [ann.id])
  const { emails } = (await ann.post(`/campaigns/${id}/test`, { to: [`a@${to}`] })).json
  expect(emails).toEqual([
    { to: `a@${to}`, id: null, message: 'The from address domain is not verified.', missing: [] },
  ])
})
