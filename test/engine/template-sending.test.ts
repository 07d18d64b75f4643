import { type AddressObject, simpleParser } from 'mailparser'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../support/sendwright.ts'
import { shareSendwright } from '../support/shared-sendwright.ts'
import { makeTemplateSender, type TemplateSender } from '../support/templates.ts'

let world: TemplateSender
let ann: Sender

beforeAll(async () => {
  world = await makeTemplateSender(await shareSendwright('direct'))
  ann = world.team
})

/** Returns the message that the recipient's server received, parsed by an independent library. */
async function arrived(id: string, variables?: object, fields: Record<string, unknown> = {}) {
  const to = `bob@${world.service.givenDestination()}`
  const emailId = await world.accepted(id, variables, { to, ...fields })
  await ann.settled(emailId)
  const message = world.service.mx.messages.find(({ raw }) => raw.includes(`<${emailId}@`))
  const parsed = await simpleParser(message?.raw ?? '')
  const mailboxes = (object: AddressObject | undefined) =>
    object?.value.map(({ name, address }) => [name, address]) ?? []
  return {
    raw: (message?.raw ?? '').toString(),
    from: mailboxes(parsed.from),
    replyTo: mailboxes(parsed.replyTo),
    subject: parsed.subject,
    html: (parsed.html || '').trim(),
    text: (parsed.text ?? '').trim(),
  }
}

describe('fields of the template', () => {
  test('202; sender, subject, html, text and reply address are those of the template', async () => {
    const { id, sender } = await world.given()
    expect(await arrived(id, { NAME: 'Ann & <b>' })).toMatchObject({
      from: [['Acme, "The" Shop', sender.email]],
      replyTo: [['', 'help@acme.test']],
      subject: 'For Ann & <b>',
      html: '<p>Ann &amp; &lt;b&gt; Ann & <b></p>',
      text: 'Ann & <b>',
    })
  })

  test("202; the template's reply address overrides the sender's; without one there is no field", async () => {
    const { id } = await world.given({ reply_to: 'Desk <desk@acme.test>' })
    expect((await arrived(id, { NAME: 'x' })).replyTo).toEqual([['Desk', 'desk@acme.test']])
    const bare = await world.given({ sender_id: await world.givenSender() })
    expect((await arrived(bare.id, { NAME: 'x' })).replyTo).toEqual([])
  })

  test('202 by id in either case and by alias; text is derived for a template with only html', async () => {
    const { id } = await world.given({
      alias: 'order-paid',
      text_content: null,
      html_content: '<p>Hi {{NAME}}</p>',
    })
    for (const name of [id.toUpperCase(), 'Order-Paid']) {
      expect(await arrived(name, { NAME: '<i>' })).toMatchObject({
        html: '<p>Hi &lt;i&gt;</p>',
        text: 'Hi <i>',
      })
    }
    const plain = await world.given({ html_content: null })
    expect(await arrived(plain.id, { NAME: 'x' })).toMatchObject({ html: '', text: 'x' })
  })

  test('202 with fallbacks, numbers and unknown variables; values are not expanded', async () => {
    const { id } = await world.given({
      html_content: null,
      text_content: '{{NAME}} {{TOTAL}} {{LEFT}} {{ NOT A KEY }}',
      variables: [
        { key: 'NAME', type: 'string', fallback_value: 'friend' },
        { key: 'TOTAL', type: 'number' },
        { key: 'LEFT', type: 'number', fallback_value: 3 },
      ],
    })
    const { subject, text } = await arrived(id, {
      NAME: '{{TOTAL}}',
      TOTAL: 12.5,
      OTHER: 'x',
      constructor: 'y',
    })
    expect([subject, text]).toEqual(['For {{TOTAL}}', '{{TOTAL}} 12.5 3 {{ NOT A KEY }}'])
    expect((await arrived(id, { TOTAL: '1e3' })).text).toBe('friend 1e3 3 {{ NOT A KEY }}')
  })

  test('202; a value with line breaks cannot add a header field', async () => {
    const { id } = await world.given({ subject: '{{NAME}}{{{NAME}}}' })
    const { raw, subject } = await arrived(id, { NAME: 'a\r\nBcc: eve@evil.test\r\n\r\nb\u2028c\u0085d' })
    expect(subject).toBe('a Bcc: eve@evil.test  b c da Bcc: eve@evil.test  b c d')
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/im)
    expect(world.service.mx.commands.filter(({ line }) => line.includes('eve@evil.test'))).toEqual([])
  })

  test('202 with headers, tags, attachments and a schedule in addition to the template', async () => {
    const { id } = await world.given()
    const emailId = await world.accepted(
      id,
      { NAME: 'x' },
      {
        cc: ['carol@y.test'],
        headers: { 'X-Own': 'kept {{NAME}}' },
        tags: [{ name: 'kind', value: 'receipt' }],
        attachments: [{ filename: 'a.txt', content: 'aGk=' }],
        scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
      },
    )
    expect((await ann.get(`/emails/${emailId}`)).json).toMatchObject({
      status: 'scheduled',
      headers: { 'X-Own': 'kept {{NAME}}' },
      cc: ['carol@y.test'],
      tags: [{ name: 'kind', value: 'receipt' }],
      attachments: [{ filename: 'a.txt' }],
    })
  })
})

describe('fields of the request', () => {
  test('202; each field overrides the same field of the template, and is literal', async () => {
    const { id } = await world.given()
    const own = {
      from: `Own <own@${ann.domain}>`,
      subject: 'Own {{NAME}}',
      html: '<i>{{NAME}}</i>',
      text: 'own {{{NAME}}}',
      reply_to: ['own@acme.test', 'two@acme.test'],
    }
    expect(await arrived(id, undefined, own)).toMatchObject({
      from: [['Own', `own@${ann.domain}`]],
      replyTo: [
        ['', 'own@acme.test'],
        ['', 'two@acme.test'],
      ],
      subject: 'Own {{NAME}}',
      html: '<i>{{NAME}}</i>',
      text: 'own {{{NAME}}}',
    })
  })

  test('202; html in the request combines with the text of the template, and vice versa', async () => {
    const { id } = await world.given()
    expect(await arrived(id, { NAME: 'x' }, { html: '<b>own</b>' })).toMatchObject({
      html: '<b>own</b>',
      text: 'x',
      subject: 'For x',
    })
    expect(await arrived(id, { NAME: 'x' }, { text: 'own' })).toMatchObject({
      html: '<p>x x</p>',
      text: 'own',
    })
    const empty = await arrived(id, { NAME: 'x' }, { text: '' })
    expect(empty.raw).not.toContain('text/plain')
    const htmlOnly = await world.given({ text_content: null })
    expect((await arrived(htmlOnly.id, { NAME: 'x' }, { html: '<b>own</b>' })).text).toBe('own')
  })

  test('202; null and an empty list count as absent', async () => {
    const { id } = await world.given()
    const { html, text, replyTo } = await arrived(id, { NAME: 'x' }, { html: null, text: null, reply_to: [] })
    expect([html, text, replyTo]).toEqual(['<p>x x</p>', 'x', (await arrived(id, { NAME: 'x' })).replyTo])
    expect(replyTo).not.toEqual([])
  })

  test('202 without values that only overridden parts use', async () => {
    const { id } = await world.given({ subject: 'S', text_content: 'T' })
    await world.accepted(id, {}, { html: '<p>own</p>' })
    expect(await world.errorsOf(id, {})).toHaveProperty(['template.variables.NAME'])
  })
})
