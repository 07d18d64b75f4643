import { createPublicKey, randomBytes, sign, verify } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { startDns, type TestDns } from '../../test/support/dns.ts'
import { newId } from '../base/ids.ts'
import { signMessage } from '../mime/dkim.ts'
import { readCounter } from '../store/counters.ts'
import { type Domain, findDomain } from '../store/domains.ts'
import { loadDkimKeys, purgeRetiredDkimKeys } from './domain-keys.ts'
import { addDomain, domainRecords, removeDomain, updateDomain } from './domains.ts'
import {
  type DomainDeps,
  recheckDueDomains,
  revokeCapturedVerifications,
  verifyDomain,
} from './verify-domain.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const ANN = newId()
const BOB = newId()

let database: TestDatabase
let dns: TestDns
let nowMs: number
let deps: DomainDeps
let captureDeps: DomainDeps

beforeEach(async () => {
  database = await createDatabase()
  dns = await startDns()
  nowMs = Date.now()
  deps = {
    db: database.db,
    clock: { now: () => new Date(nowMs) },
    secret: randomBytes(32),
    config: {
      hostname: 'mx.sender.test',
      publicUrl: 'http://api.sender.test:8080',
      dnsServers: [dns.server],
      delivery: { kind: 'direct' },
    },
  }
  captureDeps = { ...deps, config: { ...deps.config, delivery: { kind: 'capture' } } }
})
afterEach(async () => {
  await dns.close()
  await database.drop()
})

/** Does what the owner of the domain is asked to do. */
async function publish(domain: Domain, only: (key: string) => boolean = () => true) {
  for (const { key, name, type, value } of await domainRecords(deps, domain)) {
    if (only(key)) dns.set({ [name]: type === 'TXT' ? { txt: [value] } : { cname: value } })
  }
}

async function unpublish(domain: Domain) {
  for (const { name } of await domainRecords(deps, domain)) dns.remove(name)
}

async function stored(domain: Domain): Promise<Domain> {
  return (await findDomain(deps.db, domain.teamId, domain.id)) as Domain
}

async function verifiedNames() {
  return database.db.query('select name, team_id, domain_id from verified_domain order by name')
}

async function eventTypes(domain: Domain) {
  const rows = await database.db.query<{ type: string }>(
    'select type from event where team_id = $1 and subject_id = $2 order by id',
    [domain.teamId, domain.id],
  )
  return rows.map((row) => row.type)
}

/** One look a day, as the background job does it, for `days` days. */
async function liveDays(days: number) {
  for (let day = 0; day < days; day++) {
    nowMs += DAY_MS
    await recheckDueDomains(deps, 100)
  }
}

test('pending: added with its own keys and the records to publish', async () => {
  const domain = await addDomain(deps, ANN, { name: 'Shop.Example', openTracking: true })
  expect(domain).toMatchObject({
    name: 'shop.example',
    status: 'pending',
    openTracking: true,
    tls: 'opportunistic',
  })
  expect(await stored(domain)).toEqual(domain)
  const records = await domainRecords(deps, domain)
  const tail = domain.id.slice(-8)
  expect(
    records.map(({ purpose, type, name, status, required }) => [purpose, type, name, status, required]),
  ).toEqual([
    ['DKIM', 'TXT', `sw-${tail}-rsa._domainkey.shop.example`, 'pending', true],
    ['DKIM', 'TXT', `sw-${tail}-ed._domainkey.shop.example`, 'pending', false],
    ['SPF', 'CNAME', 'bounce.shop.example', 'pending', false],
    ['DMARC', 'TXT', '_dmarc.shop.example', 'pending', false],
    ['Tracking', 'CNAME', 'links.shop.example', 'pending', false],
  ])
  expect(records.find(({ key }) => key === 'return_path')?.value).toBe('mx.sender.test')
  expect(records.find(({ key }) => key === 'tracking')?.value).toBe('api.sender.test')
  expect(await eventTypes(domain)).toEqual(['domain.created'])
  expect(await readCounter(deps.db, ANN, 'domains')).toBe(1)
  expect(await verifiedNames()).toEqual([])
})

test('pending: no return path or tracking record that nobody could resolve', async () => {
  const config = { ...deps.config, hostname: 'localhost', publicUrl: 'http://127.0.0.1:8080' }
  const domain = await addDomain({ ...deps, config }, ANN, { name: 'shop.example', clickTracking: true })
  const records = await domainRecords({ ...deps, config }, domain)
  expect(records.map(({ key }) => key)).toEqual(['dkim_rsa', 'dkim_ed25519', 'dmarc'])
})

