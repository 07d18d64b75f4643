import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { startBucket, type TestBucket } from '../support/body-store.ts'
import { runCommand } from '../support/command.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { comeTo, erased } from '../support/personal-data.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const METRICS_TOKEN = 'a-token-for-metrics'

let bucket: TestBucket
let service: TestSendwright
let ann: Sender
let destination: string

beforeAll(async () => {
  bucket = await startBucket()
  const environment = {
    ...bucket.environment,
    SENDWRIGHT_BODIES_AFTER: '1s',
    SENDWRIGHT_METRICS_TOKEN: METRICS_TOKEN,
  }
  service = await startTestSendwright({ environment, log: createLog('silent') })
  ann = await service.givenSender()
  await ann.patch(`/domains/${ann.domainId}`, { open_tracking: true, click_tracking: true })
  destination = service.givenDestination()
})
afterAll(async () => {
  await service?.stop()
  await bucket?.stop()
})

/** Resolves when the messages of these emails are in packs. */
async function packed(ids: readonly string[]): Promise<void> {
  const count = async () => {
    const rows = await service.db.query('select 1 from packed_content where email_id = any ($1::uuid[])', [
      ids,
    ])
    return rows.length
  }
  await comeTo(count).toBe(ids.length)
}

/** Everything that shows the content of an email, without what differs from one read to the next. */
async function readEverything(id: string): Promise<Record<string, unknown>> {
  const { json: email } = await ann.get(`/emails/${id}`)
  const raw = await ann.get(`/emails/${id}/raw`)
  const { json: attachments } = await ann.get(`/emails/${id}/attachments`)
  const { json: shared } = await ann.post(`/emails/${id}/share`, {})
  const path = new URL(shared.url).pathname
  const page = await ann.get(path)
  const file = email.attachments.length === 0 ? null : await ann.get(`/emails/${id}/attachments/0`)
  const person = await ann.get(`/contacts/${encodeURIComponent(email.to[0])}/export`)
  return {
    email,
    raw: raw.text,
    attachments: attachments.data.map(({ filename, size }: Record<string, unknown>) => ({ filename, size })),
    page: page.text.replaceAll(/\/shared\/[\w.-]+/g, ''),
    file: file?.text,
    export: person.json.emails[0],
  }
}

const EMAILS: [name: string, () => Record<string, unknown>][] = [
  ['text', () => ({ text: 'Grüße, und nichts weiter.' })],
  [
    'html, tracked links, an attachment',
    () => ({
      html: '<p>Hello</p><a href="https://shop.test/1">shop</a><img src="cid:logo">',
      text: undefined,
      headers: { 'X-Order': '4711' },
      attachments: [
        { filename: 'logo.png', content: PNG.toString('base64'), content_id: 'logo' },
        { filename: 'list.csv', content: Buffer.from('a,b\r\n'.repeat(2000)).toString('base64') },
      ],
    }),
  ],
  ['two MB', () => ({ attachments: [{ filename: 'a.bin', content: 'QUJD'.repeat(700_000) }] })],
]

describe.each(EMAILS)('an email with %s', (_, fields) => {
  test('shows the same from a pack', async () => {
    const to = `somebody-${Math.random().toString(36).slice(2)}@${destination}`
    // So long, nothing is packed.
    bucket.setAway(true)
    const id = await ann.send({ to, ...fields() })
    await ann.settled(id)
    const before = await readEverything(id)
    bucket.setAway(false)
    await packed([id])
    expect(await readEverything(id)).toEqual(before)
  })

  test('is sent again from a pack', async () => {
    const to = `else-${Math.random().toString(36).slice(2)}@${destination}`
    const id = await ann.send({ to, ...fields() })
    await ann.settled(id)
    await packed([id])
    const { status, json } = await ann.post(`/emails/${id}/resend`, {})
    expect(status).toBe(202)
    const [first, second] = [(await ann.get(`/emails/${id}`)).json, await ann.settled(json.id)]
    expect([second.html, second.text, second.attachments]).toEqual([
      first.html,
      first.text,
      first.attachments,
    ])
  })
})

