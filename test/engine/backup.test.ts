import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccountKey, insertAccountKey } from '../../src/certificates/acme-queries.ts'
import {
  addHosts,
  findCertificatesSince,
  saveCertificate,
} from '../../src/certificates/certificates-queries.ts'
import { createSealedKeys } from '../../src/certificates/sealed-keys.ts'
import { MAGIC } from '../../src/db/backup/frames.ts'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { useEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { digestSecret } from '../../src/lib/crypto/seal.ts'
import { createLog } from '../../src/lib/log.ts'
import { runCommand } from '../support/command.ts'
import { allCounted } from '../support/counted.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { givenFirstOwner, PASSWORD, tokenOf } from '../support/people.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const HOUR_MS = 3_600_000

let folder: string
let service: TestSendwright
let ann: Sender
const empties: TestDatabase[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-backup-'))
  // Two addresses are deferred, once each.
  const later = { expect: /^RCPT TO:<(?:later|never)@/, answer: '451 4.3.0 Come back later', times: 2 }
  service = await startTestSendwright({
    mx: { script: [later] },
    environment: { SENDWRIGHT_RETRY_SCHEDULE: '1h' },
  })
  ann = await service.givenSender()
  await givenCertificate()
})
afterAll(async () => {
  await service?.stop()
  for (const database of empties) await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const HOST = 'api.backup.test'
const DIRECTORY_URL = 'https://acme.test/directory'
const PEM = '-----BEGIN PRIVATE KEY-----\nMIG2\n-----END PRIVATE KEY-----\n'
const sealedKeys = () => createSealedKeys(digestSecret(service.config.secretKey ?? ''))

/** Stores an account of ACME and a certificate, each with a private key. */
async function givenCertificate(): Promise<void> {
  const now = new Date()
  const keys = sealedKeys()
  await insertAccountKey(service.db, DIRECTORY_URL, keys.seal(`account ${DIRECTORY_URL}`, PEM), now)
  await addHosts(service.db, [HOST], DIRECTORY_URL, now)
  const sealedKey = keys.seal(`host ${HOST}`, PEM)
  const certificate = { host: HOST, chain: 'chain', sealedKey, validUntil: now, issuedAt: now }
  await saveCertificate(service.db, certificate, now)
}

/** Returns the private keys of the account and of the certificate. */
async function readPrivateKeys(db: Db): Promise<string[]> {
  const keys = sealedKeys()
  const account = await findAccountKey(db, DIRECTORY_URL)
  const [certificate] = await findCertificatesSince(db, new Date(0))
  return [
    keys.unseal(`account ${DIRECTORY_URL}`, account ?? Buffer.alloc(0)),
    keys.unseal(`host ${HOST}`, certificate?.sealedKey ?? Buffer.alloc(0)),
  ]
}

const fileAt = (name: string) => join(folder, name)

async function givenEmptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase()
  empties.push(database)
  return database
}

/** Runs the command line, by default with the secret key and the database of the service. */
function sendwright(args: readonly string[], settings: Record<string, string | null> = {}) {
  const given = {
    DATABASE_URL: service.config.databaseUrl,
    SENDWRIGHT_DATA_DIR: fileAt('none'),
    SENDWRIGHT_SECRET_KEY: service.config.secretKey,
    ...settings,
  }
  const environment = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  return runCommand(args, { environment })
}

/** Returns every row of every table as text, by table. */
async function dump(db: Db): Promise<Map<string, string[]>> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const rows = new Map<string, string[]>()
  for (const { name } of tables) {
    const found = await db.query<{ row: string }>(`select t::text as row from "${name}" t order by 1`)
    rows.set(
      name,
      found.map(({ row }) => row),
    )
  }
  return rows
}

/** Leaves what a killed restore leaves. */
async function interruptRestore({ db, url }: TestDatabase): Promise<void> {
  await db.query('create table restore_unfinished (since timestamptz primary key)')
  await db.query('create table team (id uuid primary key)')
  const started = await sendwright(['team', 'list'], { DATABASE_URL: url })
  expect([started.code, started.stderr]).toEqual([
    1,
    expect.stringContaining('A restore into this database is in progress'),
  ])
}