test('409 for a name that the team has already, also for ten at once; another team may add it', async () => {
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, () => addDomain(deps, ANN, { name: 'shop.example' })),
  )
  const refused = tries.filter((tried) => tried.status === 'rejected').map(({ reason }) => reason.refusal)
  expect(refused).toEqual(Array(9).fill('conflict'))
  await expect(addDomain(deps, ANN, { name: 'SHOP.example' })).rejects.toMatchObject({ refusal: 'conflict' })
  expect(await addDomain(deps, BOB, { name: 'shop.example' })).toMatchObject({ status: 'pending' })
  expect(await readCounter(deps.db, ANN, 'domains')).toBe(1)
})

test('422 for a public suffix, and nothing is stored', async () => {
  await expect(addDomain(deps, ANN, { name: 'co.uk' })).rejects.toMatchObject({ refusal: 'validation_error' })
  expect(await database.db.query('select id from domain')).toEqual([])
  expect(await database.db.query('select selector from dkim_key')).toEqual([])
})

test('verified when its records are in DNS, each shown as seen', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  await publish(domain)
  const verified = await verifyDomain(deps, ANN, domain.id)
  expect(verified).toMatchObject({
    status: 'verified',
    returnPathVerified: true,
    reason: null,
    captured: false,
  })
  expect(await stored(domain)).toEqual(verified)
  expect((await domainRecords(deps, verified)).map(({ status }) => status)).toEqual(Array(4).fill('verified'))
  expect(await verifiedNames()).toEqual([{ name: 'shop.example', team_id: ANN, domain_id: domain.id }])
  expect(await eventTypes(domain)).toEqual(['domain.created', 'domain.verified'])
})

test('verified by the RSA record alone; emails are then signed with RSA alone', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  await publish(domain, (key) => key === 'dkim_rsa')
  expect(await verifyDomain(deps, ANN, domain.id)).toMatchObject({
    status: 'verified',
    returnPathVerified: false,
  })
  const algorithms = async () =>
    (await loadDkimKeys(deps.db, deps.secret, ANN, domain.id)).map(({ algorithm }) => algorithm)
  expect(await algorithms()).toEqual(['rsa-sha256'])
  await publish(domain)
  await verifyDomain(deps, ANN, domain.id)
  expect(await algorithms()).toEqual(['rsa-sha256', 'ed25519-sha256'])
})

test('pending, with the reason and what was found, while the record is missing or wrong', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  const missing = await verifyDomain(deps, ANN, domain.id)
  expect(missing).toMatchObject({ status: 'pending', reason: 'The DKIM record (RSA) was not found in DNS.' })
  const [rsa] = await domainRecords(deps, domain)
  dns.set({ [rsa?.name as string]: { txt: ['v=DKIM1; k=rsa; p=AAAA'] } })
  const wrong = await verifyDomain(deps, ANN, domain.id)
  expect(wrong.reason).toBe('The DKIM record (RSA) in DNS is not the one to publish.')
  expect((await domainRecords(deps, wrong))[0]).toMatchObject({
    status: 'failed',
    check: { outcome: 'wrong', found: ['v=DKIM1; k=rsa; p=AAAA'] },
  })
  dns.set({ [rsa?.name as string]: { fail: 'servfail' } })
  const silent = await verifyDomain(deps, ANN, domain.id)
  expect(silent).toMatchObject({ status: 'pending', reason: expect.stringContaining('did not answer') })
  expect((await domainRecords(deps, silent))[0]?.status).toBe('temporary_failure')
})

test('pending: a domain is never verified by the records of another team', async () => {
  const anns = await addDomain(deps, ANN, { name: 'shop.example' })
  const bobs = await addDomain(deps, BOB, { name: 'shop.example' })
  await publish(anns)
  expect(await verifyDomain(deps, BOB, bobs.id)).toMatchObject({ status: 'pending' })
  // Not even when Bob's record name leads to Ann's record.
  const [annsRsa] = await domainRecords(deps, anns)
  const [bobsRsa] = await domainRecords(deps, bobs)
  dns.set({ [bobsRsa?.name as string]: { cname: annsRsa?.name as string } })
  expect(await verifyDomain(deps, BOB, bobs.id)).toMatchObject({ status: 'pending' })
  expect(await verifyDomain(deps, ANN, anns.id)).toMatchObject({ status: 'verified' })
})

