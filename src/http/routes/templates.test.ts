import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../../../test/support/sendwright.ts'
import { newId } from '../../base/ids.ts'

let service: TestSendwright
let team: Sender
let senderId: string
beforeAll(async () => {
  service = await startTestSendwright({ roles: ['api'], environment: { SENDWRIGHT_DELIVERY: 'capture' } })
  team = await service.givenSender()
  senderId = await givenSender(team, 'shop')
})
afterAll(() => service.stop())

async function givenSender(owner: Sender, username: string): Promise<string> {
  return (await owner.post('/senders', { name: 'The Shop', username, domain_id: owner.domainId })).json.id
}

const template = (fields: Record<string, unknown> = {}) => ({
  name: 'Receipt',
  sender_id: senderId,
  subject: 'Hi {{NAME}}',
  html_content: '<p>{{NAME}}</p>',
  ...fields,
})

async function given(fields: Record<string, unknown> = {}) {
  const reply = await team.post('/templates', template(fields))
  expect(reply.status, reply.text).toBe(201)
  return reply.json
}

async function refused(fields: Record<string, unknown>): Promise<Record<string, string[]>> {
  const reply = await team.post('/templates', template(fields))
  expect([reply.status, reply.json.name], reply.text).toEqual([422, 'validation_error'])
  expect(reply.json.message).toBe(Object.values(reply.json.errors as Record<string, string[]>)[0]?.[0])
  return reply.json.errors
}

