import { createPublicKey, randomBytes, sign, verify } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type DomainWorld, startDomainWorld } from '../../test/support/domains.ts'
import { readCounter } from '../db/counters.ts'
import { newId } from '../lib/ids.ts'
import { signMessage } from '../mime/dkim.ts'
import { loadDkimKeys, purgeRetiredDkimKeys } from './domain-keys.ts'
import { addDomain, domainRecords, removeDomain, updateDomain } from './domains.ts'
import { findDomain } from './domains-queries.ts'
import { verifyDomain } from './verify-domain.ts'

const DAY_MS = 24 * 3_600_000

let database: TestDatabase
let world: DomainWorld
beforeAll(async () => {
  database = await createDatabase()
})
beforeEach(async () => {
  world = await startDomainWorld(database)
})
afterEach(() => world.stop())
afterAll(() => database.drop())

test('pending: added with new keys and the records to publish', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'Shop.Example', openTracking: true })
  expect(domain).toMatchObject({
    name: 'shop.example',
    status: 'pending',
    openTracking: true,
    tls: 'opportunistic',
  })
  expect(await world.stored(domain)).toEqual(domain)
  const records = await domainRecords(world.deps, domain)
  const tail = domain.id.slice(-8)
  expect(
    records.map(({ purpose, type, name, status, required }) => [purpose, type, name, status, required]),
  ).toEqual([
    ['DKIM', 'TXT', `sw-${tail}-rsa._domainkey.shop.example`, 'pending', true],
    ['SPF', 'CNAME', 'bounce.shop.example', 'pending', false],
    ['DMARC', 'TXT', '_dmarc.shop.example', 'pending', false],
    ['Tracking', 'CNAME', 'links.shop.example', 'pending', false],
  ])
  expect(records.find(({ key }) => key === 'return_path')?.value).toBe('mx.sender.test')
  expect(records.find(({ key }) => key === 'tracking')?.value).toBe('api.sender.test')
  expect(await world.eventTypes(domain)).toEqual(['domain.created'])
  expect(await readCounter(world.deps.db, world.ann, 'domains')).toBe(1)
  expect(await world.verifiedNames()).toEqual([])
})

test('pending: without return path and tracking records that cannot be resolved', async () => {
  const config = { ...world.deps.config, hostname: 'localhost', publicUrl: 'http://127.0.0.1:8080' }
  const domain = await addDomain({ ...world.deps, config }, world.ann, {
    name: 'shop.example',
    clickTracking: true,
  })
  const records = await domainRecords({ ...world.deps, config }, domain)
  expect(records.map(({ key }) => key)).toEqual(['dkim_rsa', 'dmarc'])
})

test('409 for a name that the team already has, even for ten at once; another team may add it', async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, () => addDomain(world.deps, world.ann, { name: 'shop.example' })),
  )
  const refused = attempts.filter((tried) => tried.status === 'rejected').map(({ reason }) => reason.code)
  expect(refused).toEqual(Array(9).fill('conflict'))
  await expect(addDomain(world.deps, world.ann, { name: 'SHOP.example' })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await addDomain(world.deps, world.bob, { name: 'shop.example' })).toMatchObject({
    status: 'pending',
  })
  expect(await readCounter(world.deps.db, world.ann, 'domains')).toBe(1)
})

test('422 for a public suffix, and nothing is stored', async () => {
  await expect(addDomain(world.deps, world.ann, { name: 'co.uk' })).rejects.toMatchObject({
    code: 'validation_error',
  })
  expect(await world.deps.db.query('select id from domain')).toEqual([])
  expect(await world.deps.db.query('select selector from dkim_key')).toEqual([])
})

test('404 for another team’s domain, which stays unchanged', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  await world.publish(domain)
  for (const attempt of [
    () => verifyDomain(world.deps, world.bob, domain.id),
    () => updateDomain(world.deps, world.bob, domain.id, { tls: 'enforced' }),
    () => removeDomain(world.deps, world.bob, domain.id),
    () => verifyDomain(world.deps, world.bob, newId()),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found', message: 'Not found.' })
  }
  expect(await world.stored(domain)).toEqual(domain)
  expect(await loadDkimKeys(world.deps.db, world.deps.secret, world.bob, domain.id)).toEqual([])
})

test('updated: only given settings change', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example', openTracking: true })
  await updateDomain(world.deps, world.ann, domain.id, { tls: 'enforced' })
  await updateDomain(world.deps, world.ann, domain.id, { openTracking: false })
  expect(await updateDomain(world.deps, world.ann, domain.id, {})).toMatchObject({
    tls: 'enforced',
    openTracking: false,
    clickTracking: false,
    status: 'pending',
  })
})

