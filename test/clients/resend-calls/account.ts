import { expect } from 'vitest'
import { exampleOf } from '../../../src/events/examples.ts'
import { writeWebhookBody } from '../../../src/webhooks/request/body.ts'
import { signWebhook } from '../../../src/webhooks/request/sign.ts'
import { good } from '../../support/resend.ts'
import { expectPages, TIME, UUID, type World } from './world.ts'

export async function keepsDomains({ resend, sender }: World): Promise<void> {
  const created = await good(
    resend.domains.create({
      name: 'a.sdk.example',
      region: 'eu-west-1',
      customReturnPath: 'bounces',
      capabilities: { sending: 'enabled' },
      openTracking: true,
      clickTracking: false,
      tls: 'enforced',
      trackingSubdomain: 'links',
    }),
  )
  const { id } = created
  expect(created).toMatchObject({
    name: 'a.sdk.example',
    open_tracking: true,
    created_at: TIME,
    region: null,
  })
  expect(created.capabilities).toEqual({ sending: 'enabled', receiving: 'disabled' })
  expect(created.records.map(({ record }) => record)).toEqual(expect.arrayContaining(['DKIM', 'SPF']))
  expect(await good(resend.domains.verify(id))).toMatchObject({ object: 'domain', id })
  const changes = { id, clickTracking: true, openTracking: false, tls: 'opportunistic' as const }
  expect(await good(resend.domains.update(changes))).toMatchObject({ object: 'domain', id })
  expect(await good(resend.domains.get(id))).toMatchObject({
    object: 'domain',
    status: 'verified',
    open_tracking: false,
    click_tracking: true,
  })
  const second = await good(resend.domains.create({ name: 'b.sdk.example' }))
  await expectPages([second.id, id, sender.domainId], (page) => resend.domains.list(page as object))
  for (const gone of [id, second.id]) {
    expect(await good(resend.domains.remove(gone))).toEqual({ object: 'domain', id: gone, deleted: true })
  }
}

export async function keepsKeys({ resend, newClient, sender }: World): Promise<void> {
  const full = await good(resend.apiKeys.create({ name: 'full', permission: 'full_access' }))
  expect(full).toMatchObject({ id: UUID, token: expect.stringMatching(/^sw_/) })
  const sending = { name: 'sending', permission: 'sending_access', domain_id: sender.domainId } as const
  const { id, token } = await good(resend.apiKeys.create(sending))
  expect((await newClient(token).domains.list()).error).toMatchObject({ name: 'restricted_api_key' })
  await expectPages([id, full.id, sender.keyId], (page) => resend.apiKeys.list(page as object))
  expect(await good(resend.apiKeys.update(id, { name: 'renamed' }))).toMatchObject({ object: 'api_key', id })
  const { data } = await good(resend.apiKeys.list())
  expect(data[0]).toMatchObject({ id, name: 'renamed', created_at: TIME })
  expect(await good(resend.apiKeys.remove(id))).toEqual({ object: 'api_key', id, deleted: true })
  const refused = async () => (await newClient(token).emails.get(id)).error?.name
  await expect.poll(refused).toBe('invalid_api_key')
}

export async function keepsSuppressions({ resend }: World): Promise<void> {
  const { suppressions } = resend
  const { id } = await good(suppressions.add({ email: 'Gone@Receiver.test' }))
  expect(await good(suppressions.add({ email: 'gone@receiver.test' }))).toMatchObject({
    object: 'suppression',
    id,
  })
  for (const name of [id, 'gone@receiver.test', 'Gone@receiver.test']) {
    expect(await good(suppressions.get(name))).toMatchObject({
      object: 'suppression',
      id,
      email: 'gone@receiver.test',
      origin: 'manual',
      source_id: null,
      created_at: TIME,
    })
  }
  const added = await good(suppressions.batch.add({ emails: ['b@receiver.test', 'c+x@receiver.test'] }))
  const [second, third] = added.data.map((entry) => entry.id) as [string, string]
  expect(added.data).toMatchObject([{ object: 'suppression' }, { object: 'suppression' }])
  await expectPages([third, second, id], (page) => suppressions.list(page as object))
  expect((await good(suppressions.list({ origin: 'manual' }))).data).toHaveLength(3)
  expect((await good(suppressions.list({ origin: 'bounce' }))).data).toEqual([])
  expect(await good(suppressions.batch.remove({ ids: [second] }))).toMatchObject({
    data: [{ object: 'suppression', id: second, deleted: true }],
  })
  expect(await good(suppressions.batch.remove({ emails: ['c+x@receiver.test'] }))).toMatchObject({
    data: [{ object: 'suppression', id: third, deleted: true }],
  })
  expect(await good(suppressions.remove('gone@receiver.test'))).toEqual({
    object: 'suppression',
    id,
    deleted: true,
  })
}