describe('POST /templates', () => {
  test('201 with all that was given, and the sender', async () => {
    const folder = (await team.post('/template-folders', { name: 'F' })).json.id
    const variables = [
      { key: 'NAME', type: 'string', fallback_value: 'friend' },
      { key: 'TOTAL', type: 'number', fallback_value: '0' },
      { key: 'X', type: 'string' },
    ]
    const made = await given({
      folder_id: folder,
      text_content: '{{NAME}}',
      reply_to: 'Help <help@acme.test>',
      variables,
      alias: 'receipt-1',
    })
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(made).toEqual({
      object: 'template',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      folder_id: folder,
      name: 'Receipt',
      alias: 'receipt-1',
      subject: 'Hi {{NAME}}',
      html_content: '<p>{{NAME}}</p>',
      text_content: '{{NAME}}',
      reply_to: 'Help <help@acme.test>',
      status: 'published',
      sender: {
        object: 'sender',
        id: senderId,
        domain_id: team.domainId,
        name: 'The Shop',
        username: 'shop',
        email: `shop@${team.domain}`,
        reply_to: `shop@${team.domain}`,
        created_at: time,
        updated_at: time,
      },
      variables,
      from: `The Shop <shop@${team.domain}>`,
      html: '<p>{{NAME}}</p>',
      text: '{{NAME}}',
      version: 1,
      published_at: time,
      created_at: time,
      updated_at: made.created_at,
    })
    expect((await team.get(`/templates/${made.id}`)).json).toEqual(made)
  })

  test('201 with strings where service.md says string, whatever was left out', async () => {
    const made = await given({ reply_to: null, text_content: '', folder_id: null, alias: null })
    expect(made).toMatchObject({
      text_content: '',
      reply_to: '',
      folder_id: null,
      alias: null,
      variables: [],
      status: 'published',
    })
    expect(await given({ html_content: undefined, text_content: 'x' })).toMatchObject({ html_content: '' })
  })

  test("201 by Resend's names, as its SDK sends them", async () => {
    const reply = await team.post('/templates', {
      name: 'R',
      subject: 'S',
      html: '<p>x</p>',
      text: 'x',
      alias: 'by-resend',
      from: `Anybody <SHOP@${team.domain.toUpperCase()}>`,
      reply_to: ['help@acme.test'],
      variables: [{ key: 'N', type: 'number', fallback_value: 5 }],
    })
    expect(reply.status, reply.text).toBe(201)
    expect(reply.json).toMatchObject({
      html_content: '<p>x</p>',
      text_content: 'x',
      reply_to: 'help@acme.test',
      sender: { id: senderId, name: 'The Shop' },
      variables: [{ key: 'N', type: 'number', fallback_value: '5' }],
    })
  })

  test('201 makes the sender that `from` names, once for many at once', async () => {
    const from = `"Acme, Inc." <news@${team.domain}>`
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => team.post('/templates', template({ sender_id: undefined, from }))),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => reply.json.sender.id)).size).toBe(1)
    expect(replies[0]?.json.sender).toMatchObject({ name: 'Acme, Inc.', email: `news@${team.domain}` })
    const bare = await given({ sender_id: undefined, from: `plain@${team.domain}` })
    expect(bare.sender.name).toBe('plain')
  })

  test('422 for a `from` that is none or of no domain of the account, and no sender is made', async () => {
    const other = await service.givenSender()
    const countSenders = async () => (await team.get('/senders')).json.meta.total
    const before = await countSenders()
    const unverified = ['The from address domain is not verified.']
    const invalid = ['The from field must be a valid email address.']
    for (const [from, messages] of [
      [`x@${other.domain}`, unverified],
      ['x@nowhere.test', unverified],
      ['x', invalid],
      [`"a b"@${team.domain}`, invalid],
      [`${'n'.repeat(256)} <x@${team.domain}>`, invalid],
      [`x@${team.domain}\r\nBcc: a@b.test`, invalid],
    ] as const) {
      expect((await refused({ sender_id: undefined, from })).from, from).toEqual(messages)
    }
    // What is refused later takes the sender away again.
    await refused({ sender_id: undefined, from: `later@${team.domain}`, folder_id: newId() })
    expect(await countSenders()).toBe(before)
  })

  test('422 that names all that is missing', async () => {
    const { errors } = (await team.post('/templates', {})).json
    expect(errors).toMatchObject({
      name: ['The name field is required.'],
      subject: ['The subject field is required.'],
    })
    expect(await refused({ sender_id: undefined, html_content: '' })).toEqual({
      sender_id: ['The sender_id field is required.'],
      html_content: ['The html_content field is required when text_content is not present.'],
      text_content: ['The text_content field is required when html_content is not present.'],
    })
  })

  test.each([
    [{ name: 'x'.repeat(256) }, 'name', 'The name field must not be greater than 255 characters.'],
    [{ subject: 'x'.repeat(256) }, 'subject', 'The subject field must not be greater than 255 characters.'],
    [
      { reply_to: `${'x'.repeat(250)}@x.test` },
      'reply_to',
      'The reply_to field must not be greater than 255 characters.',
    ],
    [{ reply_to: 'nobody' }, 'reply_to', 'The reply_to field must be a valid email address.'],
    [{ reply_to: 'a@b.test, c@d.test' }, 'reply_to', 'The reply_to field must be a valid email address.'],
    [
      { reply_to: ['a@b.test', 'c@d.test'] },
      'reply_to',
      'The reply_to field must not have more than 1 items.',
    ],
    [{ reply_to: 'a@b.test\r\nX: y' }, 'reply_to', 'The reply_to field must be a valid email address.'],
    [
      { subject: 'a\r\nBcc: b@c.test' },
      'subject',
      'The subject field must not contain line breaks or control characters.',
    ],
    [
      { subject: 'a\u2028b' },
      'subject',
      'The subject field must not contain line breaks or control characters.',
    ],
    [
      { html_content: 'a\u0000' },
      'html_content',
      'The html_content field must not contain the character U+0000.',
    ],
    [{ status: 'live' }, 'status', 'The status field must be one of published, draft.'],
    [{ sender_id: 'x' }, 'sender_id', 'The sender_id field must be a valid UUID.'],
    [
      { alias: 'a b' },
      'alias',
      'The alias field must be letters, digits, dots, underscores and hyphens, and no UUID.',
    ],
    [
      { alias: '..' },
      'alias',
      'The alias field must be letters, digits, dots, underscores and hyphens, and no UUID.',
    ],
    [
      { alias: newId() },
      'alias',
      'The alias field must be letters, digits, dots, underscores and hyphens, and no UUID.',
    ],
    [{ variables: [{ key: '1A' }] }, 'variables.0.key', 'The variables.0.key field format is invalid.'],
    [{ variables: [{ key: 'A\n' }] }, 'variables.0.key', 'The variables.0.key field format is invalid.'],
    [
      { variables: [{ key: 'a'.repeat(65) }] },
      'variables.0.key',
      'The variables.0.key field format is invalid.',
    ],
    [{ variables: [{ type: 'string' }] }, 'variables.0.key', 'The variables.0.key field is required.'],
    [
      { variables: [{ key: 'A', type: 'date' }] },
      'variables.0.type',
      'The variables.0.type field must be one of string, number.',
    ],
    [
      { variables: [{ key: 'A' }, { key: 'A' }] },
      'variables.1.key',
      'The variables.1.key field must be unique.',
    ],
    [
      { variables: [{ key: 'A', type: 'number', fallback_value: 'x' }] },
      'variables.0.fallback_value',
      'The variables.0.fallback_value field must be a number.',
    ],
    [
      { variables: Array.from({ length: 201 }, (_, i) => ({ key: `K${i}` })) },
      'variables',
      'The variables field must not have more than 200 items.',
    ],
    [
      { html_content: Array.from({ length: 200 }, (_, i) => `{{K${i}}}`).join('') },
      'html_content',
      'The html_content field must not use more than 200 variables.',
    ],
    [
      { text_content: '{{A}}'.repeat(10_001) },
      'text_content',
      'The text_content field must not have more than 10000 placeholders.',
    ],
  ])('422 on $1: $2', async (fields, field, message) => {
    expect(await refused(fields)).toEqual({ [field]: [message] })
  })

  test('422 with the same bytes for a sender of another team and one that never was', async () => {
    const other = await service.givenSender()
    const theirs = await givenSender(other, 'theirs')
    const replies = await Promise.all(
      [theirs, newId()].map((sender_id) => team.post('/templates', template({ sender_id }))),
    )
    expect(replies[0]?.json.errors).toEqual({
      sender_id: ['The sender_id field must be the id of a sender of this account.'],
    })
    expect(replies[0]?.text).toBe(replies[1]?.text)
  })

  test('201 for a megabyte of braces that are no variables, kept as they are', async () => {
    const html_content = '{{'.repeat(500_000)
    expect((await given({ html_content })).html_content).toBe(html_content)
  })

  test('keys of two cases are two; a variable may be called constructor', async () => {
    const variables = [{ key: 'a' }, { key: 'A' }, { key: 'constructor' }, { key: '__proto__' }]
    const made = await given({ variables })
    expect(made.variables).toEqual(variables.map((variable) => ({ ...variable, type: 'string' })))
  })

  test('409 for an alias in use, in any case; another team may have it', async () => {
    await given({ alias: 'Taken' })
    const reply = await team.post('/templates', template({ alias: 'taken' }))
    expect([reply.status, reply.json.name, reply.json.message]).toEqual([
      409,
      'conflict',
      'A template with this alias exists already.',
    ])
    const other = await service.givenSender()
    const theirs = await other.post('/templates', {
      ...template({ alias: 'taken' }),
      sender_id: await givenSender(other, 'shop'),
    })
    expect(theirs.status, theirs.text).toBe(201)
  })
})