test('503 for reads while the store is away or silent; mail is accepted and delivered, and packed afterwards', async () => {
  const to = `bob@${destination}`
  const old = await ann.send({ to, text: 'Old.' })
  await ann.settled(old)
  await packed([old])
  bucket.setAway(true)
  for (const path of [`/emails/${old}`, `/emails/${old}/raw`]) {
    const reply = await ann.get(path)
    expect([reply.status, reply.json.name]).toEqual([503, 'service_unavailable'])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply.json.message).toBe(
      'The content of this email is in storage that is unavailable at the moment.',
    )
  }
  // What needs no body needs no store.
  expect((await ann.get(`/emails/${old}/attempts`)).status).toBe(200)
  expect((await ann.get('/emails')).status).toBe(200)
  const fresh = await ann.send({ to, text: 'Fresh.' })
  expect((await ann.settled(fresh)).text).toBe('Fresh.')
  bucket.setAway(false)
  bucket.setSilent(true)
  expect((await ann.get(`/emails/${old}`)).status).toBe(503)
  bucket.setSilent(false)
  await packed([fresh])
  expect((await ann.get(`/emails/${old}`)).json.text).toBe('Old.')
})

test('mail is accepted and delivered while the packer and readers wait for a silent store', async () => {
  const to = `cleo@${destination}`
  const old = await ann.send({ to, text: 'Old.' })
  await ann.settled(old)
  await packed([old])
  bucket.setSilent(true)
  const waiting = await ann.send({ to, text: 'The packer waits with this one.' })
  await ann.settled(waiting)
  await comeTo(() => bucket.countUnanswered()).toBe(1)
  const read = ann.get(`/emails/${old}`)
  await comeTo(() => bucket.countUnanswered()).toBe(2)
  // Each is a transaction of its own, of the team whose pack is being written.
  const fresh = await Promise.all([1, 2, 3, 4, 5].map((number) => ann.send({ to, text: `Fresh ${number}.` })))
  for (const id of fresh) expect((await ann.settled(id)).last_event).toBe('delivered')
  // The store was silent all the time.
  await comeTo(() => bucket.countUnanswered()).toBeGreaterThan(0)
  expect((await read).status).toBe(503)
  bucket.setSilent(false)
  await packed([waiting, ...fresh])
  expect((await ann.get(`/emails/${old}`)).json.text).toBe('Old.')
})

test('erased from packs: no content, and no key', async () => {
  const person = `zed@${destination}`
  const id = await ann.send({ to: person, text: 'For Zed only.' })
  await ann.settled(id)
  await packed([id])
  await erased(ann, person)
  expect((await ann.get(`/emails/${id}`)).json).toMatchObject({ text: null, content_expired: true })
  expect(await service.db.query('select 1 from packed_content where email_id = $1', [id])).toEqual([])
})

test('metrics count the messages, their bytes, and the operations of the store', async () => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text()
  const figureOf = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length),
    )
  expect(figureOf('sendwright_bodies_packed_total')).toBeGreaterThan(5)
  const [plain, small] = ['message', 'packed'].map((form) =>
    figureOf(`sendwright_bodies_packed_bytes_total{form="${form}"}`),
  )
  expect(small).toBeLessThan((plain ?? 0) / 2)
  for (const labels of ['operation="write",result="ok"', 'operation="read",result="error"']) {
    expect(figureOf(`sendwright_body_store_seconds_count{${labels}}`), labels).toBeGreaterThan(0)
  }
})

test('a backup has the rows and keys; restored over the same store, the messages are readable', async () => {
  const id = await ann.send({ to: `kim@${destination}`, text: 'Kept.' })
  await ann.settled(id)
  await packed([id])
  const folder = mkdtempSync(join(tmpdir(), 'sendwright-bodies-'))
  const restored = await createEmptyDatabase()
  const settings = {
    SENDWRIGHT_SECRET_KEY: service.config.secretKey ?? '',
    SENDWRIGHT_DATA_DIR: join(folder, 'none'),
  }
  try {
    const file = join(folder, 'backup')
    const run = (args: readonly string[], url: string) =>
      runCommand(args, { environment: { ...bucket.environment, ...settings, DATABASE_URL: url } })
    expect((await run(['backup', file], service.config.databaseUrl ?? '')).code).toBe(0)
    expect((await run(['restore', file], restored.url)).code).toBe(0)
    const exported = await run(['export-person', `kim@${destination}`], restored.url)
    expect(exported.stdout).toContain('Kept.')
  } finally {
    await restored.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})
