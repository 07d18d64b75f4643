import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call, closeResend, listMethods, openResend, overhear } from '../support/resend.ts'
import { checkAnswers } from '../support/sdk-types.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import * as account from './resend-calls/account.ts'
import * as audience from './resend-calls/audience.ts'
import { definesEvents, keepsAutomations, runsAutomations } from './resend-calls/automations.ts'
import { keepsBroadcasts, sendsBroadcasts } from './resend-calls/broadcasts.ts'
import { sendsInBatches, sendsOneByOne, sharesEmails } from './resend-calls/emails.ts'
import { keepsTemplates } from './resend-calls/templates.ts'
import type { World } from './resend-calls/world.ts'

/**
 * Every method of Resend's SDK either works, with a response that matches the SDK's types, or is rejected with a
 * clean error; docs/resend.md lists both. A method of a later SDK version fails this test until it is classified.
 */
interface Entry {
  method: string
  here: string
  /** The fields of its response that the documentation excludes from the types. */
  untyped: readonly string[]
}

const ROW = /^\| (`.+?`) \| (\w+) \| (.*)\|$/gm
const ENTRIES: readonly Entry[] = [...readDocument().matchAll(ROW)].flatMap(([, calls, here, note]) =>
  namesIn(calls as string).map((method) => ({
    method,
    here: here as string,
    untyped: namesIn(/Not as typed: (.*?)\./.exec(note as string)?.[1] ?? ''),
  })),
)

