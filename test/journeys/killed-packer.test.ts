import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type StoreMethod, type StoreMoment, startBucket, type TestBucket } from '../support/body-store.ts'
import { seedRandom } from '../support/random.ts'
import { isFull, seedOfToday } from '../support/thorough.ts'
import { SLOW_POLL_MS, signalAll, until } from './support/children.ts'
import { postJson, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { givenInstallation } from './support/running-server.ts'
import { queryDatabase } from './support/verdict.ts'

const EMAILS = isFull ? 400 : 60
/** How long the store is away. */
const AWAY_MS = isFull ? 60_000 : 5_000
const PACKED_LIMIT_MS = 120_000

interface Hold {
  /** Resolves when the packer has come that far, where it stays. */
  reached: Promise<void>
  release(): Promise<void>
}

interface Place {
  bucket: TestBucket
  databaseUrl: string
}

const atRequest =
  (method: StoreMethod, moment: StoreMoment) =>
  async ({ bucket }: Place): Promise<Hold> => ({
    reached: bucket.holdNext(method, moment),
    release: async () => {},
  })
const atLock =
  (statement: string) =>
  ({ databaseUrl }: Place): Promise<Hold> =>
    holdLock(databaseUrl, statement)

/** Where the packer is when it is killed. */
const STEPS: [name: string, hold: (place: Place) => Promise<Hold>][] = [
  ['before it records the pack', atLock('lock table body_pack in exclusive mode')],
  ['before the object is written', atRequest('PUT', 'before')],
  ['after the object is written', atRequest('PUT', 'after')],
  ['before the object is read back', atRequest('GET', 'before')],
  ['after the object is read back', atRequest('GET', 'after')],
  ['in the transaction, before it locks contents', atLock('select 1 from email_content for update')],
  ['in the transaction, before it moves contents', atLock('lock table packed_content in exclusive mode')],
]

/** The steps of the day. */
const ofToday = STEPS.filter((_, index) => isFull || (index + seedOfToday()) % 2 === 0)

test('a packer that is killed at any step, and a store that is away for a while, lose no byte of any message', {
  timeout: 900_000,
}, async () => {
  const { postgres, installation } = await givenInstallation()
  await installation.mx.start()
  const bucket = await startBucket()
  onTestFinished(() => bucket.stop())
  const api = installation.serve({ roles: 'api,deliver', environment: bucket.environment })
  await api.waitForLine(STARTED, START_LIMIT_MS)
  const sender = await installation.createSender('shop.test')
  const random = seedRandom(seedOfToday())
  const messages = new Map<string, Buffer>()
  const query = <Row>(sql: string) => queryDatabase<Row>(postgres.url, sql)

  async function sendEmails(count: number): Promise<void> {
    const ids: string[] = []
    for (let number = 0; number < count; number++) {
      const items = Array.from(
        { length: 1 + Math.floor(random() * 40) },
        (_, item) => `<td>${item}-${random()}</td>`,
      )
      const { status, json } = await postJson(installation.url, '/emails', sender.token, {
        from: sender.from,
        to: [`customer${number}@${installation.destinations[0]}`],
        subject: `Order ${number}`,
        html: `<p style="margin:0 0 16px;color:#374151">Thank you for your order ${random()}.</p>${items.join('\n')}`,
      })
      expect(status).toBe(202)
      ids.push(json.id)
    }
    await until(
      'all are delivered',
      START_LIMIT_MS,
      async () => {
        const open = await query('select 1 from delivery where due_at is not null limit 1')
        return open.length === 0 ? true : null
      },
      SLOW_POLL_MS,
    )
    for (const id of ids) messages.set(id, await readRaw(id))
  }

  async function readRaw(id: string): Promise<Buffer> {
    const reply = await fetch(`${installation.url}/emails/${id}/raw`, {
      headers: { authorization: `Bearer ${sender.token}` },
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect(reply.status, bytes.toString()).toBe(200)
    return bytes
  }

  async function expectMessages(): Promise<void> {
    for (const [id, message] of messages) expect((await readRaw(id)).equals(message), id).toBe(true)
  }

  const startPacker = () =>
    installation.serve({
      roles: 'scheduler',
      port: 0,
      environment: { ...bucket.environment, SENDWRIGHT_BODIES_AFTER: '1s' },
    })
  const allPacked = () =>
    until(
      'all are packed',
      PACKED_LIMIT_MS,
      async () => {
        const [row] = await query<{ left: number }>('select count(*)::int4 as left from email_content')
        return row?.left === 0 ? true : null
      },
      SLOW_POLL_MS,
    )

  for (const [name, hold] of ofToday) {
    await sendEmails(Math.ceil(EMAILS / STEPS.length))
    const held = await hold({ bucket, databaseUrl: postgres.url })
    const packer = startPacker()
    await held.reached
    signalAll([packer.pid], 'SIGKILL')
    await packer.ended
    await held.release()
    await expectMessages()
    const [row] = await query<{ left: number }>('select count(*)::int4 as left from email_content')
    expect(row?.left, name).toBe(messages.size)
  }

  bucket.setAway(true)
  const packer = startPacker()
  await packer.waitForLine(STARTED, START_LIMIT_MS)
  const { status } = await postJson(installation.url, '/emails', sender.token, {
    from: sender.from,
    to: [`last@${installation.destinations[0]}`],
    subject: 'While the store is away',
    text: 'Delivered all the same.',
  })
  expect(status).toBe(202)
  await until('it is delivered', START_LIMIT_MS, () =>
    installation.mx.stored().some(({ to }) => to.includes('last@')) ? true : null,
  )
  await pause(AWAY_MS)
  await expectMessages()
  bucket.setAway(false)
  await allPacked()
  await expectMessages()
})

/** Takes a lock, for which the packer then waits. */
async function holdLock(url: string, statement: string): Promise<Hold> {
  const client = new pg.Client(url)
  // The server may end before a test that fails.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const isWaitedFor = async () => {
    const waiting = await queryDatabase(
      url,
      `select 1 from pg_stat_activity where ${rows[0].pid} = any (pg_blocking_pids(pid)) limit 1`,
    )
    return waiting.length > 0 ? true : null
  }
  return {
    reached: until('the packer waits for the lock', START_LIMIT_MS, isWaitedFor, SLOW_POLL_MS).then(() => {}),
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}