test('pending for the second team until the first deletes the domain', async () => {
  const anns = await addDomain(deps, ANN, { name: 'shop.example' })
  const bobs = await addDomain(deps, BOB, { name: 'shop.example' })
  await publish(anns)
  await publish(bobs)
  await verifyDomain(deps, ANN, anns.id)
  expect(await verifyDomain(deps, BOB, bobs.id)).toMatchObject({
    status: 'pending',
    reason: 'Another team of this installation has verified this domain.',
  })
  await removeDomain(deps, ANN, anns.id)
  nowMs += 5 * MINUTE_MS
  expect(await recheckDueDomains(deps, 100)).toBe(1)
  expect(await stored(bobs)).toMatchObject({ status: 'verified' })
  expect(await verifiedNames()).toEqual([{ name: 'shop.example', team_id: BOB, domain_id: bobs.id }])
})

test('verified for exactly one of two teams that ask at the same moment, ten times', async () => {
  for (let round = 0; round < 10; round++) {
    const name = `race${round}.example`
    const added = await Promise.all([ANN, BOB].map((team) => addDomain(deps, team, { name })))
    for (const domain of added) await publish(domain)
    const asked = await Promise.all(
      [...added, ...added].map((domain) => verifyDomain(deps, domain.teamId, domain.id)),
    )
    const winners = new Set(asked.filter(({ status }) => status === 'verified').map(({ id }) => id))
    expect(winners.size).toBe(1)
    expect(await verifiedNames()).toContainEqual(
      expect.objectContaining({ name, domain_id: [...winners][0] }),
    )
  }
})

test('temporary_failure on the second day without the record, failed on the seventh, and the name is free', async () => {
  const anns = await addDomain(deps, ANN, { name: 'shop.example' })
  const bobs = await addDomain(deps, BOB, { name: 'shop.example' })
  await publish(anns)
  await verifyDomain(deps, ANN, anns.id)
  await unpublish(anns)
  await liveDays(1)
  expect(await stored(anns)).toMatchObject({ status: 'verified', failedDays: 1 })
  await liveDays(1)
  expect(await stored(anns)).toMatchObject({ status: 'temporary_failure' })
  expect(await verifiedNames()).toHaveLength(1)
  await liveDays(4)
  expect(await stored(anns)).toMatchObject({ status: 'temporary_failure', failedDays: 6 })
  await liveDays(1)
  expect(await stored(anns)).toMatchObject({ status: 'failed', nextCheckAt: null })
  expect(await verifiedNames()).toEqual([])
  expect(await eventTypes(anns)).toEqual(['domain.created', 'domain.verified', 'domain.failed'])
  await publish(bobs)
  expect(await verifyDomain(deps, BOB, bobs.id)).toMatchObject({ status: 'verified' })
})

test('verified stays verified while DNS does not answer, day after day', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  await publish(domain)
  await verifyDomain(deps, ANN, domain.id)
  for (const { name } of await domainRecords(deps, domain)) dns.set({ [name]: { fail: 'servfail' } })
  await liveDays(10)
  expect(await stored(domain)).toMatchObject({ status: 'verified', failedDays: 0, returnPathVerified: true })
})

test('failed after 72 hours of waiting; asking opens them again', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  nowMs += 72 * 60 * MINUTE_MS
  await recheckDueDomains(deps, 100)
  expect(await stored(domain)).toMatchObject({ status: 'failed', nextCheckAt: null })
  expect(await eventTypes(domain)).toEqual(['domain.created', 'domain.failed'])
  expect(await verifyDomain(deps, ANN, domain.id)).toMatchObject({ status: 'pending' })
  nowMs += 5 * MINUTE_MS
  await publish(domain)
  await recheckDueDomains(deps, 100)
  expect(await stored(domain)).toMatchObject({ status: 'verified' })
})

