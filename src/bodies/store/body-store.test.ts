import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startBucket, type TestBucket } from '../../../test/support/body-store.ts'
import { listenHere } from '../../../test/support/listen-here.ts'
import { readConfig } from '../../config/config.ts'
import { type BodyStore, observeStore } from './body-store.ts'
import { openBodyStore } from './open-body-store.ts'

const soon = () => AbortSignal.timeout(10_000)
let directory: string
let bucket: TestBucket

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sendwright-store-'))
  bucket = await startBucket()
})
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await bucket?.stop()
})

const open = (environment: Record<string, string>) => openBodyStore(readConfig(environment)) as BodyStore
const STORES: [name: string, () => BodyStore][] = [
  ['a directory', () => open({ SENDWRIGHT_BODIES: `file://${directory}/new` })],
  ['a bucket of S3', () => open(bucket.environment)],
]

test('no store by default', () => {
  expect(openBodyStore(readConfig({}))).toBeNull()
})

describe.each(STORES)('%s', (_, openStore) => {
  const object = randomBytes(100_000)

  test('returns any part of what was written', async () => {
    const store = openStore()
    await store.write('team/pack', object, soon())
    expect(await store.read('team/pack', 0, object.length, soon())).toEqual(object)
    expect(await store.read('team/pack', 4711, 815, soon())).toEqual(object.subarray(4711, 4711 + 815))
    expect(await store.read('team/pack', 99_999, 1, soon())).toEqual(object.subarray(-1))
  })

  test('rejects reads of what is missing, or beyond the end', async () => {
    const store = openStore()
    await store.write('team/short', Buffer.from('short'), soon())
    await expect(store.read('team/none', 0, 1, soon())).rejects.toThrow()
    await expect(store.read('team/short', 4, 2, soon())).rejects.toThrow()
    await expect(store.read('team/short', 9, 1, soon())).rejects.toThrow()
  })

  test('forgets what is removed, even twice', async () => {
    const store = openStore()
    await store.write('team/gone', object, soon())
    await store.remove('team/gone', soon())
    await store.remove('team/gone', soon())
    await expect(store.read('team/gone', 0, 1, soon())).rejects.toThrow()
  })

  test('rejects when its time is over', async () => {
    const store = openStore()
    await store.write('team/late', object, soon())
    await expect(store.read('team/late', 0, 1, AbortSignal.abort())).rejects.toThrow(/abort/i)
  })
})

test('files are readable by their owner only, and no part of one is left', async () => {
  const store = open({ SENDWRIGHT_BODIES: `file://${directory}/private` })
  await store.write('team/pack', Buffer.from('x'), soon())
  expect(readdirSync(join(directory, 'private', 'team'))).toEqual(['pack'])
  expect(statSync(join(directory, 'private', 'team', 'pack')).mode & 0o777).toBe(0o600)
})

test('a bucket with a wrong key, or that does not answer, rejects', async () => {
  const store = open({ ...bucket.environment, SENDWRIGHT_S3_SECRET_KEY: 'wrong' })
  await expect(store.write('team/pack', Buffer.from('x'), soon())).rejects.toThrow(/403/)
  bucket.setSilent(true)
  const late = open(bucket.environment).read('team/pack', 0, 1, AbortSignal.timeout(50))
  await expect(late).rejects.toMatchObject({ name: 'TimeoutError' })
  bucket.setSilent(false)
})

test.each([
  ['no body', ''],
  ['a code', '<Error><Code>NoSuchKey</Code></Error>'],
])('an object is removed if the server answers 404 with %s', async (_, body) => {
  const server = createServer((_, response) => void response.writeHead(404).end(body))
  const { url, close } = await listenHere(server)
  onTestFinished(close)
  await open({ ...bucket.environment, SENDWRIGHT_S3_ENDPOINT: url }).remove('team/pack', soon())
})

test('nothing is removed if the bucket is missing', async () => {
  const missing = open({ ...bucket.environment, SENDWRIGHT_BODIES: 's3://another-bucket/some/where' })
  await expect(missing.remove('team/pack', soon())).rejects.toThrow(/404/)
})

test.each([
  ['404 with a page of HTML', 404, '<html><body><h1>404 Not Found</h1></body></html>'],
  ['404 with another code', 404, '<Error><Code>NoSuchBucket</Code></Error>'],
  ['500', 500, ''],
])('nothing is removed if the server answers %s', async (_, status, body) => {
  const server = createServer((_, response) => void response.writeHead(status).end(body))
  const { url, close } = await listenHere(server)
  onTestFinished(close)
  const failing = open({ ...bucket.environment, SENDWRIGHT_S3_ENDPOINT: url })
  await expect(failing.remove('team/pack', soon())).rejects.toThrow(String(status))
})

test('each operation is reported with its result', async () => {
  const reports: unknown[] = []
  const store = observeStore(
    open({ SENDWRIGHT_BODIES: `file://${directory}/seen` }),
    (operation, seconds, isFailed) => reports.push([operation, seconds >= 0, isFailed]),
  )
  await store.write('team/pack', Buffer.from('x'), soon())
  await store.read('team/none', 0, 1, soon()).catch(() => {})
  expect(reports).toEqual([
    ['write', true, false],
    ['read', true, true],
  ])
})
