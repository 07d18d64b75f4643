import { simpleParser } from 'mailparser'
import type { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeResend, good, openResend } from '../support/resend.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

/** Broadcasts as programs for Resend's SDK send them, read at the server of the recipients. */
let sendwright: SharedSendwright
let newClient: (key: string) => Resend

beforeAll(async () => {
  sendwright = await shareSendwright('direct')
  newClient = await openResend(sendwright.url)
})
afterAll(closeResend)

interface Given {
  team: Sender
  resend: Resend
  to: string
  segmentId: string
}

/** Creates a segment of Ann, whose first name is known, and of Bob, at a destination of their own. */
async function given(): Promise<Given> {
  const team = await sendwright.givenSender()
  const resend = newClient(team.token)
  const to = sendwright.givenDestination()
  const { id: segmentId } = await good(resend.segments.create({ name: 'Readers' }))
  for (const contact of [{ email: `ann@${to}`, firstName: 'Ann' }, { email: `bob@${to}` }]) {
    const { id } = await good(resend.contacts.create(contact))
    await good(resend.contacts.segments.add({ contactId: id, segmentId }))
  }
  return { team, resend, to, segmentId }
}

const contentOf = ({ team }: Given) => ({
  name: 'Spring',
  from: `Acme <news@${team.domain}>`,
  subject: 'Hello {{{FIRST_NAME|there}}}',
  html: '<p>Hi {{{FIRST_NAME|you}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">leave</a>',
  text: 'Hi {{{FIRST_NAME|you}}}: {{{RESEND_UNSUBSCRIBE_URL}}}',
  previewText: 'Everything at half the price',
  replyTo: 'help@acme.test',
})

/** Waits until two messages were received, and returns those of Ann and of Bob. */
async function received({ to }: Given) {
  const messages = () => sendwright.mx.messages.filter((message) => message.to[0]?.endsWith(`@${to}`))
  await expect.poll(() => messages().length).toBe(2)
  return Promise.all(
    ['ann', 'bob'].map(async (name) => {
      const message = messages().find((one) => one.to[0] === `${name}@${to}`)
      return simpleParser(message?.raw ?? '')
    }),
  )
}

describe('a broadcast', () => {
  test.each(['segmentId', 'audienceId'] as const)('sent to its %s, with names and links', async (field) => {
    const world = await given()
    const { broadcasts } = world.resend
    const audience = { [field]: world.segmentId } as { segmentId: string }
    const { id } = await good(broadcasts.create({ ...contentOf(world), ...audience }))
    await good(broadcasts.send(id))
    const [ann, bob] = await received(world)
    expect(ann).toMatchObject({
      subject: 'Hello Ann',
      from: { text: `"Acme" <news@${world.team.domain}>` },
      replyTo: { text: 'help@acme.test' },
    })
    expect([bob?.subject, bob?.text]).toEqual(['Hello there', expect.stringContaining('Hi you: http')])
    expect(ann?.html).toContain('Everything at half the price')
    expect(ann?.html).toContain('<p>Hi Ann</p>')
    await expect.poll(async () => (await good(broadcasts.get(id))).status).toBe('sent')

    await leave(String(bob?.html))
    const next = await good(broadcasts.create({ ...contentOf(world), ...audience, send: true }))
    await expect.poll(async () => (await good(broadcasts.get(next.id))).status).toBe('sent')
    const listed = await good(broadcasts.recipients(next.id, { type: 'sent' }))
    expect(listed.data.map(({ email }) => email)).toEqual([`ann@${world.to}`])
  })

  test('422 for a topic, for two different segments, and for a send without a segment', async () => {
    const world = await given()
    const { broadcasts, segments } = world.resend
    const content = contentOf(world)
    const { segmentId } = world
    const toTopic = await broadcasts.create({ ...content, segmentId, topicId: segmentId })
    expect(toTopic.error).toMatchObject({
      name: 'validation_error',
      message: expect.stringContaining('topic_id'),
    })
    const other = await good(segments.create({ name: 'Others' }))
    const toTwo = await broadcasts.create({ ...content, segmentId, audienceId: other.id })
    expect(toTwo.error?.message).toContain('audience_id')
    const toNobody = await broadcasts.create({ ...content, send: true } as never)
    expect(toNobody.error?.message).toContain('segment_id')
    expect((await good(broadcasts.list())).data).toEqual([])
  })

  test('named after its subject if its name is empty, and keeps a name that is not replaced', async () => {
    const world = await given()
    const { broadcasts } = world.resend
    const { id } = await good(
      broadcasts.create({ ...contentOf(world), name: '', segmentId: world.segmentId }),
    )
    expect((await good(broadcasts.get(id))).name).toBe('Hello {{{FIRST_NAME|there}}}')
    await good(broadcasts.update(id, { name: '' }))
    expect((await good(broadcasts.get(id))).name).toBe('Hello {{{FIRST_NAME|there}}}')
  })

  test('canceled before it began: shown as a draft, and changed like one', async () => {
    const world = await given()
    const { broadcasts } = world.resend
    const { id } = await good(broadcasts.create({ ...contentOf(world), segmentId: world.segmentId }))
    expect((await world.team.post(`/campaigns/${id}/cancel`)).status).toBe(200)
    expect((await good(broadcasts.get(id))).status).toBe('draft')
    await good(broadcasts.update(id, { subject: 'Once more' }))
    expect(await good(broadcasts.get(id))).toMatchObject({ status: 'draft', subject: 'Once more' })
  })

  test('to a segment instead of the list that the campaign had', async () => {
    const world = await given()
    const { broadcasts } = world.resend
    const { id } = await good(broadcasts.create({ ...contentOf(world), segmentId: world.segmentId }))
    const list = (await world.team.post('/lists', { name: 'Customers' })).json
    await world.team.patch(`/campaigns/${id}`, { list_id: list.id, segment_id: null })
    expect(await good(broadcasts.get(id))).toMatchObject({ segment_id: null, audience_id: null })
    const changed = await world.team.patch(`/broadcasts/${id}`, { audience_id: world.segmentId })
    expect(changed.status, changed.text).toBe(200)
    expect((await world.team.get(`/campaigns/${id}`)).json).toMatchObject({
      segment_id: world.segmentId,
      list_id: null,
    })
  })
})

/** Follows the link of an email and confirms, as a person does. */
async function leave(html: string): Promise<void> {
  const link = /http[^"\s]*\/unsubscribe\/[\w.-]+/.exec(html)?.[0]
  const { pathname } = new URL(link ?? 'https://none.test/')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await fetch(`${sendwright.url}${pathname}`, {
    method: 'POST',
    headers,
    body: 'List-Unsubscribe=One-Click',
  })
  expect(reply.status).toBe(200)
}