test('due domains are checked once, by one of several processes, and no more than asked for', async () => {
  for (let no = 0; no < 6; no++) await addDomain(deps, ANN, { name: `d${no}.example` })
  nowMs += MINUTE_MS
  expect(await recheckDueDomains(deps, 2)).toBe(2)
  const counts = await Promise.all([1, 2, 3].map(() => recheckDueDomains(deps, 100)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(await recheckDueDomains(deps, 100)).toBe(0)
})

test('the look that began last counts, also when it ends first', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  const records = await domainRecords(deps, domain)
  const nameOf = (wanted: string) => records.find(({ key }) => key === wanted)?.name as string
  // The earlier look sees no key, and then waits for a silent server before it can say so.
  dns.set({ [nameOf('dmarc')]: { fail: 'timeout' } })
  const early = verifyDomain(deps, ANN, domain.id)
  await expect.poll(() => dns.count(nameOf('dkim_rsa'), 'CNAME')).toBeGreaterThan(0)
  await publish(domain)
  nowMs += 1000
  expect(await verifyDomain(deps, ANN, domain.id)).toMatchObject({ status: 'verified' })
  expect(await early).toMatchObject({ status: 'verified' })
  expect(await stored(domain)).toMatchObject({ status: 'verified', failedDays: 0, reason: null })
})

test('404 for a domain that is not the team’s own, which stays as it is', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  await publish(domain)
  for (const attempt of [
    () => verifyDomain(deps, BOB, domain.id),
    () => updateDomain(deps, BOB, domain.id, { tls: 'enforced' }),
    () => removeDomain(deps, BOB, domain.id),
    () => verifyDomain(deps, BOB, newId()),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ refusal: 'not_found', message: 'Not found.' })
  }
  expect(await stored(domain)).toEqual(domain)
  expect(await loadDkimKeys(deps.db, deps.secret, BOB, domain.id)).toEqual([])
})

test('updated: only the settings that are given change', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example', openTracking: true })
  await updateDomain(deps, ANN, domain.id, { tls: 'enforced' })
  await updateDomain(deps, ANN, domain.id, { openTracking: false })
  expect(await updateDomain(deps, ANN, domain.id, {})).toMatchObject({
    tls: 'enforced',
    openTracking: false,
    clickTracking: false,
    status: 'pending',
  })
})

test('deleted: name, counter and row go at once; its keys sign what was accepted, for 371 days', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  await publish(domain)
  await verifyDomain(deps, ANN, domain.id)
  await removeDomain(deps, ANN, domain.id)
  expect(await findDomain(deps.db, ANN, domain.id)).toBeNull()
  expect(await verifiedNames()).toEqual([])
  expect(await readCounter(deps.db, ANN, 'domains')).toBe(0)
  expect(await eventTypes(domain)).toEqual(['domain.created', 'domain.verified', 'domain.deleted'])
  await expect(removeDomain(deps, ANN, domain.id)).rejects.toMatchObject({ refusal: 'not_found' })

  expect(await purgeRetiredDkimKeys(deps.db, new Date(nowMs + 371 * DAY_MS))).toBe(0)
  const keys = await loadDkimKeys(deps.db, deps.secret, ANN, domain.id)
  expect(keys.map((key) => key.domain)).toEqual(['shop.example', 'shop.example'])
  expect(await purgeRetiredDkimKeys(deps.db, new Date(nowMs + 371 * DAY_MS + 1))).toBe(2)
  expect(await loadDkimKeys(deps.db, deps.secret, ANN, domain.id)).toEqual([])
})

test('added again after deletion: pending, with other keys', async () => {
  const first = await addDomain(deps, ANN, { name: 'shop.example' })
  await publish(first)
  await verifyDomain(deps, ANN, first.id)
  await removeDomain(deps, ANN, first.id)
  const second = await addDomain(deps, ANN, { name: 'shop.example' })
  expect(await verifyDomain(deps, ANN, second.id)).toMatchObject({ status: 'pending' })
})

test('captured: verified at once without a question to DNS, and pending again in another mode', async () => {
  const domain = await addDomain(captureDeps, ANN, { name: 'shop.example' })
  expect(domain).toMatchObject({ status: 'verified', captured: true })
  expect(await eventTypes(domain)).toEqual(['domain.created', 'domain.verified'])
  expect(await verifyDomain(captureDeps, ANN, domain.id)).toMatchObject({
    status: 'verified',
    captured: true,
  })
  expect(dns.count('_dmarc.shop.example')).toBe(0)
  expect(await loadDkimKeys(deps.db, deps.secret, ANN, domain.id)).toHaveLength(2)
  expect(await addDomain(captureDeps, BOB, { name: 'shop.example' })).toMatchObject({ status: 'pending' })

  expect(await revokeCapturedVerifications(deps.db, new Date(nowMs))).toBe(1)
  expect(await revokeCapturedVerifications(deps.db, new Date(nowMs))).toBe(0)
  expect(await stored(domain)).toMatchObject({ status: 'pending', captured: false, verifiedAt: null })
  expect(await verifiedNames()).toEqual([])
  expect(await verifyDomain(deps, ANN, domain.id)).toMatchObject({ status: 'pending' })
  await publish(domain)
  expect(await verifyDomain(deps, ANN, domain.id)).toMatchObject({ status: 'verified', captured: false })
})