test('deleted: name, counter and row at once; its keys still sign accepted emails for 371 days', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  await world.publish(domain)
  await verifyDomain(world.deps, world.ann, domain.id)
  await removeDomain(world.deps, world.ann, domain.id)
  expect(await findDomain(world.deps.db, world.ann, domain.id)).toBeNull()
  expect(await world.verifiedNames()).toEqual([])
  expect(await readCounter(world.deps.db, world.ann, 'domains')).toBe(0)
  expect(await world.eventTypes(domain)).toEqual(['domain.created', 'domain.verified', 'domain.deleted'])
  await expect(removeDomain(world.deps, world.ann, domain.id)).rejects.toMatchObject({
    code: 'not_found',
  })

  expect(await purgeRetiredDkimKeys(world.deps.db, new Date(world.nowMs + 371 * DAY_MS))).toBe(0)
  const keys = await loadDkimKeys(world.deps.db, world.deps.secret, world.ann, domain.id)
  expect(keys.map((key) => key.domain)).toEqual(['shop.example', 'shop.example'])
  expect(await purgeRetiredDkimKeys(world.deps.db, new Date(world.nowMs + 371 * DAY_MS + 1))).toBe(2)
  expect(await loadDkimKeys(world.deps.db, world.deps.secret, world.ann, domain.id)).toEqual([])
})

test('added again after deletion: pending, with other keys', async () => {
  const first = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  await world.publish(first)
  await verifyDomain(world.deps, world.ann, first.id)
  await removeDomain(world.deps, world.ann, first.id)
  const second = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  expect(await verifyDomain(world.deps, world.ann, second.id)).toMatchObject({ status: 'pending' })
})

test('sealed: private keys match the published ones, and open for no other domain', async () => {
  const domain = await addDomain(world.captureDeps, world.ann, { name: 'shop.example', dkimEd25519: true })
  const [rsa, ed] = await loadDkimKeys(world.deps.db, world.deps.secret, world.ann, domain.id)
  const [rsaRecord, edRecord] = await domainRecords(world.deps, domain)
  const tag = (value: string | undefined) => Buffer.from(value?.split('p=')[1] ?? '', 'base64')
  const rsaPublic = createPublicKey({ key: tag(rsaRecord?.value), format: 'der', type: 'spki' })
  expect(rsaPublic.asymmetricKeyDetails?.modulusLength).toBe(2048)
  // The 12 bytes at the start of every Ed25519 SubjectPublicKeyInfo (RFC 8410 section 4).
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), tag(edRecord?.value)])
  const edPublic = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const data = Buffer.from('signed')
  if (rsa === undefined || ed === undefined) throw new Error('keys are missing')
  expect(verify('sha256', data, rsaPublic, sign('sha256', data, rsa.privateKey))).toBe(true)
  expect(verify(null, data, edPublic, sign(null, data, ed.privateKey))).toBe(true)

  await expect(loadDkimKeys(world.deps.db, randomBytes(32), world.ann, domain.id)).rejects.toThrow()
  const rows = await world.deps.db.query<{ sealedPrivateKey: Buffer }>(
    'select sealed_private_key from dkim_key',
  )
  const der = rsa.privateKey.export({ type: 'pkcs8', format: 'der' })
  for (const row of rows) expect(row.sealedPrivateKey.includes(der.subarray(0, 20))).toBe(false)
})

test('verified: signatures pass at a receiver that reads the published records', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example', dkimEd25519: true })
  await world.publish(domain)
  await verifyDomain(world.deps, world.ann, domain.id)
  const message = Buffer.from('From: a@shop.example\r\nTo: b@c.example\r\nSubject: Hello\r\n\r\nHello.\r\n')
  const keys = await loadDkimKeys(world.deps.db, world.deps.secret, world.ann, domain.id)
  const fields = await signMessage(message, keys, new Date(world.nowMs))
  const published = new Map((await domainRecords(world.deps, domain)).map(({ name, value }) => [name, value]))
  const { results } = await dkimVerify(Buffer.concat([fields, message]), {
    resolver: async (name: string, type: string) => {
      const value = published.get(name)
      if (type !== 'TXT' || value === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      return [[value]]
    },
  })
  const seen = results.map(({ algo, signingDomain, status }) => [algo, signingDomain, status.result])
  expect(new Set(seen)).toEqual(
    new Set([
      ['ed25519-sha256', 'shop.example', 'pass'],
      ['rsa-sha256', 'shop.example', 'pass'],
    ]),
  )
})

test("notified: every process, when a team's sending rights change", async () => {
  const listener = await world.deps.db.connect()
  let hints = 0
  listener.on('notification', () => hints++)
  await listener.query('listen "sendwright_access.public"')
  try {
    const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
    await world.publish(domain)
    await verifyDomain(world.deps, world.ann, domain.id)
    await expect.poll(() => hints).toBe(1)
    await verifyDomain(world.deps, world.ann, domain.id)
    await removeDomain(world.deps, world.ann, domain.id)
    await expect.poll(() => hints).toBe(2)
  } finally {
    await listener.end()
  }
})
