import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { type Example, readExamples } from './examples.ts'

/**
 * Every command of docs/guides runs, in order, and is answered as the guide shows: the same fields, the same values. Ids
 * and times are as they come; an id that an answer shows stands for the real one in later commands of the guide.
 */
const FOLDER = join(import.meta.dirname, '../../docs/guides')
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

let service: TestSendwright

beforeAll(async () => {
  service = await startTestSendwright({
    environment: { SENDWRIGHT_DELIVERY: 'capture', SENDWRIGHT_BOOTSTRAP_DOMAIN: 'first.example' },
  })
})
afterAll(() => service?.stop())

const guides = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))

describe.each(guides)('%s', (name) => {
  const examples = readExamples(readFileSync(join(FOLDER, name), 'utf8'))
  const ids = new Map<string, string>()
  let sender: Sender

  beforeAll(async () => {
    // Guides send from example.com: each is tried by a team of its own, whose domain is free again after it.
    sender = await service.givenSender({ domain: 'example.com' })
  })
  afterAll(async () => {
    await service.db.query('delete from verified_domain where team_id = $1', [sender.id])
  })

  test('has examples', () => expect(examples.length).toBeGreaterThan(0))

  test.each(
    examples.map((example) => [`${example.line}: ${example.method} ${example.path}`, example] as const),
  )('line %s', async (_, example) => {
    const reply = await run(example, sender, ids)
    expect(reply, reply.text).toSatisfy(({ status }) =>
      example.status === null ? status < 300 : status === example.status,
    )
    if (example.answer !== null) expectAnswer(example.answer, reply.json, ids)
  })
})

const realIds = (text: string, ids: ReadonlyMap<string, string>) =>
  text.replaceAll(UUID, (id) => ids.get(id) ?? id)

async function run(example: Example, sender: Sender, ids: ReadonlyMap<string, string>) {
  const path = realIds(example.path, ids).replaceAll('$DOMAIN_ID', sender.domainId)
  const answer = await fetch(service.url + path, {
    method: example.method,
    headers: {
      ...(example.body === null ? {} : { 'content-type': 'application/json' }),
      ...example.headers,
      authorization: `Bearer ${sender.token}`,
    },
    ...(example.body === null
      ? {}
      : { body: realIds(example.body, ids).replaceAll('$DOMAIN_ID', sender.domainId) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: answer.status, text, json: isJson ? JSON.parse(text) : null }
}

/** What the guide shows, `…` standing for anything, against what came. Learns the ids that stand for others. */
function expectAnswer(shown: unknown, came: unknown, ids: Map<string, string>, path = '$'): void {
  if (shown === '…') return
  if (typeof shown === 'string' && typeof came === 'string') {
    const [id] = shown.match(UUID) ?? []
    const [real] = came.match(UUID) ?? []
    if (id === shown && real === came) {
      ids.set(id, ids.get(id) ?? real)
      expect(came, path).toBe(ids.get(id))
    } else if (TIME.test(shown)) expect(came, path).toMatch(TIME)
    else expect(came, path).toBe(realIds(shown, ids))
    return
  }
  if (typeof shown !== 'object' || shown === null || typeof came !== 'object' || came === null) {
    expect(came, path).toEqual(shown)
    return
  }
  if (Array.isArray(shown)) expect(came, path).toHaveLength(shown.length)
  else expect(Object.keys(came), path).toEqual(expect.arrayContaining(Object.keys(shown)))
  for (const [name, value] of Object.entries(shown)) {
    expectAnswer(value, (came as Record<string, unknown>)[name], ids, `${path}.${name}`)
  }
}
