import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bring, feedbackReport, INBOUND, statusDsn } from '../support/inbound.ts'
import {
  BROWSER,
  comeTo,
  erase,
  erased,
  erasureStatus,
  findTexts,
  trackedIn,
} from '../support/personal-data.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: { ...INBOUND, SENDWRIGHT_RETRY_SCHEDULE: '200ms,10m' },
  })
  ann = await service.givenSender()
})
afterAll(() => service?.stop())

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
let count = 0
const suffix = () => (++count).toString(36)

async function messageOf(id: string) {
  const raw = service.mx.messages.find((message) => message.raw.includes(id))?.raw ?? Buffer.alloc(0)
  return simpleParser(raw)
}

describe('open mail', () => {
  test('canceled when it is not started, finished when it is in transit; other recipients of the email still get it', async () => {
    const [waiting, flying, shared] = [1, 2, 3].map(() => `reader${suffix()}@${service.givenDestination()}`)
    service.mx.script(
      { expect: `RCPT TO:<${waiting}`, answer: '450 4.2.0 Later' },
      { expect: '<message>', answer: '250 2.0.0 Let me think of it', byteEveryMs: 100, times: 1 },
    )
    const waitingId = await ann.send({ to: waiting })
    await ann.seen(waitingId, ({ recipients }) => recipients[0].attempts === 2)
    const flyingId = await ann.send({ to: flying })
    const rcptsOf = (to: string | undefined) =>
      service.mx.commands.filter(({ line }) => line.startsWith(`RCPT TO:<${to}`)).length
    await comeTo(() => rcptsOf(flying)).toBe(1)
    const other = `other@${service.givenDestination()}`
    const sharedId = await ann.send({ to: [String(shared), other], scheduled_at: inAnHour() })

    const ids = await Promise.all([waiting, flying, shared].map((who) => erase(ann, String(who))))
    await comeTo(() => Promise.all(ids.map((id) => erasureStatus(ann, id)))).toEqual([
      'completed',
      'completed',
      'waiting',
    ])

    const tries = rcptsOf(waiting)
    expect(await ann.settled(waitingId)).toMatchObject({ status: 'canceled', content_expired: true })
    expect(await ann.settled(flyingId)).toMatchObject({ status: 'delivered', content_expired: true })
    expect(rcptsOf(waiting)).toBe(tries)
    const { json: open } = await ann.get(`/emails/${sharedId}`)
    expect(open.recipients).toMatchObject([{ status: 'canceled' }, { email: other, status: 'scheduled' }])
    await ann.post(`/emails/${sharedId}/cancel`)
    await comeTo(() => erasureStatus(ann, String(ids[2]))).toBe('completed')
    expect((await ann.get(`/emails/${sharedId}`)).json.content_expired).toBe(true)
    expect(await findTexts(service.db, [waiting, flying, shared].map(String))).toEqual([])
  })

  test.each([
    ['550 5.1.1 No such user', 'suppressed'],
    ['552 5.2.2 Mailbox full', 'delivered'],
  ])(
    'bounced in transit by %s during the erasure: no address is left, and the next email is %s',
    async (answer, next) => {
      const who = `gone${suffix()}@${service.givenDestination()}`
      service.mx.script({ expect: '<message>', answer, byteEveryMs: 100, times: 1 })
      const id = await ann.send({ to: who })
      await comeTo(() => service.mx.commands.some(({ line }) => line.startsWith(`RCPT TO:<${who}`))).toBe(
        true,
      )
      await erased(ann, who)
      expect((await ann.settled(id)).status).toBe('bounced')
      expect(await findTexts(service.db, [who])).toEqual([])
      expect((await ann.settled(await ann.send({ to: who }))).status).toBe(next)
    },
  )

  test('old mail brings nothing back by links, pixel, bounce or complaint; an unsubscription is stored as a hash', async () => {
    const bob = await service.givenSender()
    await bob.patch(`/domains/${bob.domainId}`, { open_tracking: true, click_tracking: true })
    const who = `late${suffix()}@${service.givenDestination()}`
    const id = await bob.send({
      to: who,
      unsubscribe: { topic: 'Late' },
      text: undefined,
      html: '<a href="https://shop.test/">shop</a>',
    })
    await bob.settled(id)
    const { html, headers } = await messageOf(id)
    const { unsubscribe } = headers.get('list') as unknown as { unsubscribe: { url: string; mail: string } }
    const from = service.mx.messages.find(({ raw }) => raw.includes(id))?.from ?? ''
    await erased(bob, who)

    for (const link of trackedIn(html, service.url)) {
      const { status } = await fetch(link, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
      expect([200, 302]).toContain(status)
    }
    const status = statusDsn({ recipient: who, action: 'failed', status: '5.1.1' })
    expect(await bring(service.inboundPort, { to: from, message: status })).toMatch(/^250/)
    expect(await bring(service.inboundPort, { to: from, message: feedbackReport() })).toMatch(/^250/)
    const mailto = unsubscribe.mail.split('?')[0] ?? ''
    expect(await bring(service.inboundPort, { from: who, to: mailto, message: 'From: a\r\n\r\n' })).toMatch(
      /^250/,
    )
    const path = service.url + new URL(unsubscribe.url).pathname
    expect(
      await (
        await fetch(path, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
      ).text(),
    ).toContain('unsubscribed')
    expect(await (await fetch(path)).text()).toContain('unsubscribed')

    expect(await findTexts(service.db, [who])).toEqual([])
    const events = (await bob.get(`/emails/${id}`)).json.events.map(({ type }: { type: string }) => type)
    expect(events).toEqual(['email.queued', 'email.delivered'])
    expect((await bob.get('/suppressions')).json.data).toEqual([])
    expect((await bob.settled(await bob.send({ to: who, unsubscribe: { topic: 'Late' } }))).status).toBe(
      'suppressed',
    )
    expect((await bob.settled(await bob.send({ to: who }))).status).toBe('delivered')
  })
})

test('erased in one team only, even without a contact and repeatedly; suppressed afterwards on request', async () => {
  const [bob, eve] = [await service.givenSender(), await service.givenSender()]
  const who = `Both${suffix()}@${service.givenDestination()}`
  const [bobs, eves] = [await bob.send({ to: who }), await eve.send({ to: who })]
  await Promise.all([bob.settled(bobs), eve.settled(eves)])
  await eve.post('/contacts', { email: who, first_name: 'Both' })
  const ids = [await erase(bob, who, { keep_suppressed: true }), await erase(bob, who.toUpperCase())]
  await comeTo(() => Promise.all(ids.map((id) => erasureStatus(bob, id)))).toEqual(['completed', 'completed'])

  expect((await bob.get(`/emails/${bobs}`)).json.to).toEqual([expect.stringContaining('@erased.invalid')])
  expect((await eve.get(`/emails/${eves}`)).json).toMatchObject({ to: [who], content_expired: false })
  expect((await eve.get(`/contacts/${who}`)).json.first_name).toBe('Both')
  expect((await eve.get(`/erasures/${ids[0]}`)).status).toBe(404)
  expect((await bob.settled(await bob.send({ to: who }))).status).toBe('suppressed')
  expect((await eve.settled(await eve.send({ to: who }))).status).toBe('delivered')
  expect((await bob.get(`/suppressions/${who}`)).json).toMatchObject({ reason: 'manual' })

  expect((await bob.post('/contacts/no-address/erase', {})).status).toBe(404)
  expect((await bob.post(`/contacts/${who}/erase`, { keep_suppressed: 'yes' })).status).toBe(422)
  const { json: log } = await bob.get('/audit?action=contacts.erase')
  expect(log.data).toHaveLength(2)
  expect(JSON.stringify(log).toLowerCase()).not.toContain(who.toLowerCase())
})

test('exported with all data of a person in a team, and of others only what every recipient saw', async () => {
  const bob = await service.givenSender()
  const dest = service.givenDestination()
  const who = `export${suffix()}@${dest}`
  await bob.post('/properties', { key: 'plan', type: 'string' })
  const { json: list } = await bob.post('/lists', { name: 'Readers' })
  const contact = { email: who, first_name: 'Ex', list_ids: [list.id], properties: { plan: 'pro' } }
  const { json: made } = await bob.post('/contacts', contact)
  await bob.post('/unsubscriptions', { email: who, topic: 'News' })
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    ids.push(
      await bob.send({
        to: `Ex <${who}>`,
        cc: [`cc@${dest}`],
        bcc: [`bcc@${dest}`],
        subject: `Nr ${n}`,
        text: `Say ${n}`,
        headers: { 'X-Note': ['one', 'two'] },
      }),
    )
  }
  await Promise.all(ids.map((id) => bob.settled(id)))
  await bob.post('/suppressions', { email: who })

  const reply = await bob.get(`/contacts/${made.id}/export`)
  expect(reply.headers.get('content-type')).toContain('application/json')
  expect(reply.json).toMatchObject({
    object: 'person_export',
    email: who,
    contact: { first_name: 'Ex', properties: { plan: 'pro' }, lists: [{ name: 'Readers' }] },
    suppressions: [{ reason: 'manual' }],
    unsubscriptions: [{ scope: 'topic:News', source: 'api' }],
  })
  expect(reply.json.emails.map(({ id }: { id: string }) => id)).toEqual(ids.toSorted())
  expect(reply.json.emails[0]).toMatchObject({
    subject: 'Nr 0',
    status: 'delivered',
    to: [`Ex <${who}>`],
    bcc: [],
    headers: { 'X-Note': ['one', 'two'] },
  })
  expect(reply.json.emails[0].text.trim()).toBe('Say 0')
  expect(reply.json.emails[0].attempts).toHaveLength(1)
  expect(reply.text).not.toContain(`bcc@${dest}`)
  const told = (events: { type: string; data: { recipient?: string } }[]) => events.map(({ type }) => type)
  expect(told(reply.json.emails[0].events)).toEqual(['email.queued', 'email.delivered'])
  expect(told(reply.json.events)).toEqual([
    'contact.created',
    'contact.list_joined',
    'contact.unsubscribed',
    'suppression.added',
  ])
  expect(reply.json.automation_runs).toEqual([])
  expect((await bob.get(`/contacts/${who}/export`)).text.length).toBe(reply.text.length)
  expect((await ann.get(`/contacts/${made.id}/export`)).status).toBe(404)
  expect((await ann.get(`/contacts/${who}/export`)).json).toMatchObject({
    contact: null,
    emails: [],
    events: [],
  })
})
