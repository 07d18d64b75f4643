import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import type { Sender } from '../support/sendwright.ts'
import { shareSendwright } from '../support/shared-sendwright.ts'
import { makeTemplateSender, type TemplateSender } from '../support/templates.ts'

let world: TemplateSender
let ann: Sender

beforeAll(async () => {
  world = await makeTemplateSender(await shareSendwright('direct'))
  ann = world.team
})

describe('422', () => {
  const unknown = { 'template.id': ['The template.id field must be the id of a template of this account.'] }

  test("with the same message for an unknown template, another team's, and an invalid id", async () => {
    const other = await world.service.givenSender()
    const from = `shop@${other.domain}`
    const theirs = await other.post('/templates', {
      name: 'T',
      from,
      subject: 'S',
      text: 'T',
      alias: 'theirs',
    })
    expect(theirs.status, theirs.text).toBe(201)
    for (const id of [theirs.json.id, newId(), 'theirs', 'no id', "' or 1=1 --"]) {
      expect(await world.errorsOf(id, {}), id).toEqual(unknown)
    }
    expect(await world.errorsOf(undefined)).toEqual({ 'template.id': ['The template.id field is required.'] })
    expect(await world.errorsOf(5)).toEqual({ 'template.id': ['The template.id field must be a string.'] })
    expect(await world.errorsOf('')).toEqual({ 'template.id': ['The template.id field is required.'] })
    const reply = await ann.post('/emails', { to: 'x@y.test', template: 'x' })
    expect(reply.json.errors).toEqual({ template: ['The template field must be an object.'] })
  })

  test('for a draft', async () => {
    const { id } = await world.given({ status: 'draft' })
    expect(await world.errorsOf(id, { NAME: 'x' })).toEqual({
      'template.id': ['The template is a draft: only published templates can be used for sending.'],
    })
  })

  test('for every variable without a value or a fallback', async () => {
    const { id } = await world.given({ text_content: '{{B}}{{__proto__}}{{constructor}}' })
    const missing = (key: string) => [`The template variable ${key} is required.`]
    const expected = {
      'template.variables.NAME': missing('NAME'),
      'template.variables.B': missing('B'),
      'template.variables.__proto__': missing('__proto__'),
      'template.variables.constructor': missing('constructor'),
    }
    expect(await world.errorsOf(id)).toEqual(expected)
    expect(await world.errorsOf(id, {})).toEqual(expected)
    const reply = await ann.post('/emails', world.email(id, {}))
    expect(reply.json.message).toBe('The template variable NAME is required.')
  })

  test.each([
    [null, 'The template.variables.NAME field must be a string or a number.'],
    [true, 'The template.variables.NAME field must be a string or a number.'],
    [['x'], 'The template.variables.NAME field must be a string or a number.'],
    [{ a: 1 }, 'The template.variables.NAME field must be a string or a number.'],
    ['a\u0000b', 'The template.variables.NAME field must not contain the character U+0000.'],
    ['\ud800', 'The template.variables.NAME field must be valid Unicode text.'],
  ])('for the value %j', async (value, message) => {
    const { id } = await world.given()
    expect(await world.errorsOf(id, { NAME: value })).toEqual({ 'template.variables.NAME': [message] })
  })

  test('for a text instead of a number', async () => {
    const { id } = await world.given({ variables: [{ key: 'NAME', type: 'number' }] })
    expect(await world.errorsOf(id, { NAME: 'x' })).toEqual({
      'template.variables.NAME': ['The template.variables.NAME field must be a number.'],
    })
  })

  test('for a subject that is empty or too long when rendered', async () => {
    const { id } = await world.given({ subject: '{{NAME}}' })
    expect(await world.errorsOf(id, { NAME: '' })).toEqual({ subject: ['The subject field is required.'] })
    await world.accepted(id, { NAME: '😀'.repeat(998) })
    expect(await world.errorsOf(id, { NAME: 'x'.repeat(999) })).toEqual({
      subject: ['The subject field must not be greater than 998 characters.'],
    })
  })

  test('for other errors in the request, as without a template', async () => {
    const { id } = await world.given()
    const errors = await world.errorsOf(id, { NAME: 'x' }, { to: undefined, reply_to: 'x', subject: '' })
    expect(errors).toEqual({
      to: ['The to field is required.'],
      reply_to: ['The reply_to field must be a valid email address.'],
      subject: ['The subject field is required.'],
    })
    expect((await ann.post('/emails', { to: 'x@y.test' })).json.errors).toEqual({
      from: ['The from field is required.'],
      subject: ['The subject field is required.'],
      html: ['The html field is required when text is not present.'],
      text: ['The text field is required when html is not present.'],
    })
  })

  test("for a template whose sender's domain is not verified", async () => {
    const domain = (await ann.post('/domains', { name: 'pending.test' })).json
    const { id } = await world.given({ sender_id: await world.givenSender({ domain_id: domain.id }) })
    expect(await world.errorsOf(id, { NAME: 'x' })).toEqual({
      from: ['The from address domain is not verified.'],
    })
  })
})

