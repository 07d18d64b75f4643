import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { type Example, type Mail, readExamples } from './examples.ts'

/**
 * Runs every command of docs/guides in order, and compares each response with the guide: the same fields and values,
 * with `…` for any value. Ids, API keys and times may differ; an id or key in a response stands for the real one in
 * later commands of the guide.
 */
const FOLDER = join(import.meta.dirname, '../../docs/guides')
const MADE = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\bsw_[0-9A-Za-z]{40}\b/g
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

let service: TestSendwright

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: {
      SENDWRIGHT_SUBMISSION_PORT: '0',
      PUBLIC_URL: 'http://127.0.0.1:8080',
      SENDWRIGHT_DELIVERY: 'capture',
      SENDWRIGHT_BOOTSTRAP_DOMAIN: 'first.example',
    },
  })
})
afterAll(() => service?.stop())

const guides = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))

describe.each(guides)('%s', (name) => {
  const examples = readExamples(readFileSync(join(FOLDER, name), 'utf8'))
  const ids = new Map<string, string>()
  let sender: Sender

  beforeAll(async () => {
    // Guides send from example.com. Each runs as a separate team, whose domain is then released.
    sender = await service.givenSender({ domain: 'example.com' })
  })
  afterAll(async () => {
    await service.db.query('delete from verified_domain where team_id = $1', [sender.id])
  })

  test('has examples', () => expect(examples.length).toBeGreaterThan(0))

  test.each(
    examples.map((example) => [`${example.line}: ${example.method} ${example.path}`, example] as const),
  )('line %s', async (_, example) => {
    if (example.mail !== null) {
      expectLastReply(example.text ?? '', await submit(example, sender), ids)
      return
    }
    await retryUntilTrue(example.method === 'GET', async () => {
      const reply = await run(example, sender, ids)
      expect(reply, reply.text).toSatisfy(({ status }) =>
        example.status === null ? status < 300 : status === example.status,
      )
      if (example.answer !== null) expectAnswer(example.answer, reply.json, ids)
      if (example.text !== null) expectText(example.text, reply.text.replaceAll('\r\n', '\n'), ids, '$')
    })
  })
})

const DEADLINE_MS = 60_000
const POLL_MS = 50

/** Repeats a check of background work until it succeeds. */
async function retryUntilTrue(mayRetry: boolean, attempt: () => Promise<void>): Promise<void> {
  const until = Date.now() + (mayRetry ? DEADLINE_MS : 0)
  for (;;) {
    try {
      await attempt()
      return
    } catch (error) {
      if (Date.now() >= until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

type Ids = ReadonlyMap<string, string>

const realIds = (text: string, ids: Ids) => text.replaceAll(MADE, (id) => ids.get(id) ?? id)

async function run({ method, path, headers, body }: Example, sender: Sender, ids: Ids) {
  const real = (text: string) =>
    realIds(text, ids).replaceAll('$DOMAIN_ID', sender.domainId).replaceAll('$KEY', sender.token)
  const answer = await fetch(service.url + real(path), {
    method,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, real(value)])),
    },
    ...(body === null ? {} : { body: real(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: answer.status, text, json: isJson ? JSON.parse(text) : null }
}

/** Submits the message as curl does. Returns the last reply. */
async function submit({ mail, headers: { login } }: Example, sender: Sender): Promise<string> {
  const [user, pass] = (login ?? '').replaceAll('$KEY', sender.token).split(':')
  const { from, to, message } = mail as Mail
  const transport = createTransport({
    host: '127.0.0.1',
    port: service.submissionPort,
    requireTLS: true,
    auth: { user, pass },
    tls: { rejectUnauthorized: false },
  })
  return transport.sendMail({ envelope: { from, to }, raw: message }).then(
    ({ response }) => response,
    ({ response }: { response: string }) => response,
  )
}

/** Compares the last reply, and stores the real id for the one in the guide. */
function expectLastReply(shown: string, actual: string, ids: Map<string, string>): void {
  const [id] = shown.match(MADE) ?? []
  const [real] = actual.match(MADE) ?? []
  if (id !== undefined && real !== undefined) ids.set(id, ids.get(id) ?? real)
  expect(actual).toBe(realIds(shown.trim(), ids))
}

/** Compares the response in the guide with the real one, and stores the real ids. */
function expectAnswer(shown: unknown, actual: unknown, ids: Map<string, string>, path = '$'): void {
  if (shown === '…') return
  if (typeof shown === 'string' && typeof actual === 'string') {
    expectText(shown, actual, ids, path)
    return
  }
  if (typeof shown !== 'object' || shown === null || typeof actual !== 'object' || actual === null) {
    expect(actual, path).toEqual(shown)
    return
  }
  if (Array.isArray(shown)) expect(actual, path).toHaveLength(shown.length)
  else expect(Object.keys(actual), path).toEqual(expect.arrayContaining(Object.keys(shown)))
  for (const [name, value] of Object.entries(shown)) {
    expectAnswer(value, (actual as Record<string, unknown>)[name], ids, `${path}.${name}`)
  }
}

function expectText(shown: string, actual: string, ids: Map<string, string>, path: string): void {
  const [id] = shown.match(MADE) ?? []
  const [real] = actual.match(MADE) ?? []
  if (id === shown && real === actual) {
    ids.set(id, ids.get(id) ?? real)
    expect(actual, path).toBe(ids.get(id))
  } else if (TIME.test(shown)) expect(actual, path).toMatch(TIME)
  else if (shown.includes('…'))
    expect(actual, path).toSatisfy(() => hasParts(actual, realIds(shown, ids).split('…')))
  else expect(actual, path).toBe(realIds(shown, ids))
}

/**
 * Returns whether the text starts with the first part, ends with the last, and has the others between them in order.
 */
function hasParts(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.startsWith(parts[0] ?? '') && text.endsWith(parts.at(-1) ?? '')
}
