import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ContractProxy, startContractProxy } from '../../../test/support/contract-proxy.ts'
import type { Sender } from '../../../test/support/sendwright.ts'
import type { Sendwright } from '../src/index.ts'
import { useServer } from './support/server.ts'

/**
 * The requests of the client and the responses to them match the OpenAPI document, as a proxy sees that knows only the
 * document (Prism).
 */
const setup = useServer()
let proxy: ContractProxy
let client: Sendwright
let sender: Sender
let calls: { name: string; violations: string | null }[]

beforeAll(async () => {
  proxy = await startContractProxy(setup.sendwright.url, { validateRequest: true })
})
afterAll(() => proxy?.close())

beforeEach(async () => {
  calls = []
  const given = await setup.givenClient({ baseUrl: proxy.url, retries: 0, fetch: witness })
  client = given.client
  sender = given.sender
})

/** Sends a request, and records what the proxy says of it. */
async function witness(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const name = `${init?.method ?? 'GET'} ${new URL(String(url)).pathname}`
  calls.push({ name, violations: response.headers.get('sl-violations') })
  return response
}

/** Expects that at least `count` calls went through the proxy, and that it objects to none. */
function expectNoViolations(count: number): void {
  expect(calls.filter(({ violations }) => violations !== null)).toEqual([])
  expect(calls.length).toBeGreaterThanOrEqual(count)
}

test('emails', async () => {
  const email = { from: `Ann <a@${sender.domain}>`, to: ['b@receiver.test'], subject: 'One', text: 'One.' }
  const { id } = await client.emails
    .send({ ...email, tags: [{ name: 'kind', value: 'test' }] }, { idempotencyKey: 'contract' })
    .orThrow()
  await client.emails.sendBatch([email, { ...email, to: 'nobody' }], { validation: 'permissive' }).orThrow()
  const later = await client.emails
    .send({ ...email, scheduled_at: new Date(Date.now() + 3_600_000) })
    .orThrow()
  await client.emails.reschedule(later.id, { scheduled_at: new Date(Date.now() + 7_200_000) }).orThrow()
  await client.emails.cancel(later.id).orThrow()
  await sender.settled(id)
  await client.emails.get(id).orThrow()
  await client.emails.list({ status: 'delivered', limit: 1 }).orThrow()
  await client.emails.attempts(id).orThrow()
  await client.emails.share(id, { expires_in: '2 hours' }).orThrow()
  await client.emails.metrics({ group_by: 'domain' }).orThrow()
  await client.events.list({ types: ['email.delivered'] }).orThrow()
  expectNoViolations(11)
})

test('templates', async () => {
  const { id } = await client.templates
    .create({
      name: 'Welcome',
      from: `Ann <a@${sender.domain}>`,
      subject: 'Hello {{{NAME}}}',
      html: '<p>{{{NAME}}}</p>',
    })
    .orThrow()
  await client.templates.update(id, { alias: 'welcome' }).orThrow()
  await client.templates.publish(id).orThrow()
  await client.templates.saveDraft(id, { subject: 'Welcome, {{NAME}}' }).orThrow()
  await client.templates.getDraft(id).orThrow()
  await client.templates.discardDraft(id).orThrow()
  await client.templates.preview(id, { variables: { NAME: 'Ann' } }).orThrow()
  await client.templates.versions(id).orThrow()
  await client.templates.duplicate(id).orThrow()
  await client.templates.list({ limit: 10 }).orThrow()
  await client.templates.delete(id).orThrow()
  expectNoViolations(8)
})

test('contacts, lists, segments and suppressions', async () => {
  const list = await client.lists.create({ name: 'News' }).orThrow()
  const contact = await client.contacts
    .create({ email: 'ann@receiver.test', first_name: 'Ann', last_name: null })
    .orThrow()
  await client.contacts.addToLists(contact.id, { list_ids: [list.id] }).orThrow()
  await client.contacts.update(contact.id, { first_name: 'Anna' }).orThrow()
  await client.contacts.list({ q: 'ann' }).orThrow()
  await client.contacts.lists(contact.id).orThrow()
  await client.contacts.removeFromList(contact.id, list.id).orThrow()
  const suppression = await client.suppressions.add({ email: 'bob@receiver.test' }).orThrow()
  await client.suppressions.get(suppression.id).orThrow()
  await client.suppressions.remove(suppression.id).orThrow()
  await client.contacts.delete(contact.id).orThrow()
  await client.lists.delete(list.id).orThrow()
  expectNoViolations(12)
})

test('domains, webhooks, API keys and the account', async () => {
  const domain = await client.domains.create({ name: 'contract.example' }).orThrow()
  await client.domains.get(domain.id).orThrow()
  await client.domains.update(domain.id, { open_tracking: true }).orThrow()
  await client.domains.list().orThrow()
  await client.domains.delete(domain.id).orThrow()
  const webhook = await client.webhooks
    .create({ url: 'https://app.example.com/hooks', events: ['email.bounced'] })
    .orThrow()
  await client.webhooks.get(webhook.id).orThrow()
  await client.webhooks.delete(webhook.id).orThrow()
  const key = await client.apiKeys.create({ name: 'Contract', permission: 'sending_access' }).orThrow()
  await client.apiKeys.revoke(key.id).orThrow()
  await client.account.usage().orThrow()
  await client.logs.list({ limit: 5 }).orThrow()
  expectNoViolations(12)
})

test('errors', async () => {
  const absent = '0198c0de-0000-7000-8000-000000000001'
  expect((await client.emails.get(absent)).error).toMatchObject({ statusCode: 404 })
  expect((await client.lists.create({ name: '' })).error).toMatchObject({ statusCode: 422 })
  // The proxy objects to the empty name as the server does.
  calls = calls.filter(({ name }) => name !== 'POST /lists')
  expectNoViolations(1)
})