test('captured: what DNS has verified survives a stay in capture mode', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  await publish(domain)
  await verifyDomain(deps, ANN, domain.id)
  await unpublish(domain)
  for (let day = 0; day < 10; day++) {
    nowMs += DAY_MS
    await recheckDueDomains(captureDeps, 100)
  }
  expect(await stored(domain)).toMatchObject({ status: 'verified', captured: false })
  expect(await revokeCapturedVerifications(deps.db, new Date(nowMs))).toBe(0)
})

test('captured: asking DNS about it in another mode takes the name away unless DNS proves it', async () => {
  const domain = await addDomain(captureDeps, ANN, { name: 'shop.example' })
  expect(await verifyDomain(deps, ANN, domain.id)).toMatchObject({ status: 'pending', captured: false })
  expect(await verifiedNames()).toEqual([])
})

test('sealed: private keys match what is published, and open for nobody else', async () => {
  const domain = await addDomain(captureDeps, ANN, { name: 'shop.example' })
  const [rsa, ed] = await loadDkimKeys(deps.db, deps.secret, ANN, domain.id)
  const [rsaRecord, edRecord] = await domainRecords(deps, domain)
  const tag = (value: string | undefined) => Buffer.from(value?.split('p=')[1] ?? '', 'base64')
  const rsaPublic = createPublicKey({ key: tag(rsaRecord?.value), format: 'der', type: 'spki' })
  expect(rsaPublic.asymmetricKeyDetails?.modulusLength).toBe(2048)
  // The 12 bytes that every Ed25519 SubjectPublicKeyInfo begins with (RFC 8410 section 4).
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), tag(edRecord?.value)])
  const edPublic = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const data = Buffer.from('signed')
  if (rsa === undefined || ed === undefined) throw new Error('keys are missing')
  expect(verify('sha256', data, rsaPublic, sign('sha256', data, rsa.privateKey))).toBe(true)
  expect(verify(null, data, edPublic, sign(null, data, ed.privateKey))).toBe(true)

  await expect(loadDkimKeys(deps.db, randomBytes(32), ANN, domain.id)).rejects.toThrow()
  const rows = await database.db.query<{ sealed_private_key: Buffer }>(
    'select sealed_private_key from dkim_key',
  )
  const der = rsa.privateKey.export({ type: 'pkcs8', format: 'der' })
  for (const row of rows) expect(row.sealed_private_key.includes(der.subarray(0, 20))).toBe(false)
})

test('verified: what is signed with its keys passes at a receiver that reads the published records', async () => {
  const domain = await addDomain(deps, ANN, { name: 'shop.example' })
  await publish(domain)
  await verifyDomain(deps, ANN, domain.id)
  const message = Buffer.from('From: a@shop.example\r\nTo: b@c.example\r\nSubject: Hello\r\n\r\nHello.\r\n')
  const keys = await loadDkimKeys(deps.db, deps.secret, ANN, domain.id)
  const fields = await signMessage(message, keys, new Date(nowMs))
  const published = new Map((await domainRecords(deps, domain)).map(({ name, value }) => [name, value]))
  const { results } = await dkimVerify(Buffer.concat([fields, message]), {
    resolver: async (name: string, type: string) => {
      const value = published.get(name)
      if (type !== 'TXT' || value === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      return [[value]]
    },
  })
  const seen = results.map(({ algo, signingDomain, status }) => [algo, signingDomain, status.result])
  expect(seen.sort()).toEqual([
    ['ed25519-sha256', 'shop.example', 'pass'],
    ['rsa-sha256', 'shop.example', 'pass'],
  ])
})

test('a change of what a team may send from is told to every process', async () => {
  const listener = await database.db.connect()
  let hints = 0
  listener.on('notification', () => hints++)
  await listener.query('listen sendwright_access')
  try {
    const domain = await addDomain(deps, ANN, { name: 'shop.example' })
    await publish(domain)
    await verifyDomain(deps, ANN, domain.id)
    await expect.poll(() => hints).toBe(1)
    await verifyDomain(deps, ANN, domain.id)
    await removeDomain(deps, ANN, domain.id)
    await expect.poll(() => hints).toBe(2)
  } finally {
    await listener.end()
  }
})
