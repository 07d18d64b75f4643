import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upload } from '../support/csv.ts'
import { BROWSER, comeTo, erased, findTexts, trackedIn } from '../support/personal-data.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { givenWebhook } from '../support/webhooks.ts'

let service: TestSendwright
let receiver: WebhookReceiver

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  service = await startTestSendwright({ roles: ['api', 'deliver', 'scheduler', 'webhooks'] })
})
afterAll(async () => {
  await receiver?.close()
  await service?.stop()
})

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
let count = 0
const suffix = () => (++count).toString(36)

async function messageOf(id: string) {
  const raw = service.mx.messages.find((message) => message.raw.includes(id))?.raw ?? Buffer.alloc(0)
  return simpleParser(raw)
}

describe('all data that a team can have about a person', () => {
  /** Unique to the person: any remaining match is an incomplete erasure. */
  const NAME = 'Quartermain'
  const local = `Zebedee.${NAME}`
  let dest: string
  let person: string
  let bystander: string
  let team: Sender
  let contactId: string
  let sentId: string
  let sharedId: string
  let scheduledId: string

  test('is in a dozen tables, where the search finds it', async () => {
    team = await service.givenSender()
    await team.patch(`/domains/${team.domainId}`, { open_tracking: true, click_tracking: true })
    dest = service.givenDestination()
    person = `${local}@${dest}`
    bystander = `bob@${dest}`
    const hook = await givenWebhook(team, receiver)
    receiver.answer(hook.path, (response, request) => response.end(`got ${request.text}`))
    const { json: property } = await team.post('/properties', { key: 'family', type: 'string' })
    const { json: list } = await team.post('/lists', { name: 'Readers' })
    // A contact that had this address before another one, and a contact that was deleted.
    const { json: first } = await team.post('/contacts', { email: person, last_name: NAME })
    await team.put(`/contacts/${first.id}`, { email: `other-${suffix()}@${dest}`, last_name: 'Other' })
    const { json: second } = await team.post('/contacts', { email: person, last_name: NAME })
    await team.delete(`/contacts/${second.id}`)
    const { json: contact } = await team.post('/contacts', {
      email: person,
      first_name: 'Zebedee',
      last_name: NAME,
      user_id: `u-${NAME}`,
      list_ids: [list.id],
      properties: { [property.key]: NAME },
    })
    contactId = contact.id
    await team.patch(`/contacts/${contactId}`, { last_name: `${NAME}-Smith` })
    const { json: segment } = await team.post('/segments', {
      name: 'One',
      match_type: 'all',
      filters: {
        groups: [{ match_type: 'all', conditions: [{ field: 'email', operator: 'equals', value: person }] }],
      },
    })
    await upload(
      service.url,
      team,
      '/contacts/import',
      `email,first_name\n${person},Zebedee\n${person},${NAME.repeat(30)}\nnot an address,x\n`,
    )

    const { json: shop } = await team.post('/senders', {
      name: 'Shop',
      username: 'shop',
      domain_id: team.domainId,
    })
    const ofSegment = { sender_id: shop.id, segment_id: segment.id }
    const content = { subject: 'Dear {{{LAST_NAME}}}', text: 'Dear {{{LAST_NAME}}}' }
    const { json: campaign } = await team.post('/campaigns', { name: 'One', ...ofSegment, ...content })
    expect((await team.post(`/campaigns/${campaign.id}/send`, {})).status).toBe(200)
    await comeTo(async () => (await team.get(`/campaigns/${campaign.id}`)).json.status).toBe('sent')

    sentId = await team.send({
      to: `"${NAME}, Zebedee" <${person}>`,
      subject: `Dear ${NAME}`,
      html: `<p>${NAME}</p><a href="https://shop.test/of/${local}">shop</a>`,
      text: undefined,
      tags: [{ name: 'kind', value: 'receipt' }],
      headers: { 'X-Customer': NAME, 'Message-ID': `<for.${local}=${dest}@elsewhere.test>` },
      attachments: [{ filename: `${NAME}.txt`, content: Buffer.from(`for ${person}`).toString('base64') }],
    })
    sharedId = await team.send({
      to: [bystander],
      cc: [`Z <${person.toUpperCase()}>`],
      subject: `About ${NAME}`,
    })
    service.mx.script({
      expect: `RCPT TO:<${local}`,
      answer: `450 4.2.0 <${person}> of ${NAME} is busy`,
      times: 1,
    })
    await team.post('/emails/mime', {
      envelope_from: `hello@${team.domain}`,
      envelope_to: person,
      raw_message: [
        `From: hello@${team.domain}`,
        `To: =?utf-8?B?${Buffer.from(NAME).toString('base64')}?= <${person}>`,
        'Subject: raw',
        `Message-ID: <${local}=${dest}.1@${team.domain}>`,
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(`For ${person}, known as ${NAME}`).toString('base64'),
      ].join('\r\n'),
    })
    await team.send({ to: person, bcc: [`carl@${dest}`], unsubscribe: undefined, subject: NAME })
    const topical = await team.send({ to: person, unsubscribe: { topic: 'News' }, html: `<p>${NAME}</p>` })
    scheduledId = await team.send({ to: person, scheduled_at: inAnHour() })
    await Promise.all([sentId, sharedId, topical].map((id) => team.settled(id)))

    const { html } = await messageOf(sentId)
    for (const link of trackedIn(html, service.url)) {
      await fetch(link, { redirect: 'manual', headers: { 'user-agent': `${BROWSER} ${NAME}` } })
    }
    await team.seen(sentId, ({ events }) =>
      events.some(({ type }: { type: string }) => type === 'email.clicked'),
    )
    const { headers } = await messageOf(topical)
    const { unsubscribe } = headers.get('list') as unknown as { unsubscribe: { url: string } }
    await fetch(service.url + new URL(unsubscribe.url).pathname, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    service.mx.script({
      expect: `RCPT TO:<${local}`,
      answer: `550 5.1.1 <${person}>: no ${NAME} here`,
      times: 1,
    })
    await team.settled(await team.send({ to: person, subject: `Again, ${NAME}` }))
    const isImported = async () => (await team.get('/contacts/imports')).json.data[0]?.status
    await comeTo(isImported).toBe('completed')
    await comeTo(async () => (await webhookAnswers()).length).toBeGreaterThan(10)

    expect(await findTexts(service.db, texts())).toEqual(
      expect.arrayContaining([
        'attempt.conversation',
        'campaign_version.audience',
        'contact.email',
        'contact_value.text_value',
        'delivery.address',
        'delivery.response',
        'email.addressees',
        'email.message_id',
        'email.original_message_id',
        'email.subject',
        'email_content.message',
        'event.data',
        'segment.filters',
        'suppression.email',
        'unsubscription.email',
        'webhook_delivery.answer',
      ]),
    )
    expect((await team.get(`/emails/${sentId}`)).json.content_expired).toBe(false)
  })

  const webhookAnswers = () =>
    service.db.query('select 1 from webhook_delivery where team_id = $1 and answer like $2', [
      team.id,
      `%${NAME}%`,
    ])
  const texts = () => [`${local}@${dest}`, `${local}=${dest}`, NAME]

  test('is in no table after the erasure, by address or by name, in any encoding', async () => {
    await erased(team, contactId)
    expect(await findTexts(service.db, texts())).toEqual([])
  })

  test('is counted as before; content is deleted as after retention, and other people keep theirs', async () => {
    const { json: email } = await team.get(`/emails/${sentId}`)
    expect(email).toMatchObject({
      status: 'delivered',
      subject: '',
      html: null,
      text: null,
      content_expired: true,
      tags: [],
    })
    expect(email.to).toEqual([expect.stringMatching(/^erased-[0-9a-f]{16}@erased\.invalid$/)])
    expect(email.recipients).toMatchObject([{ email: email.to[0], status: 'delivered', response: null }])
    const clicked = email.events.find(({ type }: { type: string }) => type === 'email.clicked')
    expect(clicked.data).toMatchObject({ recipient: email.to[0], ip_address: '', user_agent: null, link: '' })
    expect((await team.get(`/emails/${sentId}/raw`)).status).toBe(404)
    const { json: shared } = await team.get(`/emails/${sharedId}`)
    expect(shared.cc).toEqual(email.to)
    expect(shared.recipients.map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'delivered',
    ])
    expect(
      (await team.get(`/emails?to=${encodeURIComponent(email.to[0])}`)).json.data.length,
    ).toBeGreaterThan(5)
  })

  test('is canceled and subtracted from usage when it was scheduled', async () => {
    const { json: email } = await team.get(`/emails/${scheduledId}`)
    expect(email).toMatchObject({ status: 'canceled', last_event: 'canceled' })
    expect(email.events.at(-1)).toMatchObject({ type: 'email.canceled', data: { recipient: email.to[0] } })
  })

  test('remains suppressed and unsubscribed by address, which no response contains', async () => {
    const { json: entry } = await team.get(`/suppressions/${person}`)
    expect(entry).toMatchObject({
      reason: 'bounce',
      email: expect.stringMatching(/^hash-[0-9a-f]{32}@erased\.invalid$/),
    })
    expect((await team.get(`/suppressions?email=${person}`)).json.data).toHaveLength(1)
    expect((await team.post('/suppressions', { email: person })).status).toBe(200)
    expect((await team.settled(await team.send({ to: person }))).status).toBe('suppressed')
    expect((await team.get(`/unsubscriptions?email=${person}`)).json.data).toMatchObject([{ topic: 'News' }])
    expect((await team.delete(`/suppressions/${person}`)).status).toBe(200)
    expect((await team.settled(await team.send({ to: person }))).status).toBe('delivered')
    const topical = await team.settled(await team.send({ to: person, unsubscribe: { topic: 'News' } }))
    expect(topical.status).toBe('suppressed')
  })

  test('404 by the id of the former contact; the address is a new person', async () => {
    expect((await team.get(`/contacts/${contactId}`)).status).toBe(404)
    expect((await team.post(`/contacts/${contactId}/erase`, {})).status).toBe(404)
    const { status, json } = await team.post('/contacts', { email: person })
    expect([status, json.first_name, json.properties]).toEqual([201, '', {}])
    expect(json.id).not.toBe(contactId)
    const told = await service.db.query<{ data: object }>(
      `select data from event where team_id = $1 and type = 'contact.deleted' and subject_id = $2`,
      [team.id, contactId],
    )
    expect(told).toEqual([{ data: { id: contactId, email: expect.stringContaining('@erased.invalid') } }])
  })
})