describe('persistence', () => {
  test('200; an email has its template, and can be filtered by it', async () => {
    const { id } = await world.given({ name: 'Welcome' })
    const emailId = await world.accepted(id, { NAME: 'x' })
    const plain = await ann.send()
    const template = { id, name: 'Welcome' }
    await ann.put(`/templates/${id}`, { name: 'Renamed' })
    expect((await ann.get(`/emails/${emailId}`)).json.template).toEqual(template)
    expect((await ann.get(`/emails/${plain}`)).json.template).toBeNull()
    for (const path of [id, id.toUpperCase()]) {
      const { data, meta } = (await ann.get(`/emails?template_id=${path}`)).json
      expect(data.map((email: { id: string; template: object }) => [email.id, email.template])).toEqual([
        [emailId, template],
      ])
      expect(meta.total).toBe(1)
    }
    expect((await ann.get(`/emails?template_id=${newId()}`)).json.data).toEqual([])
  })

  test('a scheduled email does not change when its template is changed and deleted', async () => {
    const { id } = await world.given()
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    const emailId = await world.accepted(id, { NAME: 'x' }, { scheduled_at })
    const before = (await ann.get(`/emails/${emailId}`)).json
    await ann.put(`/templates/${id}`, { subject: 'Other', html_content: 'other', name: 'Other' })
    expect((await ann.delete(`/templates/${id}`)).status).toBe(200)
    expect((await ann.get(`/emails/${emailId}`)).json).toEqual(before)
    expect(before).toMatchObject({ subject: 'For x', template: { id, name: 'Receipt' } })
    expect(await world.errorsOf(id, { NAME: 'x' })).toHaveProperty(['template.id'])
  })

  test('a change, an unpublishing and a deletion in any process apply to the next email', async () => {
    const { id } = await world.given({ text_content: 'one' })
    const textOf = async () =>
      (await ann.get(`/emails/${await world.accepted(id, { NAME: 'x' })}`)).json.text.trim()
    expect(await textOf()).toBe('one')
    await ann.put(`/templates/${id}`, { text_content: 'two' })
    expect(await textOf()).toBe('two')
    // Simulates another process.
    await world.service.db.query(
      "update template set text_content = 'three', version = version + 1 where id = $1",
      [id],
    )
    expect(await textOf()).toBe('three')
    await ann.put(`/senders/${world.senderId}`, { name: 'Renamed' })
    expect((await ann.get(`/emails/${await world.accepted(id, { NAME: 'x' })}`)).json.from).toMatch(
      /^Renamed </,
    )
    await world.service.db.query("update template set status = 'draft' where id = $1", [id])
    expect(await world.errorsOf(id, { NAME: 'x' })).toHaveProperty(['template.id'])
    await world.service.db.query("update template set status = 'published' where id = $1", [id])
    expect(await textOf()).toBe('three')
    await world.service.db.query('delete from template where id = $1', [id])
    expect(await world.errorsOf(id, { NAME: 'x' })).toHaveProperty(['template.id'])
  })

  test('the same Idempotency-Key returns the first email after the template is deleted', async () => {
    const { id } = await world.given()
    const headers = { 'idempotency-key': newId() }
    const first = await ann.post('/emails', world.email(id, { NAME: 'x' }), headers)
    await ann.delete(`/templates/${id}`)
    const again = await ann.post('/emails', world.email(id, { NAME: 'x' }), headers)
    expect([again.status, again.json]).toEqual([202, first.json])
  })
})