describe('GET /templates', () => {
  test('200 in pages without content, filtered by folder, status and the beginning of the name', async () => {
    const owner = await service.givenSender()
    const sender = await givenSender(owner, 'shop')
    const folder = (await owner.post('/template-folders', { name: 'F' })).json.id
    const make = async (fields: object) =>
      (await owner.post('/templates', { ...template(), sender_id: sender, ...fields })).json.id
    const a = await make({ name: 'Älpha 50%', folder_id: folder })
    const b = await make({ name: 'älpine', status: 'draft', folder_id: folder })
    const c = await make({ name: 'Beta_1' })
    const list = async (query: string) => {
      const { json } = await owner.get(`/templates${query}`)
      const ids = json.data.map((one: { id: string }) => one.id)
      expect(json.meta.total).toBe(ids.length)
      return ids
    }
    expect(await list('')).toEqual([c, b, a])
    expect(await list(`?folder_id=${folder.toUpperCase()}`)).toEqual([b, a])
    expect(await list('?status=draft')).toEqual([b])
    expect(await list(`?status=published&folder_id=${folder}`)).toEqual([a])
    expect(await list(`?q=${encodeURIComponent('äLP')}`)).toEqual([b, a])
    expect(await list('?q=beta_')).toEqual([c])
    expect(await list('?q=beta%25')).toEqual([])
    expect(await list('?q=lpha')).toEqual([])
    const { data } = (await owner.get('/templates?limit=1')).json
    expect(Object.keys(data[0])).not.toContain('html_content')
    expect(data[0]).toMatchObject({ object: 'template', id: c, sender: { id: sender }, reply_to: '' })
    expect((await owner.get('/templates?status=live')).status).toBe(422)
  })
})

