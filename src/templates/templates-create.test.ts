import { beforeAll, describe, expect, test } from 'vitest'
import { shareSendwright } from '../../test/support/shared-sendwright.ts'
import { makeTemplateWorld, type TemplateWorld } from '../../test/support/templates.ts'
import { newId } from '../lib/ids.ts'

let world: TemplateWorld
beforeAll(async () => {
  world = await makeTemplateWorld(await shareSendwright('capture'), { username: 'shop' })
})

async function expectRefused(fields: Record<string, unknown>): Promise<Record<string, string[]>> {
  const reply = await world.team.post('/templates', world.template(fields))
  expect([reply.status, reply.json.name], reply.text).toEqual([422, 'validation_error'])
  expect(reply.json.message).toBe(Object.values(reply.json.errors as Record<string, string[]>)[0]?.[0])
  return reply.json.errors
}

describe('POST /templates', () => {
  test('201 with every given field, and the sender', async () => {
    const folder = (await world.team.post('/template-folders', { name: 'F' })).json.id
    const variables = [
      { key: 'NAME', type: 'string', fallback_value: 'friend' },
      { key: 'TOTAL', type: 'number', fallback_value: '0' },
      { key: 'X', type: 'string', fallback_value: null },
    ]
    const made = await world.given({
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
        id: world.senderId,
        domain_id: world.team.domainId,
        name: 'The Shop',
        username: 'shop',
        email: `shop@${world.team.domain}`,
        reply_to: `shop@${world.team.domain}`,
        created_at: time,
        updated_at: time,
      },
      variables,
      from: `The Shop <shop@${world.team.domain}>`,
      html: '<p>{{NAME}}</p>',
      text: '{{NAME}}',
      warnings: [],
      version: 1,
      has_unpublished_versions: false,
      published_at: time,
      created_at: time,
      updated_at: made.created_at,
    })
    expect((await world.team.get(`/templates/${made.id}`)).json).toEqual(made)
  })

  test('201 with an empty string for every omitted text (API-18)', async () => {
    const made = await world.given({ reply_to: null, text_content: '', folder_id: null, alias: null })
    expect(made).toMatchObject({
      text_content: '',
      reply_to: '',
      folder_id: null,
      alias: null,
      variables: [],
      status: 'published',
    })
    expect(await world.given({ html_content: undefined, text_content: 'x' })).toMatchObject({
      html_content: '',
    })
  })

  test("201 with Resend's field names, as its SDK sends them", async () => {
    const reply = await world.team.post('/templates', {
      name: 'R',
      subject: 'S',
      html: '<p>x</p>',
      text: 'x',
      alias: 'by-resend',
      from: `Anybody <SHOP@${world.team.domain.toUpperCase()}>`,
      reply_to: ['help@acme.test'],
      variables: [{ key: 'N', type: 'number', fallback_value: 5 }],
    })
    expect(reply.status, reply.text).toBe(201)
    expect(reply.json).toMatchObject({
      html_content: '<p>x</p>',
      text_content: 'x',
      reply_to: 'help@acme.test',
      sender: { id: world.senderId, name: 'The Shop' },
      variables: [{ key: 'N', type: 'number', fallback_value: '5' }],
    })
  })

  test('201 creates the sender that `from` names, only once for concurrent requests', async () => {
    const from = `"Acme, Inc." <news@${world.team.domain}>`
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        world.team.post('/templates', world.template({ sender_id: undefined, from })),
      ),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => reply.json.sender.id)).size).toBe(1)
    expect(replies[0]?.json.sender).toMatchObject({ name: 'Acme, Inc.', email: `news@${world.team.domain}` })
    const bare = await world.given({ sender_id: undefined, from: `plain@${world.team.domain}` })
    expect(bare.sender.name).toBe('plain')
  })

  test('422 for an invalid `from` or one outside the domains of the account, and no sender is created', async () => {
    const other = await world.service.givenSender()
    const countSenders = async () => (await world.team.get('/senders')).json.meta.total
    const before = await countSenders()
    const unverified = ['The from address domain is not verified.']
    const invalid = ['The from field must be a valid email address.']
    for (const [from, messages] of [
      [`x@${other.domain}`, unverified],
      ['x@nowhere.test', unverified],
      ['x', invalid],
      [`"a b"@${world.team.domain}`, invalid],
      [`${'n'.repeat(256)} <x@${world.team.domain}>`, invalid],
      [`x@${world.team.domain}\r\nBcc: a@b.test`, invalid],
    ] as const) {
      expect((await expectRefused({ sender_id: undefined, from })).from, from).toEqual(messages)
    }
    // A later error rolls back the new sender.
    await expectRefused({ sender_id: undefined, from: `later@${world.team.domain}`, folder_id: newId() })
    expect(await countSenders()).toBe(before)
  })

  test('422 lists every missing field', async () => {
    const { errors } = (await world.team.post('/templates', {})).json
    expect(errors).toMatchObject({
      name: ['The name field is required.'],
      subject: ['The subject field is required.'],
    })
    expect(await expectRefused({ sender_id: undefined, html_content: '' })).toEqual({
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
    ...['a b', '..', newId(), 'Preview'].map((alias): [Record<string, unknown>, string, string] => [
      { alias },
      'alias',
      'The alias field must be letters, digits, dots, underscores and hyphens, and neither a UUID nor preview.',
    ]),
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
    expect(await expectRefused(fields)).toEqual({ [field]: [message] })
  })

  test('422 with the same bytes for a sender of another team and one that never existed', async () => {
    const other = await world.service.givenSender()
    const theirs = await world.givenSender({}, other)
    const replies = await Promise.all(
      [theirs, newId()].map((sender_id) => world.team.post('/templates', world.template({ sender_id }))),
    )
    expect(replies[0]?.json.errors).toEqual({
      sender_id: ['The sender_id field must be the id of a sender of this account.'],
    })
    expect(replies[0]?.text).toBe(replies[1]?.text)
  })

  test('201 for a megabyte of braces without variables, stored unchanged', async () => {
    const html_content = '{{'.repeat(500_000)
    expect((await world.given({ html_content })).html_content).toBe(html_content)
  })

  test('201 with case-sensitive keys; a variable may be named constructor', async () => {
    const variables = [{ key: 'a' }, { key: 'A' }, { key: 'constructor' }, { key: '__proto__' }]
    const made = await world.given({ variables })
    expect(made.variables).toEqual(
      variables.map((variable) => ({ ...variable, type: 'string', fallback_value: null })),
    )
  })

  test('409 for an alias in use, in either case; another team may use it', async () => {
    await world.given({ alias: 'Taken' })
    const reply = await world.team.post('/templates', world.template({ alias: 'taken' }))
    expect([reply.status, reply.json.name, reply.json.message]).toEqual([
      409,
      'conflict',
      'A template with this alias already exists.',
    ])
    const other = await world.service.givenSender()
    const theirs = await other.post('/templates', {
      ...world.template({ alias: 'taken' }),
      sender_id: await world.givenSender({}, other),
    })
    expect(theirs.status, theirs.text).toBe(201)
  })
})
