import { simpleParser } from 'mailparser'
import { Errors } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSendwright } from '../../src/app/start/start-sendwright.ts'
import { EVENT_KINDS, type EventType } from '../../src/events/catalogue.ts'
import { createLog } from '../../src/lib/log.ts'
import { pauseTeam, resumeTeam } from '../../src/teams/teams.ts'
import { made, type Requester } from '../support/client.ts'
import { startMx, type TestMx } from '../support/mx.ts'
import { makeRules } from '../support/rules.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

/** Every event type, caused through a real path, read from the feed and checked against its schema. */
const REJECTING = '127.0.0.62'
const AT_REJECTING = { a: [REJECTING] }
const rules = makeRules()
let service: TestSendwright
let rejecting: TestMx
let receiver: WebhookReceiver
let ann: Sender
/** A domain whose mail goes through a relay. */
let relayed: string

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'webhooks'],
    environment: { SENDWRIGHT_RULES_FILE: rules.path },
  })
  rejecting = await startMx({
    address: REJECTING,
    port: service.mx.port,
    script: [
      { expect: 'RCPT TO:<no-ptr@', answer: '550 5.7.25 The sending address has no PTR record' },
      { expect: '<message>', answer: '554 5.7.1 Message rejected as spam' },
    ],
  })
  receiver = await startWebhookReceiver()
  ann = await service.givenSender()
  await ann.patch(`/domains/${ann.domainId}`, { open_tracking: true, click_tracking: true })
  relayed = service.givenDestination()
  rules.write({
    relays: [{ name: 'ours', url: `smtp://127.0.0.1:${service.mx.port}` }],
    routes: [{ match: { domain: [relayed] }, via: 'ours' }],
  })
  await service.reload()
})
afterAll(async () => {
  await receiver?.close()
  await service?.stop()
  await rejecting?.close()
  rules.remove()
})

let count = 0
const unique = (name: string) => `${name}${++count}`
const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString()
const simulate = (name: string) => ann.send({ to: `${name}@simulator.test` })

async function schedule(): Promise<string> {
  return ann.send({ scheduled_at: tomorrow() })
}

async function addContact(): Promise<string> {
  return (await ann.post('/contacts', { email: `${unique('contact')}@receiver.test` })).json.id
}

async function joinList() {
  const [contact, list] = [await addContact(), (await ann.post('/lists', { name: 'Readers' })).json.id]
  await ann.post(`/contacts/${contact}/lists`, { list_ids: [list] })
  return { contact, list }
}

/** Sends an email and returns its URLs, at the host that the test can reach. */
async function givenRead(fields: Record<string, unknown>) {
  const to = `${unique('reader')}@${service.givenDestination()}`
  await ann.settled(await ann.send({ to, html: '<p><a href="https://shop.test/">x</a></p>', ...fields }))
  const raw = service.mx.messages.find((message) => message.to[0] === to)?.raw ?? ''
  const { html, headers } = await simpleParser(raw)
  const at = (url = 'https://none.test/') => service.url + new URL(url).pathname
  const list = headers.get('list') as unknown as { unsubscribe?: { url: string } } | undefined
  return {
    pixel: at(/<img src="([^"]+)"/.exec(String(html))?.[1]),
    link: at(/<a href="([^"]+)"/.exec(String(html))?.[1]),
    unsubscribe: at(list?.unsubscribe?.url),
  }
}

/** Sends a campaign to nobody, or to a contact from a domain that is not verified, which pauses it. */
async function sendCampaign(status: 'sent' | 'paused'): Promise<string> {
  const isPaused = status === 'paused'
  const domain = { name: `${unique('pending')}.test` }
  const domain_id = isPaused ? await made(ann, '/domains', domain) : ann.domainId
  const sender_id = await made(ann, '/senders', { name: 'Ann', username: unique('ann'), domain_id })
  const list_id = await made(ann, '/lists', { name: 'Readers' })
  if (isPaused) await ann.post(`/contacts/${await addContact()}/lists`, { list_ids: [list_id] })
  const id = await made(ann, '/campaigns', { name: 'Spring', sender_id, list_id, subject: 'Hi', text: 'Hi' })
  await ann.post(`/campaigns/${id}/send`)
  await expect.poll(async () => (await ann.get(`/campaigns/${id}`)).json.status).toBe(status)
  return id
}

/** Creates a domain whose records are never published, and whose deadline has passed at the next check. */
async function letDomainFail(): Promise<void> {
  const { json } = await ann.post('/domains', { name: `${unique('late')}.test` })
  await service.db.query(
    `update domain
     set pending_since = $3, next_check_at = now()
     where team_id = $1 and id = $2`,
    [ann.id, json.id, new Date(Date.now() - 4 * 24 * 3_600_000)],
  )
  const scheduler = await startSendwright(service.config, { roles: ['scheduler'], log: createLog('warn') })
  await expect
    .poll(async () => (await ann.get(`/domains/${json.id}`)).json.status, { timeout: 60_000 })
    .toBe('failed')
  await scheduler.stop()
}