describe('PUT and PATCH /templates/{id}', () => {
  test('200; only what is given changes, and the version counts what is rendered', async () => {
    const made = await given({ alias: 'changing', reply_to: 'a@b.test', variables: [{ key: 'NAME' }] })
    const same = await team.put(`/templates/${made.id}`, {})
    expect({ ...same.json, updated_at: made.updated_at }).toEqual(made)
    const named = await team.patch('/templates/CHANGING', { name: 'New', variables: made.variables })
    expect(named.json).toMatchObject({ name: 'New', version: 1, reply_to: 'a@b.test' })
    const texts = await team.put(`/templates/${made.id}`, {
      text_content: 'T',
      html_content: null,
      reply_to: '',
    })
    expect(texts.json).toMatchObject({ text_content: 'T', html_content: '', reply_to: '', version: 2 })
    const variables = await team.patch(`/templates/${made.id}`, { variables: [] })
    expect(variables.json).toMatchObject({ variables: [], version: 3, alias: 'changing' })
    expect((await team.patch(`/templates/${made.id}`, { alias: null })).json.alias).toBeNull()
    expect((await team.get('/templates/changing')).status).toBe(404)
  })

  test('200 with a status that moves both ways', async () => {
    const { id } = await given({ status: 'draft' })
    const get = async () => (await team.get(`/templates/${id}`)).json
    expect(await get()).toMatchObject({ status: 'draft', published_at: null })
    await team.put(`/templates/${id}`, { status: 'published' })
    expect(await get()).toMatchObject({ status: 'published', published_at: expect.any(String) })
    await team.patch(`/templates/${id}`, { status: 'draft' })
    expect((await get()).status).toBe('draft')
    const published = await team.post(`/templates/${id}/publish`)
    expect([published.status, published.json.status]).toEqual([200, 'published'])
    expect((await team.post(`/templates/${id}/publish`)).status).toBe(200)
  })

  test('422 for a change that leaves no content, or names what is not there; nothing changes', async () => {
    const { id } = await given()
    for (const [changes, field] of [
      [{ html_content: '' }, 'html_content'],
      [{ sender_id: newId() }, 'sender_id'],
      [{ folder_id: newId() }, 'folder_id'],
      [{ from: 'x@nowhere.test' }, 'from'],
      [{ name: null }, 'name'],
      [{ subject: '' }, 'subject'],
    ] as const) {
      const reply = await team.put(`/templates/${id}`, { ...changes, text_content: '' })
      expect([reply.status, Object.keys(reply.json.errors)[0]]).toEqual([422, field])
    }
    expect((await team.get(`/templates/${id}`)).json.version).toBe(1)
  })

  test('200 for all of many changes at once; each is counted', async () => {
    const { id } = await given()
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => team.put(`/templates/${id}`, { subject: `S${i}` })),
    )
    expect((await team.get(`/templates/${id}`)).json.version).toBe(11)
  })
})

test('201 for a duplicate: a draft of its own, without the alias, its name within bounds', async () => {
  const name = '😀'.repeat(255)
  const original = await given({ name, alias: 'original', variables: [{ key: 'NAME' }] })
  const reply = await team.post('/templates/original/duplicate')
  expect(reply.status).toBe(201)
  const { json: copy } = reply
  expect(copy).toMatchObject({
    name: `Copy of ${'😀'.repeat(247)}`,
    alias: null,
    status: 'draft',
    published_at: null,
    subject: original.subject,
    html_content: original.html_content,
    variables: original.variables,
    sender: original.sender,
  })
  expect(copy.id).not.toBe(original.id)
  await team.put(`/templates/${copy.id}`, { subject: 'Other' })
  expect((await team.get('/templates/original')).json).toEqual(original)
})

describe('POST /templates/{id}/preview', () => {
  test('200 for a draft too, by id and by alias, with values and fallbacks', async () => {
    const { id } = await given({
      alias: 'preview',
      status: 'draft',
      text_content: '{{TOTAL}} {{{NAME}}} {{ not a key }}',
      variables: [{ key: 'TOTAL', type: 'number', fallback_value: 7 }],
    })
    const expected = {
      object: 'template_preview',
      template_id: id,
      subject: 'Hi <Ann> Bob',
      html: '<p>&lt;Ann&gt;\nBob</p>',
      text: '7 <Ann>\nBob {{ not a key }}',
    }
    for (const path of [id, 'Preview']) {
      const reply = await team.post(`/templates/${path}/preview`, {
        variables: { NAME: '<Ann>\nBob', unknown: 1 },
      })
      expect([reply.status, reply.json]).toEqual([200, expected])
    }
    await team.put(`/templates/${id}`, { html_content: '', subject: 'S' })
    const changed = await team.post(`/templates/${id}/preview`, { variables: { NAME: 'x' } })
    expect(changed.json).toMatchObject({ subject: 'S', html: null, text: '7 x {{ not a key }}' })
  })

  test('422 for values that are missing or of a wrong type, without a body as well', async () => {
    const { id } = await given({ variables: [{ key: 'N', type: 'number' }], text_content: '{{N}}' })
    const errorsOf = async (body?: object) => (await team.post(`/templates/${id}/preview`, body)).json.errors
    const missing = {
      'variables.NAME': ['The template variable NAME is required.'],
      'variables.N': ['The template variable N is required.'],
    }
    expect(await errorsOf()).toEqual(missing)
    expect(await errorsOf({})).toEqual(missing)
    expect(await errorsOf({ variables: { NAME: 'x', N: 'y' } })).toEqual({
      'variables.N': ['The variables.N field must be a number.'],
    })
    for (const value of [null, true, {}, []]) {
      expect(await errorsOf({ variables: { NAME: value } })).toEqual({
        'variables.NAME': ['The variables.NAME field must be a string or a number.'],
      })
    }
    expect(await errorsOf({ variables: { NAME: 'a\u0000', N: 1 } })).toEqual({
      'variables.NAME': ['The variables.NAME field must not contain the character U+0000.'],
    })
  })
})

