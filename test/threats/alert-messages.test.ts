import { simpleParser } from 'mailparser'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { givenMember, givenWhole } from '../support/browsing.ts'
import type { Ask } from '../support/people.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const POLL = { timeout: 60_000 }
/** Names that try to add headers, mention a channel, and hide a link. */
const TEAM_NAME = 'Eve\r\nBcc: evil@evil.test\r\n\r\n<!channel> <b>'
const DOMAIN_NAME = 'bad.test\r\nX-Injected: 1 <https://evil.test|Log in>'
let service: TestSendwright
let system: Sender
let receiver: WebhookReceiver

beforeAll(async () => {
  service = await startTestSendwright({
    environment: { SENDWRIGHT_ACCOUNT_FROM: 'Sendwright <no-reply@system.test>' },
  })
  system = await service.givenSender({ domain: 'system.test' })
  receiver = await startWebhookReceiver()
})
afterAll(async () => {
  await receiver?.close()
  await service?.stop()
})

async function givenTeam() {
  const team = await service.givenTeam()
  await service.db.query('update team set name = $2 where id = $1', [team.id, TEAM_NAME])
  const email = `olga@${service.givenDestination()}`
  const owner = await givenMember(givenWhole(service), team.id, 'owner', email)
  return { id: team.id, token: team.token, email, ask: owner.inTeam(team.id) }
}

const givenDomain = (teamId: string) =>
  service.db.query(
    `insert into domain (team_id, id, name, status, captured, tls, open_tracking, click_tracking, checks,
       return_path_verified, reason, failed_days, created_at, updated_at)
     values ($1, $2, $3, 'failed', false, 'opportunistic', false, false, '{}', false, 'No record.', 7, $4, $4)`,
    [teamId, newId(), DOMAIN_NAME, new Date()],
  )

const mailTo = (email: string) => service.mx.messages.filter(({ to }) => to.includes(email))

/** Resolves to the newest messages once none waits. */
async function settled(ask: Ask) {
  const recent = async () => (await ask('GET /team/notifications')).json.recent as Record<string, unknown>[]
  await expect
    .poll(async () => (await recent()).filter(({ status }) => status === 'waiting'), POLL)
    .toEqual([])
  return recent()
}

test('an alert arrives once by email and once at a signed webhook, and no name becomes a header or a mention', async () => {
  const { id, email, ask } = await givenTeam()
  const set = await ask('PUT /team/alert-webhook', { url: `${receiver.url}/alerts` })
  expect(set.status, set.text).toBe(200)
  await givenDomain(id)
  await ask('PATCH /team/notifications', { enabled: true })
  await expect.poll(() => mailTo(email).length, POLL).toBe(1)
  await expect.poll(() => receiver.at('/alerts').length, POLL).toBe(1)
  expect((await settled(ask)).map(({ status, reason }) => `${status} ${reason}`)).toEqual([
    'sent summary',
    'sent summary',
  ])

  const [mail] = mailTo(email)
  const parsed = await simpleParser(mail?.raw ?? Buffer.alloc(0))
  expect(parsed.headers.has('bcc')).toBe(false)
  expect(parsed.headers.has('x-injected')).toBe(false)
  expect(parsed.from?.value).toEqual([{ name: 'Sendwright', address: 'no-reply@system.test' }])
  expect(parsed.subject).toContain('1 alert needs attention')
  expect(parsed.subject).not.toContain('bad.test')
  expect(parsed.text).toContain('Domain verification failed (bad.test\\x0d\\x0aX-Injected')
  expect(parsed.html).toContain('&lt;b&gt;')
  expect(parsed.html).not.toContain('<b>')

  const [hook] = receiver.at('/alerts')
  const { signing_secret: secret } = set.json.webhook
  new Webhook(secret).verify(hook?.text ?? '', hook?.headers as Record<string, string>)
  expect(hook?.json.text).toContain('&lt;!channel&gt;')
  expect(hook?.json.text).not.toMatch(/<!|<https:\/\/evil/)
  expect(hook?.json).toMatchObject({
    type: 'alerts.changed',
    reason: 'summary',
    team: { id },
    alerts: [{ state: 'open', kind: 'domain_failing', severity: 'critical' }],
  })
})

test('a process that died after it sent does not send the email twice, and repeats the id of the webhook', async () => {
  const { id, email, ask } = await givenTeam()
  await ask('PUT /team/alert-webhook', { url: `${receiver.url}/killed` })
  await ask('POST /team/notifications/test', { channel: 'webhook' })
  await ask('POST /team/notifications/test', { channel: 'email' })
  await expect.poll(() => mailTo(email).length, POLL).toBe(1)
  await settled(ask)
  // As if the process had been killed before it wrote that the messages were sent.
  await service.db.query(
    "update alert_message set status = 'waiting', due_at = $2, leased_by = $3 where team_id = $1",
    [id, new Date(), newId()],
  )
  await expect.poll(() => receiver.at('/killed').length, POLL).toBe(2)
  await settled(ask)
  expect(new Set(receiver.at('/killed').map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const emails = await service.db.query(
    'select 1 from email where team_id = $1 and addressees::text like $2',
    [system.id, `%${email}%`],
  )
  expect(emails).toHaveLength(1)
})

test('members of the team that sends system mail read no alert of another team', async () => {
  const { email, ask } = await givenTeam()
  await ask('POST /team/notifications/test', { channel: 'email' })
  await expect.poll(() => mailTo(email).length, POLL).toBe(1)
  const { data } = (await system.get('/emails')).json
  const found = data.find(({ to }: { to: string[] }) => to[0] === email)
  expect((await system.get(`/emails/${found.id}`)).json).toMatchObject({ html: null, content_expired: true })
  expect((await system.get(`/emails/${found.id}/raw`)).status).toBe(404)
})

test('a webhook whose name leads to a private address gets no request', async () => {
  await service.restart({ SENDWRIGHT_ALLOW_PRIVATE_NETWORKS: 'false' })
  service.dns.set({ 'inside.test': { a: ['127.0.0.1'] } })
  const { ask } = await givenTeam()
  const url = `https://inside.test:${receiver.port}/ssrf`
  expect((await ask('PUT /team/alert-webhook', { url })).status).toBe(200)
  await ask('POST /team/notifications/test', { channel: 'webhook' })
  const error = async () => (await ask('GET /team/notifications')).json.recent[0]?.error
  await expect.poll(error, POLL).toBe('The address is not allowed.')
  expect(receiver.at('/ssrf')).toEqual([])
})
