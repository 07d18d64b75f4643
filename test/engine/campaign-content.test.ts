import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
beforeAll(async () => {
  service = await startTestSendwright()
})
afterAll(() => service.stop())

type Fields = Record<string, unknown>

interface World {
  ann: Sender
  to: string
  listId: string
  senderId: string
}

async function made(ann: Sender, path: string, body: Fields): Promise<string> {
  const reply = await ann.post(path, body)
  expect(reply.status, reply.text).toBe(201)
  return reply.json.id
}

/** Creates a team with a sender, whose replies go to `sender@`, and a list with these contacts at a destination of their own. */
async function given(contacts: readonly Fields[]): Promise<World> {
  const ann = await service.givenSender()
  const to = service.givenDestination()
  const sender = { name: 'Ann', username: 'ann', domain_id: ann.domainId, reply_to: 'sender@replies.test' }
  const senderId = await made(ann, '/senders', sender)
  const listId = await made(ann, '/lists', { name: 'Readers' })
  for (const [no, fields] of contacts.entries()) {
    await made(ann, '/contacts', { email: `c${no}@${to}`, list_ids: [listId], ...fields })
  }
  return { ann, to, listId, senderId }
}

const givenCampaign = ({ ann, senderId, listId }: World, fields: Fields) =>
  made(ann, '/campaigns', { name: 'Spring', sender_id: senderId, list_id: listId, ...fields })

async function send({ ann }: World, id: string): Promise<void> {
  expect((await ann.patch(`/campaigns/${id}`, { status: 'sending' })).status).toBe(200)
  await expect.poll(async () => (await ann.get(`/campaigns/${id}`)).json.status).toBe('sent')
}

/** Waits for the message to an address, and reads it as a mail client does. */
async function received(address: string) {
  const find = () => service.mx.messages.find((message) => message.to[0] === address)
  await expect.poll(find).toBeDefined()
  const mail = await simpleParser(find()?.raw ?? '')
  return {
    subject: mail.subject,
    replyTo: mail.replyTo?.text,
    html: String(mail.html),
    text: mail.text,
    mail,
  }
}

/** Returns what a client shows behind the subject: the beginning of the html, with white space and what has no width. */
function previewOf(html: string): string {
  const body = html.slice(html.indexOf('<body'))
  return body.replaceAll(/<[^>]*>/g, '')
}

const OWN = {
  subject: 'Hello {{{FIRST_NAME|there}}}',
  html: '<html><head><title>Spring</title></head><body class="a"><p>Hi</p></body></html>',
}

describe('a campaign', () => {
  test('with a preview text for each contact, hidden before the content, and its own reply address', async () => {
    const world = await given([{ first_name: 'Zoe & <Co>' }, {}])
    const content = {
      ...OWN,
      preview_text: 'Now < later, {{{FIRST_NAME|you & me}}}',
      reply_to: 'Help <help@replies.test>',
    }
    await send(world, await givenCampaign(world, content))
    const first = await received(`c0@${world.to}`)
    expect(first.replyTo).toBe('"Help" <help@replies.test>')
    expect(first.html).toMatch(
      /<body class="a"><div style="display:none;[^"]*">Now &lt; later, Zoe &amp; &lt;Co&gt;(&#847;&zwnj;&nbsp;){140}<\/div><p>Hi<\/p>/,
    )
    expect(first.text?.trim()).toBe('Hi')
    const { html } = await received(`c1@${world.to}`)
    expect(previewOf(html)).toMatch(/^Now &lt; later, you &amp; me&#847;/)
  })

  test('with a template, whose html gets the preview text too, and whose reply address it overrides', async () => {
    const world = await given([{}])
    const template = await made(world.ann, '/templates', {
      ...{ name: 'T', sender_id: world.senderId, subject: 'S', html_content: '<p>{{GREETING}}</p>' },
      ...{ reply_to: 'template@replies.test', status: 'published' },
      variables: [{ key: 'GREETING', type: 'string', fallback_value: 'Good day' }],
    })
    const content = { template_id: template, preview_text: '{{GREETING}} from us' }
    const id = await givenCampaign(world, content)
    await send(world, id)
    const first = await received(`c0@${world.to}`)
    expect(first.replyTo).toBe('template@replies.test')
    expect(first.html).toMatch(
      /^<div style="[^"]*">Good day from us(&#847;&zwnj;&nbsp;)+<\/div><p>Good day<\/p>/,
    )
    service.mx.messages.splice(0)
    await send(world, await givenCampaign(world, { ...content, reply_to: 'own@replies.test' }))
    expect((await received(`c0@${world.to}`)).replyTo).toBe('own@replies.test')
  })

  test('with a new preview text and reply address for those who still wait when it is resumed', async () => {
    const world = await given([{}])
    const id = await givenCampaign(world, { ...OWN, preview_text: 'Old' })
    await service.db.query('update team set sending_paused_at = now() where id = $1', [world.ann.id])
    await world.ann.patch(`/campaigns/${id}`, { status: 'sending' })
    await expect.poll(async () => (await world.ann.get(`/campaigns/${id}`)).json.status).toBe('paused')
    await service.db.query('update team set sending_paused_at = null where id = $1', [world.ann.id])
    await world.ann.patch(`/campaigns/${id}`, { preview_text: 'New', reply_to: 'new@replies.test' })
    await send(world, id)
    const { html, replyTo } = await received(`c0@${world.to}`)
    expect([previewOf(html).slice(0, 3), replyTo]).toEqual(['New', 'new@replies.test'])
  })
})