describe('DELETE /templates/{id}', () => {
  const campaign = (templateId: string, status: string) =>
    service.db.query(
      `insert into campaign (team_id, id, name, template_id, status, scheduled_at, created_at, updated_at)
       values ($1, $2, 'c', $3, $4, now(), now(), now())`,
      [team.id, newId(), templateId, status],
    )

  test('200 by alias; then 404, and the alias is free', async () => {
    const { id } = await given({ alias: 'going' })
    expect((await team.delete('/templates/going')).json).toEqual({ object: 'template', id, deleted: true })
    expect((await team.get(`/templates/${id}`)).status).toBe(404)
    expect((await team.delete(`/templates/${id}`)).status).toBe(404)
    await given({ alias: 'going' })
  })

  test.each(['scheduled', 'sending'])('409 while a campaign that is %s uses it', async (status) => {
    const { id } = await given()
    await campaign(id, status)
    const reply = await team.delete(`/templates/${id}`)
    expect([reply.status, reply.json.message]).toEqual([
      409,
      'This template is used by active campaigns and cannot be deleted.',
    ])
    expect((await team.get(`/templates/${id}`)).status).toBe(200)
  })

  test('200 when only other campaigns use it, which lose it', async () => {
    const { id } = await given()
    for (const status of ['draft', 'sent', 'canceled']) await campaign(id, status)
    expect((await team.delete(`/templates/${id}`)).status).toBe(200)
    expect(await service.db.query('select id from campaign where template_id = $1', [id])).toEqual([])
  })

  test('409 while an active automation uses it, 200 once that is paused', async () => {
    const { id } = await given()
    const automationId = newId()
    await service.db.query(
      `insert into automation (team_id, id, name, status, trigger, steps, created_at, updated_at)
       values ($1, $2, 'a', 'active', '{}', '[]', now(), now())`,
      [team.id, automationId],
    )
    await service.db.query("insert into automation_use values ($1, 'template', $2, $3)", [
      team.id,
      id,
      automationId,
    ])
    const reply = await team.delete(`/templates/${id}`)
    expect([reply.status, reply.json.message]).toEqual([
      409,
      'This template is used by active automations and cannot be deleted.',
    ])
    await service.db.query("update automation set status = 'paused' where id = $1", [automationId])
    expect((await team.delete(`/templates/${id}`)).status).toBe(200)
  })

  test('the sender of a template cannot be deleted, at the same moment either', async () => {
    for (let round = 0; round < 5; round++) {
      const sender = await givenSender(team, `gone${round}`)
      const [gone, made] = await Promise.all([
        team.delete(`/senders/${sender}`),
        team.post('/templates', template({ sender_id: sender })),
      ])
      expect([gone.status, made.status]).toEqual(made.status === 201 ? [409, 201] : [200, 422])
      if (made.status === 201) expect((await team.get(`/templates/${made.json.id}`)).status).toBe(200)
    }
  })
})

test("404 with the same bytes for another team's template, by id and by alias, which stays", async () => {
  const { id } = await given({ alias: 'mine' })
  const other = await service.givenTeam()
  for (const path of [id, 'mine', newId(), 'x', '%00', 'a%20b']) {
    for (const ask of [
      () => other.get(`/templates/${path}`),
      () => other.put(`/templates/${path}`, { name: 'Mine' }),
      () => other.patch(`/templates/${path}`, { status: 'draft' }),
      () => other.post(`/templates/${path}/publish`),
      () => other.post(`/templates/${path}/duplicate`),
      () => other.post(`/templates/${path}/preview`, { variables: {} }),
      () => other.delete(`/templates/${path}`),
    ]) {
      expect((await ask()).text).toBe('{"statusCode":404,"name":"not_found","message":"Not found."}')
    }
  }
  expect((await team.get('/templates/mine')).json).toMatchObject({ name: 'Receipt', status: 'published' })
  expect((await other.get('/templates')).json).toMatchObject({ data: [], meta: { total: 0 } })
})
