import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { findFreePort } from '../support/ports.ts'
import type { Child } from './support/children.ts'
import { until } from './support/children.ts'
import {
  createInstallation,
  type Installation,
  type JsonReply,
  postJson,
  type Sender,
  START_LIMIT_MS,
  STARTED,
  untilReady,
} from './support/installation.ts'

let database: TestDatabase
let installation: Installation
/** The URLs of two API servers. The first has two workers at one port. */
let urls: string[]

beforeAll(async () => {
  database = await createDatabase()
  installation = await createInstallation(database.url)
  await installation.mx.start()
  const port = await findFreePort()
  const workers = { SENDWRIGHT_WORKERS: '2' }
  const both: Child[] = [
    installation.serve({ environment: workers }),
    installation.serve({ roles: 'api', port }),
  ]
  await Promise.all(both.map((child) => child.waitForLine(STARTED, START_LIMIT_MS)))
  urls = [installation.url, `http://127.0.0.1:${port}`]
}, START_LIMIT_MS)

afterAll(async () => {
  await installation.remove()
  await database.drop()
})

/** Sends concurrent requests of one team, alternating between the servers. */
async function postAtOnce(
  sender: Sender,
  count: number,
  { text, key }: { text: string; key?: string },
): Promise<JsonReply[]> {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      postJson(urls[index % 2] as string, '/emails', sender.token, emailOf(sender, text), headers),
    ),
  )
}

function emailOf(sender: Sender, text: string) {
  return { from: sender.from, to: `person@${installation.destinations[0]}`, subject: 'One of many', text }
}

async function countEmails(sender: Sender): Promise<number> {
  const [row] = await database.db.query<{ count: number }>(
    'select count(*)::int as count from email where team_id = $1',
    [sender.teamId],
  )
  return row?.count ?? 0
}

function countBy(replies: readonly JsonReply[], what: (reply: JsonReply) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(replies, what)].map(([key, group]) => [key, group.length]))
}

test('202 for exactly 60 of 500 concurrent requests to two servers, one of them with two workers, on a plan of 60 a minute', {
  timeout: 120_000,
}, async () => {
  const sender = await installation.createSender('sixty.sender.test', 'free')
  const replies = await postAtOnce(sender, 500, { text: 'Hello' })
  expect(countBy(replies, ({ status }) => `${status}`)).toEqual({ 202: 60, 429: 440 })
  expect(await countEmails(sender)).toBe(60)
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.every(({ headers }) => /^[1-9]\d?$/.test(headers.get('retry-after') ?? ''))).toBe(true)
})

test('202 for exactly one of 200 concurrent requests to these three processes, when the quota has room for one', {
  timeout: 120_000,
}, async () => {
  const sender = await installation.createSender('quota.sender.test', '50k')
  const [first] = await postAtOnce(sender, 1, { text: 'The first' })
  expect(first?.status).toBe(202)
  await database.db.query('update usage set month_recipients = 49999 where team_id = $1', [sender.teamId])
  const replies = await postAtOnce(sender, 200, { text: 'Hello' })
  expect(countBy(replies, ({ status, json }) => `${status} ${json.message ?? ''}`)).toEqual({
    '202 ': 1,
    '422 Monthly email quota exceeded.': 199,
  })
  expect(await countEmails(sender)).toBe(2)
})

test('one email and one message for 100 concurrent requests with one Idempotency-Key', {
  timeout: 120_000,
}, async () => {
  const sender = await installation.createSender('same.sender.test')
  const replies = await postAtOnce(sender, 100, { text: 'Once', key: 'the-same' })
  const names = countBy(replies, ({ status, json }) => (status === 202 ? '202' : json.name))
  expect(Object.keys(names).filter((name) => name !== 'concurrent_idempotent_requests')).toEqual(['202'])
  const ids = new Set(replies.flatMap(({ json }) => json.id ?? []))
  expect(ids.size).toBe(1)
  const later = await postAtOnce(sender, 10, { text: 'Once', key: 'the-same' })
  for (const { json } of later) if (json.id !== undefined) ids.add(json.id)
  expect(ids.size).toBe(1)
  expect(await countEmails(sender)).toBe(1)
  await expectOneMessage([...ids][0] as string)
})

test('the same id again after the process was killed between commit and response', {
  timeout: 120_000,
}, async () => {
  const sender = await installation.createSender('killed.sender.test')
  const proxy = await startDatabaseProxy(database.url)
  onTestFinished(() => proxy.stop())
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const doomed = installation.serve({ roles: 'api', port, environment: { DATABASE_URL: proxy.url } })
  await untilReady(url)
  proxy.filterCommits(async () => {
    if ((await countEmails(sender)) === 0) return true
    doomed.signal('SIGKILL')
    return false
  })
  const headers = { 'idempotency-key': 'killed-in-between' }
  const email = emailOf(sender, 'Committed and not answered')
  const lost = await postJson(url, '/emails', sender.token, email, headers).catch(() => null)
  expect(lost).toBeNull()
  expect(await doomed.ended).toBeNull()
  expect(await countEmails(sender)).toBe(1)

  const [{ id } = { id: '' }] = await database.db.query<{ id: string }>(
    'select id from email where team_id = $1',
    [sender.teamId],
  )
  for (const again of urls) {
    const reply = await postJson(again, '/emails', sender.token, email, headers)
    expect([reply.status, reply.json.id]).toEqual([202, id])
  }
  expect(await countEmails(sender)).toBe(1)
  await expectOneMessage(id)
})

/** Expects one message after all deliveries are closed, when no more can arrive. */
async function expectOneMessage(emailId: string): Promise<void> {
  await until('all deliveries are closed', 30_000, async () => {
    const [row] = await database.db.query<{ open: number }>(
      'select count(*)::int as open from delivery where due_at is not null',
    )
    return row?.open === 0 ? true : null
  })
  const copies = installation.mx.stored().filter(({ messageId }) => messageId.startsWith(`<${emailId}@`))
  expect(copies.length).toBe(1)
}