/** Restores a backup with its secret key into a new data directory. Returns every row of every table. */
async function dumpInDirectory(file: string): Promise<Map<string, string[]>> {
  const dataDir = fileAt('restored')
  const settings = { DATABASE_URL: null, SENDWRIGHT_SECRET_KEY: null, SENDWRIGHT_DATA_DIR: dataDir }
  const restored = await sendwright(['restore', file], settings)
  expect(restored.code, restored.stderr).toBe(0)
  expect(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()).toBe(service.config.secretKey)
  const postgres = await useEmbeddedPostgres(dataDir, createLog('warn'))
  const db = openDb(postgres.url, { connectionsMax: 1, timeoutMs: 30_000, name: 'test' })
  const rows = await dump(db)
  await db.close()
  await postgres.stop()
  return rows
}

/** Tables that a restore changes, and reports of running processes. */
const EXCLUDED_TABLES = [
  'session',
  'invitation',
  'migration',
  'event_feed',
  'site_report',
  'site_reporter',
  'node',
  'server_check',
  'backup_made',
  'rate_window',
  'api_key',
]

async function tablesOf(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int4 as count from pg_class where relnamespace = 'public'::regnamespace`,
  )
  return row?.count ?? -1
}

test('a backup taken while 4 clients send is consistent', async () => {
  const to = `bob@${service.givenDestination()}`
  let isOver = false
  const clients = Array.from({ length: 4 }, async () => {
    do await ann.send({ to, tags: [{ name: 'kind', value: 'load' }] })
    while (!isOver)
  })
  await ann.send({ to })
  // As another process would send it.
  await service.db.query(
    `insert into campaign (team_id, id, name, status, scheduled_at, version, leased_until, created_at, updated_at)
     values ($1, gen_random_uuid(), 'running', 'sending', null, 1, '2100-01-01', now(), now()),
       ($1, gen_random_uuid(), 'later', 'scheduled', now() + interval '1 day', 0, null, now(), now())`,
    [ann.id],
  )
  const made = await sendwright(['backup', fileAt('load.backup')])
  isOver = true
  await Promise.all(clients)
  expect(made.code, made.stderr).toBe(0)

  const database = await givenEmptyDatabase()
  const restored = await sendwright(['restore', fileAt('load.backup')], { DATABASE_URL: database.url })
  expect(restored.code, restored.stderr).toBe(0)
  expect(restored.json()).toMatchObject({ has_secret: false })
  const [counts] = await database.db.query<Record<string, number>>(
    `select (select count(*) from email) as emails, (select count(*) from email_content) as contents,
       (select count(*) from delivery) as deliveries, (select sum(emails) from usage) as used,
       (select count(*) from event) as events, (select sum(position) - count(*) * 1000000000 from event_feed) as numbered`,
  )
  const { emails, contents, deliveries, used, events, numbered } = counts ?? {}
  expect(Number(emails)).toBeGreaterThan(0)
  expect([contents, deliveries, used].map(Number)).toEqual([emails, emails, emails].map(Number))
  expect(Number(events)).toBe(Number(numbered))
  expect(
    await database.db.query('select name, status, paused_reason as why from campaign order by name'),
  ).toEqual([
    { name: 'later', status: 'scheduled', why: null },
    { name: 'running', status: 'paused', why: 'restored' },
  ])
  await service.db.query('delete from campaign where team_id = $1', [ann.id])
})

test('a backup has the certificates and the account of ACME, and their private keys only sealed', async () => {
  const file = fileAt('certificates.backup')
  expect((await sendwright(['backup', file])).code).toBe(0)
  const plain = zstdDecompressSync(readFileSync(file).subarray(MAGIC.length))
  expect([HOST, DIRECTORY_URL, 'PRIVATE KEY'].map((text) => plain.includes(text))).toEqual([
    true,
    true,
    false,
  ])
})

/** Waits until the log has all requests so far, which are written in their order. */
async function allLogged(): Promise<void> {
  const path = `/emails/${randomUUID()}`
  await ann.get(path)
  await expect
    .poll(() => service.db.query('select 1 from request_log where path = $1', [path]))
    .toHaveLength(1)
}

test('a restore replaces an interrupted one, keeps every row of every table, also in a data directory, sends nothing again, and holds open mail for the operator', async () => {
  const destination = service.givenDestination()
  const delivered = await ann.send({ to: `bob@${destination}`, subject: 'Once' })
  await ann.settled(delivered)
  const waiting = [await ann.send({ to: `later@${destination}`, subject: 'Later' })]
  waiting.push(await ann.send({ to: `never@${destination}`, subject: 'Never' }))
  for (const id of waiting) await ann.seen(id, (email) => email.status === 'delivery_delayed')
  const scheduledAt = new Date(Date.now() + HOUR_MS).toISOString()
  const scheduled = await ann.send({ to: `bob@${destination}`, scheduled_at: scheduledAt })
  const cursor = (await ann.get('/events?from=end')).json.next_cursor
  const owner = await givenFirstOwner(service)
  const guest = { email: 'invited@people.test', role: 'viewer' }
  const invited = await owner.inTeam(owner.teamId)('POST /team/invitations', guest)
  await allCounted(service.db)
  await allLogged()

  const file = fileAt('still.backup')
  const made = await sendwright(['backup', file, '--with-secret'])
  expect(made.code, made.stderr).toBe(0)
  expect(made.json()).toMatchObject({ has_secret: true })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const source = await dump(service.db)
  const database = await givenEmptyDatabase()
  await interruptRestore(database)
  const restored = await sendwright(['restore', file], { DATABASE_URL: database.url })
  expect(restored.code, restored.stderr).toBe(0)
  const open = source.get('delivery')?.filter((row) => row.includes('delivery_delayed')) ?? []
  expect(restored.json()).toMatchObject({
    object: 'restore',
    has_secret: true,
    held_recipients: open.length,
  })
  const copy = await dump(database.db)
  const inDirectory = await dumpInDirectory(file)
  for (const [table, rows] of copy) {
    // These have the time of the restore.
    if (table === 'migration' || table === 'invitation') continue
    expect(inDirectory.get(table), table).toEqual(rows)
  }
  expect([...copy.keys()]).toEqual([...source.keys()])
  expect([...inDirectory.keys()]).toEqual([...source.keys()])
  for (const [table, rows] of source) {
    if (EXCLUDED_TABLES.includes(table)) continue
    if (table !== 'delivery') expect(copy.get(table), table).toEqual(rows)
  }
  expect(await readPrivateKeys(database.db)).toEqual([PEM, PEM])
  // The record of a backup is written after the backup.
  expect(copy.get('backup_made')).toEqual(source.get('backup_made')?.slice(0, -1))
  const kept = copy.get('delivery')?.filter((row) => !row.includes('restored'))
  expect(kept).toEqual(source.get('delivery')?.filter((row) => !row.includes('delivery_delayed')))

  const before = service.mx.messages.length
  await service.restart({ DATABASE_URL: database.url, PORT: new URL(service.url).port })
  const queue = (await sendwright(['queue'], { DATABASE_URL: database.url })).json()
  expect(queue.filter(({ why }: { why: string }) => why.startsWith('held since a restore'))).toHaveLength(
    open.length,
  )
  const seen = (await ann.get(`/emails/${waiting[0]}`)).json
  expect(seen.recipients[0]).toMatchObject({ category: 'restored', next_attempt_at: null })
  expect((await ann.get(`/emails/${scheduled}`)).json).toMatchObject({ status: 'scheduled' })
  // With the same secret key, the domain can sign a new email, which is the only one sent.
  const fresh = await ann.send({ to: `bob@${destination}`, subject: 'After' })
  expect(await ann.settled(fresh)).toMatchObject({ status: 'delivered' })
  const sent = service.mx.messages.slice(before).map(({ raw }) => raw.toString())
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatch(new RegExp(`^DKIM-Signature: [^]*d=${ann.domain};`, 'm'))
  // Earlier sessions and links may have ended or been used, so they are invalid. The password still works.
  expect((await owner.ask('GET /session')).json.name).toBe('not_logged_in')
  const followed = await owner.ask('POST /invitations/inspect', { token: tokenOf(invited.json.link) })
  expect(followed.json.name).toBe('invalid_link')
  const login = { email: owner.email, password: PASSWORD }
  expect((await owner.ask('POST /session', login)).json.teams).toMatchObject([{ id: owner.teamId }])
  // A cursor of the old installation continues with the events of this one.
  const { json } = await ann.get(`/events?after=${cursor}&email_id=${fresh}`)
  expect(json.data.map(({ type }: { type: string }) => type)).toContain('email.delivered')

  const [later = '', eve = ''] = waiting
  await database.db.query(`update delivery set category = 'kept' where email_id = $1`, [eve])
  const released = await sendwright(['queue', 'release', '--restored'], { DATABASE_URL: database.url })
  expect(released.json()).toMatchObject({ recipients: open.length - 1 })
  expect(await ann.settled(later)).toMatchObject({ status: 'delivered' })
  await database.db.query(`update delivery set category = 'restored' where email_id = $1`, [eve])
  const failed = await sendwright(['queue', 'fail', '--restored', '--team', ann.id], {
    DATABASE_URL: database.url,
  })
  expect(failed.json()).toMatchObject({ recipients: 1 })
  const given = (await ann.get(`/emails/${eve}`)).json
  expect(given).toMatchObject({ status: 'failed', last_event: 'failed' })
  expect(given.events.at(-1)).toMatchObject({ type: 'email.failed', data: { category: 'restored' } })
})

test('a restore is rejected for a truncated or changed file, a different key and a database that is not empty, and leaves nothing behind', async () => {
  const whole = fileAt('whole.backup')
  const databaseUrl = service.config.databaseUrl as string
  expect((await sendwright(['backup', whole])).code).toBe(0)
  expect((await sendwright(['restore', '--check', whole])).code).toBe(0)
  const bytes = readFileSync(whole)
  const database = await givenEmptyDatabase()
  const restore = (file: string, settings: Record<string, string | null> = {}) =>
    sendwright(['restore', file], { DATABASE_URL: database.url, ...settings })

  // Everything is readable, but the checksum at the end, which is checked last, is wrong.
  const plain = zstdDecompressSync(bytes.subarray(MAGIC.length))
  plain[plain.length - 5] = (plain[plain.length - 5] ?? 0) ^ 1
  const atEnd = Buffer.concat([MAGIC, zstdCompressSync(plain)])
  const truncated = bytes.subarray(0, bytes.length - 20)
  const dataDir = fileAt('refused')
  const directory = { DATABASE_URL: null, SENDWRIGHT_DATA_DIR: dataDir }
  for (const [name, content, settings] of [
    ['bad-end.backup', atEnd, {}],
    ['bad-length.backup', truncated, directory],
  ] as const) {
    const file = fileAt(name)
    writeFileSync(file, content)
    for (const refused of [await sendwright(['restore', '--check', file]), await restore(file, settings)]) {
      expect(refused.code).toBe(1)
      expect(refused.stderr.trim().split('\n').at(-1)).toMatch(
        /^.*bad-\w+\.backup: The file is (damaged|not a Sendwright backup)/,
      )
    }
  }
  expect(await tablesOf(database.db)).toBe(0)
  expect(readdirSync(dataDir)).toEqual([])
  const other = await restore(whole, { SENDWRIGHT_SECRET_KEY: 'x'.repeat(40) })
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining('is not the key of the installation'),
  ])
  const none = await restore(whole, { SENDWRIGHT_SECRET_KEY: null })
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('does not contain its secret key')])
  const full = await restore(whole, { DATABASE_URL: databaseUrl })
  expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('The database is not empty')])
  expect(await tablesOf(database.db)).toBe(0)
  const wrong = await sendwright(['backup', fileAt('x.backup')], { SENDWRIGHT_SECRET_KEY: 'x'.repeat(40) })
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('cannot decrypt the DKIM keys')])
})
