import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { listenOn } from '../../src/db/listen.ts'
import { inSchema } from '../../src/db/pool.ts'
import { createLog } from '../../src/lib/log.ts'
import { requester } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { bareAnswer } from '../support/foreign.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

/** Two installations in one database: one in the schema `public` without a name, one as a cell in a schema of its own. */
let first: TestSendwright
let second: TestSendwright
let ann: Sender
let bob: Sender
let folder: string
const logged = new PassThrough()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-cells-'))
  first = await startTestSendwright()
  ann = await first.givenSender()
  second = await startTestSendwright({
    beside: { service: first, schema: 'cell_b2', cell: 'b2' },
    environment: { SENDWRIGHT_METRICS_TOKEN: 'm'.repeat(32) },
    log: createLog('info', logged as never, { cell: 'b2' }),
  })
  bob = await second.givenSender()
})
afterAll(async () => {
  await second?.stop()
  await first?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const newKeyOf = async (sender: Sender) => (await sender.post('/api-keys', { name: 'new' })).json

test('keys and device codes name their cell; a key from elsewhere is an unknown key, and only the log tells', async () => {
  const own = await newKeyOf(bob)
  expect(own.token).toMatch(/^sw_b2_[0-9A-Za-z]{40}$/)
  expect(own.prefix).toBe(own.token.slice(0, 'sw_b2_'.length + 5))
  const device = await bob.post('/device-logins', { client_name: 'command line' })
  expect(device.json.device_code).toMatch(/^sw_b2_[0-9A-Za-z]{40}$/)
  const foreign = await newKeyOf(ann)
  expect(foreign.token).toMatch(/^sw_[0-9A-Za-z]{40}$/)

  const ask = (service: TestSendwright, token: string) => requester(service.url, token).get('/api-keys')
  expect((await ask(second, own.token)).status).toBe(200)
  const unknown = bareAnswer(await ask(second, `sw_b2_${'x'.repeat(40)}`), '')
  for (const token of [foreign.token, `sw_c3_${'x'.repeat(40)}`]) {
    const reply = await ask(second, token)
    expect(reply.status).toBe(401)
    expect(bareAnswer(reply, '')).toEqual(unknown)
  }
  expect((await ask(first, own.token)).status).toBe(401)
  const lines = String(logged.read()).split('\n').filter(Boolean)
  const reports = lines.map((line) => JSON.parse(line)).filter(({ key_cell: cell }) => cell !== undefined)
  expect(reports).toMatchObject([{ level: 'warn', cell: 'b2', key_cell: 'c3' }])
})

test('each delivers its own mail, and sees nothing of the other', async () => {
  const ids = await Promise.all(
    [ann, bob].flatMap((sender, index) => {
      const to = `jane@${[first, second][index]?.givenDestination()}`
      return Array.from({ length: 20 }, () => sender.send({ to }))
    }),
  )
  for (const [index, id] of ids.entries()) {
    const sender = index < 20 ? ann : bob
    expect((await sender.settled(id)).status).toBe('delivered')
  }
  for (const [service, sender] of [
    [first, ann],
    [second, bob],
  ] as const) {
    expect(service.mx.messages).toHaveLength(20)
    const [counts] = await service.db.query('select count(*)::int4 as emails from email')
    expect(counts).toEqual({ emails: 20 })
    const other = sender === ann ? bob : ann
    expect((await other.get(`/emails/${ids[sender === ann ? 0 : 20]}`)).status).toBe(404)
  }
})

test('a notification reaches the processes of its own installation only', async () => {
  const heard = { first: 0, second: 0 }
  const log = createLog('silent')
  const listeners = (['first', 'second'] as const).map((name) =>
    listenOn({ first, second }[name].db, log, 'sendwright_access', () => heard[name]++),
  )
  for (const listener of listeners) listener.start()
  // A new connection counts as a notification.
  await expect.poll(() => heard).toEqual({ first: 1, second: 1 })
  await newKeyOf(bob)
  await expect.poll(() => heard).toEqual({ first: 1, second: 2 })
  await newKeyOf(ann)
  await expect.poll(() => heard).toEqual({ first: 2, second: 2 })
  for (const listener of listeners) await listener.stop()
})

test('the command line stores, shows and uses a key of a cell like any other', async () => {
  const environment = { HOME: folder, XDG_CONFIG_HOME: folder }
  const run = (args: string[], input?: string) => runCommand(args, { environment }, input)
  const { token, prefix } = await newKeyOf(bob)
  const login = await run(['login', '--url', second.url, '--json'], `${token}\n`)
  expect(login.code, login.stderr).toBe(0)
  expect(login.json()).toMatchObject({ name: 'default', permission: 'full' })
  expect((await run(['profiles', '--json'])).json()).toMatchObject([{ url: second.url, key: `${prefix}…` }])
  const domains = await run(['domains', 'list', '--json'])
  expect(domains.json()).toMatchObject([{ id: bob.domainId }])
})

test('metrics have the label of the cell', async () => {
  const reply = await requester(second.url, 'm'.repeat(32)).get('/metrics')
  const samples = reply.text.split('\n').filter((line) => line.startsWith('sendwright_'))
  expect(samples.length).toBeGreaterThan(50)
  for (const sample of samples) expect(sample).toMatch(/[{,]cell="b2"[,}]/)
})

test('a backup has the tables of one schema, and is restored into another, which it creates', async () => {
  const file = join(folder, 'b2.backup')
  const url = second.config.databaseUrl ?? ''
  const run = (schema: string, ...args: string[]) =>
    runCommand(args, {
      environment: {
        DATABASE_URL: url,
        SENDWRIGHT_SCHEMA: schema,
        SENDWRIGHT_DATA_DIR: join(folder, 'none'),
        SENDWRIGHT_SECRET_KEY: second.config.secretKey ?? '',
      },
    })
  const made = await run('cell_b2', 'backup', file)
  expect(made.code, made.stderr).toBe(0)
  const restored = await run('copy_of_b2', 'restore', file)
  expect(restored.code, restored.stderr).toBe(0)
  const copy = openDb(inSchema(url, 'copy_of_b2'), { connectionsMax: 1, timeoutMs: 30_000, name: 'test' })
  const teams = await copy.query('select id from team').finally(() => copy.close())
  expect(teams).toContainEqual({ id: bob.id })
  const again = await run('copy_of_b2', 'restore', file)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not empty')])
})

test.each(['Upper', '1st', 'a"b', 'pg_mail', 'information_schema', 'x'.repeat(41)])(
  'not a name of a schema: %s',
  async (schema) => {
    const started = await runCommand(['team', 'list'], { environment: { SENDWRIGHT_SCHEMA: schema } })
    expect(started.code).not.toBe(0)
    expect(started.stderr).toContain('SENDWRIGHT_SCHEMA: ')
  },
)

test('not a schema with the name of the role, which other installations would find', async () => {
  const { username } = new URL(first.config.databaseUrl ?? '')
  const started = await runCommand(['team', 'list'], {
    environment: { DATABASE_URL: first.config.databaseUrl ?? '', SENDWRIGHT_SCHEMA: username },
  })
  expect([started.code, started.stderr]).toEqual([
    1,
    expect.stringContaining("the name of the database's role"),
  ])
})