describe('a batch', () => {
  test('202; each item has its template and values', async () => {
    const [one, two] = [await world.given({ name: 'One' }), await world.given({ name: 'Two', alias: 'two' })]
    const items = [
      world.email(one.id, { NAME: 'a' }),
      ann.email({ subject: 'plain' }),
      world.email('two', { NAME: 'b' }),
    ]
    const reply = await ann.post('/emails/batch', items)
    expect(reply.status, reply.text).toBe(202)
    const emails = await Promise.all(
      reply.json.data.map(async ({ id }: { id: string }) => (await ann.get(`/emails/${id}`)).json),
    )
    expect(emails.map(({ subject, template }) => [subject, template?.name ?? null])).toEqual([
      ['For a', 'One'],
      ['plain', null],
      ['For b', 'Two'],
    ])
    expect(two.id).toBe(emails[2].template.id)
  })

  test('422 under the index of the item; a permissive batch accepts the others', async () => {
    const { id } = await world.given()
    const items = [world.email(id, { NAME: 'a' }), world.email(id, {}), world.email(newId(), {})]
    const whole = await ann.post('/emails/batch', items)
    expect(whole.status).toBe(422)
    expect(Object.keys(whole.json.errors)).toEqual(['1.template.variables.NAME', '2.template.id'])
    const permissive = await ann.post('/emails/batch', items, { 'x-batch-validation': 'permissive' })
    expect(permissive.status).toBe(202)
    expect(permissive.json.data).toHaveLength(1)
    expect(permissive.json.errors.map((error: { index: number }) => error.index)).toEqual([1, 2])
  })
})

test("403 for a key of another domain than the template's sender", async () => {
  const domain = (await ann.post('/domains', { name: 'restricted.test' })).json
  const key = await ann.givenKey({ permission: 'send', domainId: domain.id })
  const { id } = await world.given()
  const reply = await key.post('/emails', world.email(id, { NAME: 'x' }))
  expect([reply.status, reply.json.name]).toEqual([403, 'restricted_api_key'])
  expect((await key.get('/templates')).status).toBe(403)
})

test('202 for 300 concurrent emails from five templates, each with its content', async () => {
  const templates = await Promise.all(
    Array.from({ length: 5 }, (_, no) => world.given({ subject: `T${no} {{NAME}}` })),
  )
  const ids = await Promise.all(
    Array.from({ length: 300 }, (_, i) => world.accepted(templates[i % 5]?.id, { NAME: `n${i}` })),
  )
  const rows = await world.service.db.query<{ id: string; subject: string }>(
    'select id, subject from email where team_id = $1 and id = any($2)',
    [ann.id, ids],
  )
  const subjects = new Map(rows.map((row) => [row.id, row.subject]))
  expect(ids.map((id) => subjects.get(id))).toEqual(ids.map((_, i) => `T${i % 5} n${i}`))
})

test('202 and no mail for a suppressed address', async () => {
  const to = `eve@${world.service.givenDestination()}`
  await ann.post('/suppressions', { email: to.toUpperCase() })
  const { id } = await world.given()
  const email = await ann.settled(await world.accepted(id, { NAME: 'x' }, { to: `Eve <${to}>` }))
  expect(email.status).toBe('suppressed')
  expect(world.service.mx.commands.filter(({ line }) => line.includes(to))).toEqual([])
})