/** Causes the event. Resolves to the team that receives it, if not Ann. */
type Cause = () => Promise<unknown>
const another = async (
  cause: (team: Awaited<ReturnType<TestSendwright['givenTeam']>>) => Promise<unknown>,
) => {
  const team = await service.givenTeam()
  await cause(team)
  return team
}

const CAUSES: Partial<Record<EventType, Cause>> = {
  'email.queued': () => ann.send(),
  'email.scheduled': schedule,
  'email.sent': () => ann.send({ to: `bob@${relayed}` }),
  'email.delivered': () => ann.send({ to: `bob@${service.givenDestination()}` }),
  'email.delivery_delayed': () => simulate('deferred'),
  'email.bounced': () => simulate('bounced'),
  'email.failed': () => ann.send({ to: `no-ptr@${service.givenDestination(AT_REJECTING)}` }),
  'email.rejected': () => ann.send({ to: `bob@${service.givenDestination(AT_REJECTING)}` }),
  'email.suppressed': () => simulate('suppressed'),
  'email.canceled': async () => ann.post(`/emails/${await schedule()}/cancel`),
  'email.complained': () => simulate('complained'),
  'email.opened': async () => fetch((await givenRead({})).pixel),
  'email.clicked': async () => fetch((await givenRead({})).link, { redirect: 'manual' }),
  'contact.created': addContact,
  'contact.updated': async () => ann.patch(`/contacts/${await addContact()}`, { first_name: 'Bob' }),
  'contact.deleted': async () => ann.delete(`/contacts/${await addContact()}`),
  'contact.list_joined': () => joinList(),
  'contact.list_left': async () => {
    const { contact, list } = await joinList()
    await ann.delete(`/contacts/${contact}/lists/${list}`)
  },
  'contact.event': () =>
    ann.post('/events/send', {
      event: 'order.paid',
      email: `${unique('buyer')}@receiver.test`,
      payload: { order: 4711, items: [{ sku: 'a' }] },
      occurred_at: '2026-03-01T09:30:00Z',
    }),
  'contact.unsubscribed': async () =>
    fetch((await givenRead({ unsubscribe: { topic: 'News' } })).unsubscribe, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }),
  'domain.created': () => ann.post('/domains', { name: `${unique('new')}.test` }),
  'domain.verified': () => service.givenSender(),
  'domain.failed': letDomainFail,
  'domain.deleted': async () => {
    const { json } = await ann.post('/domains', { name: `${unique('gone')}.test` })
    await ann.delete(`/domains/${json.id}`)
  },
  'suppression.added': () => ann.post('/suppressions', { email: `${unique('gone')}@receiver.test` }),
  'suppression.removed': async () => {
    const { json } = await ann.post('/suppressions', { email: `${unique('gone')}@receiver.test` })
    await ann.delete(`/suppressions/${json.id}`)
  },
  'campaign.started': () => sendCampaign('sent'),
  'campaign.paused': () => sendCampaign('paused'),
  'campaign.resumed': async () => ann.post(`/campaigns/${await sendCampaign('paused')}/resume`),
  'campaign.sent': () => sendCampaign('sent'),
  'campaign.canceled': async () => ann.post(`/campaigns/${await sendCampaign('paused')}/cancel`),
  'webhook.disabled': async () => {
    receiver.answer('/gone', (response) => response.writeHead(410).end())
    await ann.post('/webhooks', { endpoint: `${receiver.url}/gone`, events: ['suppression.added'] })
    await ann.post('/suppressions', { email: `${unique('gone')}@receiver.test` })
  },
  'team.paused': () => another((team) => pauseTeam(service.db, team.id, new Date(), 'Too many complaints.')),
  'team.resumed': () =>
    another(async (team) => {
      await pauseTeam(service.db, team.id, new Date())
      await resumeTeam(service.db, team.id, new Date())
    }),
}

/** The only type that nothing causes: it is reserved for inbound mail. */
const RESERVED: readonly EventType[] = ['email.received']

test('every event type is caused by a row of this table', () => {
  const without = EVENT_KINDS.map(({ type }) => type).filter((type) => !(type in CAUSES))
  expect(without).toEqual(RESERVED)
})

test.each(EVENT_KINDS.filter(({ type }) => type in CAUSES).map((kind) => [kind.type, kind] as const))(
  '%s matches its schema',
  async (type, { data: schema }) => {
    const told = (await CAUSES[type]?.()) as Requester | undefined
    const reader = told?.token === undefined ? ann : told
    const { json } = await reader.get(`/events?types=${type}&wait=15&limit=1000`)
    expect(json.data.length, 'events of this type').toBeGreaterThan(0)
    for (const event of json.data) {
      expect(event).toMatchObject({ object: 'event', type })
      expect([...Errors(schema, event.data)], JSON.stringify(event.data)).toEqual([])
      expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(event.data)))
    }
  },
)