function readDocument(): string {
  return readFileSync(join(import.meta.dirname, '../../docs/resend.md'), 'utf8')
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(.+?)`/g)].map((match) => match[1] as string)
}

const methodsThat = (...here: readonly string[]) =>
  ENTRIES.filter((entry) => here.includes(entry.here)).map(({ method }) => method)

const heard: Answer[] = []
let receiver: WebhookReceiver
let sendwright: SharedSendwright
let newClient: (key: string) => Resend
let world: World

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  sendwright = await shareSendwright('webhooks')
  newClient = await openResend(sendwright.url)
  world = await newWorld()
})
afterAll(async () => {
  closeResend()
  await receiver?.close()
})

/** Creates a world with a separate team. */
async function newWorld(): Promise<World> {
  const sender = await sendwright.givenSender()
  const resend = overhear(newClient(sender.token), (answer) => heard.push(answer))
  return { resend, newClient, sender, receiver, url: sendwright.url, db: sendwright.db }
}

describe('docs/resend.md', () => {
  test('names every method of the SDK once, and nothing else', () => {
    expect(ENTRIES.map(({ method }) => method).sort()).toEqual(listMethods(newClient('sw_key')).sort())
    expect(new Set(ENTRIES.map(({ here }) => here))).toEqual(new Set(['works', 'differs', 'missing']))
  })
})

describe('what works', () => {
  test('emails, one by one', async () => sendsOneByOne(await newWorld()))
  test('attachments and public links of an email', async () => sharesEmails(await newWorld()))
  test('emails in batches', () => sendsInBatches(world))
  test('domains', () => account.keepsDomains(world))
  test('API keys', () => account.keepsKeys(world))
  test('suppressions', () => account.keepsSuppressions(world))
  test('webhooks', () => account.keepsWebhooks(world))
  test('deliveries to webhooks, as events of a webhook', () => account.readsWebhookEvents(world))
  test('usage', () => account.readsUsage(world))
  test('events of the application', async () => definesEvents(await newWorld()))
  test('logs of requests', async () => account.readsLogs(await newWorld()))
  test('raw requests', () => account.sendsRawRequests(world))
  test('contact properties, and contacts with them', async () => {
    await audience.keepsProperties(world)
    await audience.keepsContacts(world)
  })
  test('imports, in the form of this service', async () => audience.readsImports(await newWorld()))
  test('segments, also under the name audiences', () => audience.keepsSegments(world))
  test('segments of a contact', async () => audience.keepsContactSegments(await newWorld()))
  test('automations, before they run', async () => keepsAutomations(await newWorld()))
  test('automations that run', async () => runsAutomations(await newWorld()))
  test('templates', () => keepsTemplates(world))
  test('broadcasts, before they are sent', async () => keepsBroadcasts(await newWorld()))
  test('broadcasts that are sent, with their recipients', async () => sendsBroadcasts(await newWorld()))

  test('each method was called', () => {
    expect([...new Set(heard.map(({ method }) => method))].sort()).toEqual(
      methodsThat('works', 'differs').sort(),
    )
  })

  test('responses match the types of the SDK, except for the fields in docs/resend.md', async () => {
    const untyped = new Map(ENTRIES.map((entry) => [entry.method, entry.untyped]))
    expect(await checkAnswers([{ answers: heard, untyped }])).toEqual([''])
  })

  test('responses of another type do not match', async () => {
    const { data } = heard.find(({ method }) => method === 'emails.get') as { data: object }
    const setOf = (answer: object, untyped: string[] = []) => ({
      answers: [{ method: 'emails.get', data: answer }],
      untyped: new Map([['emails.get', untyped]]),
    })
    const errors = await checkAnswers([
      setOf({ ...data, more: 1 }),
      setOf({ ...data, subject: 1 }),
      setOf({ ...data, last_event: 'lost' }),
      setOf({ ...data, id: undefined }),
      setOf({ ...data }, ['id']),
    ])
    expect(errors).toEqual([
      '',
      expect.stringContaining("'number' is not assignable to type 'string'"),
      expect.stringContaining('lost'),
      expect.stringContaining("Property 'id' is missing"),
      expect.stringContaining("'false' is not assignable to type 'true'"),
    ])
  })
})

const ID = '0198c0de-0000-7000-8000-000000000000'
/** Enough fields for the SDK to build any request. */
const FIELDS = {
  id: ID,
  contactId: ID,
  segmentId: ID,
  automationId: ID,
  runId: ID,
  inboxId: ID,
  threadId: ID,
  draftId: ID,
  labelId: ID,
  webhookId: ID,
  eventId: ID,
  // The metrics of several emails; a single id reads the same in a path.
  emailId: [ID],
  name: 'Any',
  event: 'any',
  type: 'opened',
  endpoint: 'https://a.test',
  from: 'a@receiver.test',
  to: 'b@receiver.test',
  subject: 'Any',
  html: '<p>Any</p>',
  topics: [],
  labels: [],
  file: new Blob(['email\na@receiver.test']),
}
/** Methods whose first parameter is an id, by its name. */
const TAKES_ID = /^async \w+\((?:id|identifier|idOrEmail|domainId)\b/

const UNKNOWN_PATH = { hint: 'No endpoint has this path. The reference is at /docs.' }
/** The path of this method is that of an email, `/emails/{id}`. */
const hintOf = (method: string) => (method === 'emails.receiving.list' ? {} : UNKNOWN_PATH)

describe('what is missing', () => {
  test.each(methodsThat('missing'))('%s: a clean error', async (method) => {
    const resend = newClient(world.sender.token)
    const source = String(method.split('.').reduce<object>((at, name) => Reflect.get(at, name), resend))
    const args = TAKES_ID.test(source) ? [ID, FIELDS] : [FIELDS]
    const answer = await call(resend, method, args)
    expect(answer).toMatchObject({ data: null, headers: { 'x-request-id': expect.any(String) } })
    const { error } = answer as { error: { statusCode: number } }
    expect([
      { statusCode: 404, name: 'not_found', message: 'Not found.', ...hintOf(method) },
      { statusCode: 405, name: 'method_not_allowed', message: expect.any(String) },
    ]).toContainEqual(error)
  })
})

describe('what is rejected', () => {
  test.each([
    ['emails.get', ['no-id'], 404, 'not_found'],
    ['emails.get', [''], 404, 'not_found'],
    ['contacts.get', ['a@unknown.test'], 404, 'not_found'],
    ['contacts.create', [{ audienceId: ID, email: 'a@receiver.test' }], 404, 'not_found'],
    ['contacts.list', [{ segmentId: ID }], 404, 'not_found'],
    ['templates.get', ['no-such-alias'], 404, 'not_found'],
    ['segments.remove', [ID], 404, 'not_found'],
    ['suppressions.remove', ['a@unknown.test'], 404, 'not_found'],
    ['segments.create', [{}], 422, 'validation_error'],
    ['contactProperties.create', [{ key: '1st', type: 'string' }], 422, 'validation_error'],
    ['contacts.list', [{ after: ID, before: ID }], 422, 'validation_error'],
    ['emails.list', [{ limit: 101 }], 422, 'validation_error'],
    ['suppressions.batch.add', [{ emails: ['nobody'] }], 422, 'validation_error'],
    ['delete', ['/emails'], 405, 'method_not_allowed'],
    ['post', ['/no/such/path', {}], 404, 'not_found'],
  ])('%s(%j): %i %s', async (method, args, statusCode, name) => {
    const answer = await call(world.resend, method, args)
    expect(answer).toMatchObject({ data: null, error: { statusCode, name, message: expect.any(String) } })
  })

  test('401, 403, 409 and 429 as errors with name, status and message', async () => {
    const email = { from: 'a@unverified.test', to: 'b@receiver.test', subject: 'Any', text: 'Any' }
    expect((await newClient('re_123').emails.send(email)).error).toEqual({
      name: 'invalid_api_key',
      statusCode: 401,
      message: 'Invalid API key.',
    })
    const key = await world.sender.givenKey({ permission: 'send' })
    expect((await newClient(key.token).contacts.list()).error).toMatchObject({
      name: 'restricted_api_key',
      statusCode: 403,
      message: expect.any(String),
    })
    await world.resend.domains.create({ name: 'twice.sdk.example' })
    expect((await world.resend.domains.create({ name: 'twice.sdk.example' })).error).toMatchObject({
      name: 'conflict',
      statusCode: 409,
      message: expect.any(String),
    })
    const free = newClient((await sendwright.givenTeam({ plan: 'free' })).token)
    for (let count = 0; count < 60; count++) {
      expect((await free.emails.send(email)).error).toMatchObject({ statusCode: 422 })
    }
    const { error, headers } = await free.emails.send(email)
    expect(error).toMatchObject({ name: 'rate_limit_exceeded', statusCode: 429 })
    expect(error?.message).toBe(
      `Rate limit exceeded. Please retry after ${headers?.['retry-after']} seconds.`,
    )
  })
})