export async function keepsWebhooks({ resend }: World): Promise<void> {
  const { webhooks } = resend
  const endpoint = 'https://shop.example.com/hooks'
  const first = await good(webhooks.create({ endpoint, events: ['email.delivered', 'email.bounced'] }))
  const { id } = first
  expect(first).toMatchObject({
    object: 'webhook',
    id: UUID,
    signing_secret: expect.stringMatching(/^whsec_/),
  })
  const shown = { object: 'webhook', id, endpoint, status: 'enabled', created_at: TIME }
  expect(await good(webhooks.get(id))).toMatchObject({
    ...shown,
    events: ['email.delivered', 'email.bounced'],
    signing_secret: first.signing_secret,
  })
  const more = [
    await good(webhooks.create({ endpoint: `${endpoint}/2`, events: ['contact.created'] })),
    await good(webhooks.create({ endpoint: `${endpoint}/3`, events: ['suppression.added'] })),
  ] as const
  await expectPages([more[1].id, more[0].id, id], (page) => webhooks.list(page as object))
  const changes = { endpoint: `${endpoint}/4`, events: ['email.sent' as const], status: 'disabled' as const }
  expect(await good(webhooks.update(id, changes))).toMatchObject({ object: 'webhook', id })
  expect(await good(webhooks.get(id))).toMatchObject({ ...shown, ...changes })
  const unknown = await webhooks.update(id, { events: ['topic.created'] })
  expect(unknown.error).toMatchObject({ name: 'validation_error', statusCode: 422 })
  const { signing_secret } = await good(webhooks.rotateSigningSecret(id))
  expect(signing_secret).not.toBe(first.signing_secret)
  for (const webhookSecret of [signing_secret, first.signing_secret]) {
    expect(webhooks.verify(signed([signing_secret, first.signing_secret], webhookSecret))).toMatchObject({
      type: 'email.delivered',
    })
  }
  for (const gone of [id, ...more.map((webhook) => webhook.id)]) {
    expect(await good(webhooks.remove(gone))).toEqual({ object: 'webhook', id: gone, deleted: true })
  }
}

export async function readsWebhookEvents({ resend, receiver, sender }: World): Promise<void> {
  const { webhooks } = resend
  receiver.answer('/events', (response) => response.writeHead(202).end('taken'))
  const { id } = await good(
    webhooks.create({ endpoint: `${receiver.url}/events`, events: ['email.delivered'] }),
  )
  await sender.send()
  await expect.poll(async () => (await good(webhooks.events.list({ webhookId: id }))).data.length).toBe(1)
  await expect
    .poll(async () => (await good(webhooks.events.list({ webhookId: id }))).data[0]?.status)
    .toBe('success')
  const { data, has_more } = await good(webhooks.events.list({ webhookId: id, limit: 5 }))
  const [event] = data
  expect([data.length, has_more]).toEqual([1, false])
  expect(event).toMatchObject({ id: UUID, type: 'email.delivered', created_at: TIME })
  const of = { webhookId: id, eventId: event?.id ?? '' }
  expect(await good(webhooks.events.get(of))).toMatchObject({
    object: 'webhook_event',
    id: event?.id,
    next_attempt_at: null,
    payload: JSON.parse(receiver.at('/events')[0]?.text ?? ''),
  })
  const attempts = await good(webhooks.events.attempts.list(of))
  expect(attempts.data).toEqual([{ id: UUID, http_status_code: 202, response: 'taken', sent_at: TIME }])
  expect(await good(webhooks.events.replay(of))).toMatchObject({ object: 'webhook_event', id: UUID })
  await expect.poll(() => receiver.at('/events').length).toBe(2)
  const unknown = await webhooks.events.get({ webhookId: id, eventId: id })
  expect(unknown.error).toMatchObject({ statusCode: 404, name: 'not_found' })
  await good(webhooks.remove(id))
}

/** Returns a webhook request, to be verified as the SDK's documentation describes. */
function signed(secrets: readonly string[], webhookSecret: string) {
  const now = new Date()
  const type = 'email.delivered'
  const payload = writeWebhookBody({ type, createdAt: now, data: { ...exampleOf(type) } })
  const keys = secrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'))
  const fields = signWebhook(keys, 'msg_1', now, payload)
  const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => fields[`svix-${name}`],
  )
  return { payload, headers: { id, timestamp, signature }, webhookSecret }
}

export async function readsUsage({ resend }: World): Promise<void> {
  expect(await good(resend.usage.get())).toMatchObject({ object: 'usage' })
}

/** Finds requests by their ids, and the error of one that failed. */
export async function readsLogs({ resend, sender }: World): Promise<void> {
  const { headers } = await resend.domains.get('unknown@receiver.test')
  const { id } = await good(
    resend.emails.send({ from: `a@${sender.domain}`, to: 'a@receiver.test', subject: 'Hi', text: 'Hi' }),
  )
  // Without the requests of setting up the sender, and of this.
  const list = async () => {
    const { data } = await good(resend.logs.list({ limit: 100 }))
    return data.filter(({ endpoint }) => ['/emails', '/domains/{id}'].includes(endpoint))
  }
  await expect.poll(async () => (await list()).length).toBe(2)
  const rejected = {
    id: headers?.['x-request-id'],
    created_at: TIME,
    endpoint: '/domains/{id}',
    method: 'GET',
    response_status: 404,
    user_agent: expect.stringMatching(/^resend-node/),
  }
  expect(await list()).toMatchObject([{ endpoint: '/emails', method: 'POST', record_id: id }, rejected])
  expect(await good(resend.logs.get(rejected.id ?? ''))).toMatchObject({
    ...rejected,
    object: 'log',
    request_body: null,
    response_body: { statusCode: 404, name: 'not_found' },
  })
}

/** Uses the client's generic request methods. */
export async function sendsRawRequests({ resend, sender }: World): Promise<void> {
  const body = { name: 'by-hand.example' }
  const made = await good(resend.post<{ id: string }>('/domains', body))
  const path = `/domains/${made.id}`
  expect(await good(resend.get(path))).toMatchObject({ ...body, tls: 'opportunistic' })
  expect(await good(resend.put(path, { tls: 'enforced' }))).toMatchObject({ tls: 'enforced' })
  expect(await good(resend.patch(path, { tls: 'opportunistic' }))).toMatchObject({ tls: 'opportunistic' })
  expect(await good(resend.delete(path))).toMatchObject({ deleted: true })
  const headers = { authorization: `Bearer ${sender.token}` }
  expect(await good(resend.fetchRequest('/domains', { headers }))).toMatchObject({ object: 'list' })
}
