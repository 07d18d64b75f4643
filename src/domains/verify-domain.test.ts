import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type DomainWorld, startDomainWorld } from '../../test/support/domains.ts'
import { loadDkimKeys } from './domain-keys.ts'
import { findDomainTracking } from './domain-tracking-queries.ts'
import { addDomain, domainRecords, removeDomain, updateDomain } from './domains.ts'
import { recheckDueDomains, revokeCapturedVerifications, verifyDomain } from './verify-domain.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

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

test('verified with its records in DNS, each shown as found', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  await world.publish(domain)
  const verified = await verifyDomain(world.deps, world.ann, domain.id)
  expect(verified).toMatchObject({
    status: 'verified',
    returnPathVerified: true,
    reason: null,
    captured: false,
  })
  expect(await world.stored(domain)).toEqual(verified)
  expect((await domainRecords(world.deps, verified)).map(({ status }) => status)).toEqual(
    Array(3).fill('verified'),
  )
  expect(await world.verifiedNames()).toEqual([
    { name: 'shop.example', teamId: world.ann, domainId: domain.id },
  ])
  expect(await world.eventTypes(domain)).toEqual(['domain.created', 'domain.verified'])
})

test('verified by the RSA record alone; signed with Ed25519 too if the domain asks for it and has the record', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  await world.publish(domain)
  expect(await verifyDomain(world.deps, world.ann, domain.id)).toMatchObject({ status: 'verified' })
  const algorithms = async () =>
    (await loadDkimKeys(world.deps.db, world.deps.secret, world.ann, domain.id))
      .filter(({ isUsed }) => isUsed)
      .map(({ algorithm }) => algorithm)
  expect(await algorithms()).toEqual(['rsa-sha256'])

  const asking = await updateDomain(world.deps, world.ann, domain.id, { dkimEd25519: true })
  expect(await algorithms()).toEqual(['rsa-sha256'])
  await world.publish(asking)
  const verified = await verifyDomain(world.deps, world.ann, domain.id)
  expect(
    (await domainRecords(world.deps, verified)).map(({ key, required, status }) => [key, required, status]),
  ).toEqual([
    ['dkim_rsa', true, 'verified'],
    ['dkim_ed25519', false, 'verified'],
    ['return_path', false, 'verified'],
    ['dmarc', false, 'verified'],
  ])
  expect(await algorithms()).toEqual(['rsa-sha256', 'ed25519-sha256'])

  // Without an answer it stays right. Without the second record, the domain stays verified.
  world.dns.set({ [`sw-${domain.id.slice(-8)}-ed._domainkey.shop.example`]: { fail: 'servfail' } })
  await verifyDomain(world.deps, world.ann, domain.id)
  expect(await algorithms()).toEqual(['rsa-sha256', 'ed25519-sha256'])
  world.dns.set({ [`sw-${domain.id.slice(-8)}-ed._domainkey.shop.example`]: {} })
  expect(await verifyDomain(world.deps, world.ann, domain.id)).toMatchObject({ status: 'verified' })
  expect(await algorithms()).toEqual(['rsa-sha256'])
})

test('tracked links have its own host, also after a check without an answer, until the record is gone', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example', clickTracking: true })
  await world.publish(domain)
  const hasOwnHost = async () => {
    await verifyDomain(world.deps, world.ann, domain.id)
    return (await findDomainTracking(world.deps.db, world.ann, 'shop.example'))?.isHostVerified
  }
  expect(await hasOwnHost()).toBe(true)
  world.dns.set({ 'links.shop.example': { fail: 'servfail' } })
  expect(await hasOwnHost()).toBe(true)
  world.dns.set({ 'links.shop.example': {} })
  expect(await hasOwnHost()).toBe(false)
})

test('pending, with the reason and the found values, while the record is missing or wrong', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  const missing = await verifyDomain(world.deps, world.ann, domain.id)
  expect(missing).toMatchObject({ status: 'pending', reason: 'The DKIM record (RSA) was not found in DNS.' })
  const [rsa] = await domainRecords(world.deps, domain)
  world.dns.set({ [`${rsa?.name}.shop.example`]: { txt: [rsa?.value as string] } })
  const doubled = await verifyDomain(world.deps, world.ann, domain.id)
  expect((await domainRecords(world.deps, doubled))[0]).toMatchObject({
    status: 'pending',
    check: { outcome: 'missing', found: [], advice: expect.stringContaining('appends shop.example') },
  })
  world.dns.set({ [rsa?.name as string]: { txt: ['v=DKIM1; k=rsa; p=AAAA'] } })
  const wrong = await verifyDomain(world.deps, world.ann, domain.id)
  expect(wrong.reason).toBe('The DKIM record (RSA) in DNS is not the one to publish.')
  expect((await domainRecords(world.deps, wrong))[0]).toMatchObject({
    status: 'failed',
    check: {
      outcome: 'wrong',
      found: ['v=DKIM1; k=rsa; p=AAAA'],
      advice: expect.stringContaining('another key'),
    },
  })
  world.dns.set({ [rsa?.name as string]: { fail: 'servfail' } })
  const silent = await verifyDomain(world.deps, world.ann, domain.id)
  expect(silent).toMatchObject({ status: 'pending', reason: expect.stringContaining('did not answer') })
  expect((await domainRecords(world.deps, silent))[0]?.status).toBe('temporary_failure')
})

test('pending: a domain is never verified by the records of another team', async () => {
  const anns = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  const bobs = await addDomain(world.deps, world.bob, { name: 'shop.example' })
  await world.publish(anns)
  expect(await verifyDomain(world.deps, world.bob, bobs.id)).toMatchObject({ status: 'pending' })
  // Even if Bob's record name leads to Ann's record.
  const [annsRsa] = await domainRecords(world.deps, anns)
  const [bobsRsa] = await domainRecords(world.deps, bobs)
  world.dns.set({ [bobsRsa?.name as string]: { cname: annsRsa?.name as string } })
  expect(await verifyDomain(world.deps, world.bob, bobs.id)).toMatchObject({ status: 'pending' })
  expect(await verifyDomain(world.deps, world.ann, anns.id)).toMatchObject({ status: 'verified' })
})

test('pending for the second team until the first deletes the domain', async () => {
  const anns = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  const bobs = await addDomain(world.deps, world.bob, { name: 'shop.example' })
  await world.publish(anns)
  await world.publish(bobs)
  await verifyDomain(world.deps, world.ann, anns.id)
  expect(await verifyDomain(world.deps, world.bob, bobs.id)).toMatchObject({
    status: 'pending',
    reason: 'Another team of this installation has verified this domain.',
  })
  await removeDomain(world.deps, world.ann, anns.id)
  world.nowMs += 5 * MINUTE_MS
  expect(await recheckDueDomains(world.deps, 100)).toBe(1)
  expect(await world.stored(bobs)).toMatchObject({ status: 'verified' })
  expect(await world.verifiedNames()).toEqual([
    { name: 'shop.example', teamId: world.bob, domainId: bobs.id },
  ])
})

test('verified for exactly one of two teams that check at the same time, ten times', async () => {
  for (let round = 0; round < 10; round++) {
    const name = `race${round}.example`
    const added = await Promise.all(
      [world.ann, world.bob].map((team) => addDomain(world.deps, team, { name })),
    )
    for (const domain of added) await world.publish(domain)
    const asked = await Promise.all(
      [...added, ...added].map((domain) => verifyDomain(world.deps, domain.teamId, domain.id)),
    )
    const winners = new Set(asked.filter(({ status }) => status === 'verified').map(({ id }) => id))
    expect(winners.size).toBe(1)
    expect(await world.verifiedNames()).toContainEqual(
      expect.objectContaining({ name, domainId: [...winners][0] }),
    )
  }
})

test('temporary_failure on the second day without the record, failed on the seventh, which releases the name', async () => {
  const anns = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  const bobs = await addDomain(world.deps, world.bob, { name: 'shop.example' })
  await world.publish(anns)
  await verifyDomain(world.deps, world.ann, anns.id)
  await world.unpublish(anns)
  await world.liveDays(1)
  expect(await world.stored(anns)).toMatchObject({ status: 'verified', failedDays: 1 })
  await world.liveDays(1)
  expect(await world.stored(anns)).toMatchObject({ status: 'temporary_failure' })
  expect(await world.verifiedNames()).toHaveLength(1)
  await world.liveDays(4)
  expect(await world.stored(anns)).toMatchObject({ status: 'temporary_failure', failedDays: 6 })
  await world.liveDays(1)
  expect(await world.stored(anns)).toMatchObject({ status: 'failed', nextCheckAt: null })
  expect(await world.verifiedNames()).toEqual([])
  expect(await world.eventTypes(anns)).toEqual(['domain.created', 'domain.verified', 'domain.failed'])
  await world.publish(bobs)
  expect(await verifyDomain(world.deps, world.bob, bobs.id)).toMatchObject({ status: 'verified' })
})

test('verified stays verified while DNS does not answer, day after day', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  await world.publish(domain)
  await verifyDomain(world.deps, world.ann, domain.id)
  for (const { name } of await domainRecords(world.deps, domain))
    world.dns.set({ [name]: { fail: 'servfail' } })
  await world.liveDays(10)
  expect(await world.stored(domain)).toMatchObject({
    status: 'verified',
    failedDays: 0,
    returnPathVerified: true,
  })
})

test('failed after 72 hours; a requested check restarts them', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  world.nowMs += 72 * 60 * MINUTE_MS
  await recheckDueDomains(world.deps, 100)
  expect(await world.stored(domain)).toMatchObject({ status: 'failed', nextCheckAt: null })
  expect(await world.eventTypes(domain)).toEqual(['domain.created', 'domain.failed'])
  expect(await verifyDomain(world.deps, world.ann, domain.id)).toMatchObject({ status: 'pending' })
  world.nowMs += 5 * MINUTE_MS
  await world.publish(domain)
  await recheckDueDomains(world.deps, 100)
  expect(await world.stored(domain)).toMatchObject({ status: 'verified' })
})

test('due domains are checked once, by one of several processes, up to the limit', async () => {
  for (let no = 0; no < 6; no++) await addDomain(world.deps, world.ann, { name: `d${no}.example` })
  world.nowMs += MINUTE_MS
  expect(await recheckDueDomains(world.deps, 2)).toBe(2)
  const counts = await Promise.all([1, 2, 3].map(() => recheckDueDomains(world.deps, 100)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(await recheckDueDomains(world.deps, 100)).toBe(0)
})

test('a due domain is checked although another team has many that are due for longer', async () => {
  for (let no = 0; no < 4; no++) await addDomain(world.deps, world.ann, { name: `d${no}.example` })
  world.nowMs += MINUTE_MS
  const domain = await addDomain(world.deps, world.bob, { name: 'shop.example' })
  world.nowMs += MINUTE_MS
  expect(await recheckDueDomains(world.deps, 2)).toBe(2)
  expect((await world.stored(domain))?.checkedAt).toEqual(new Date(world.nowMs))
})

test('the check that started last counts, even if it ends first', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  const records = await domainRecords(world.deps, domain)
  const nameOf = (wanted: string) => records.find(({ key }) => key === wanted)?.name as string
  // The earlier check finds no key, and then waits for a silent server before it ends.
  world.dns.set({ [nameOf('dmarc')]: { fail: 'timeout' } })
  const early = verifyDomain(world.deps, world.ann, domain.id)
  await expect.poll(() => world.dns.count(nameOf('dkim_rsa'), 'CNAME')).toBeGreaterThan(0)
  await world.publish(domain)
  world.nowMs += 1000
  expect(await verifyDomain(world.deps, world.ann, domain.id)).toMatchObject({ status: 'verified' })
  expect(await early).toMatchObject({ status: 'verified' })
  expect(await world.stored(domain)).toMatchObject({ status: 'verified', failedDays: 0, reason: null })
})

test('verified at once after a check by a process whose clock was ahead', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  world.nowMs += DAY_MS
  await verifyDomain(world.deps, world.ann, domain.id)
  world.nowMs -= DAY_MS
  await world.publish(domain)
  expect(await verifyDomain(world.deps, world.ann, domain.id)).toMatchObject({
    status: 'verified',
    checkedAt: new Date(world.nowMs),
  })
})

test('captured: verified at once without DNS, and pending again in another mode', async () => {
  const domain = await addDomain(world.captureDeps, world.ann, { name: 'shop.example' })
  expect(domain).toMatchObject({ status: 'verified', captured: true })
  expect(await world.eventTypes(domain)).toEqual(['domain.created', 'domain.verified'])
  expect(await verifyDomain(world.captureDeps, world.ann, domain.id)).toMatchObject({
    status: 'verified',
    captured: true,
  })
  expect(world.dns.count('_dmarc.shop.example')).toBe(0)
  expect(await loadDkimKeys(world.deps.db, world.deps.secret, world.ann, domain.id)).toHaveLength(2)
  expect(await addDomain(world.captureDeps, world.bob, { name: 'shop.example' })).toMatchObject({
    status: 'pending',
  })

  expect(await revokeCapturedVerifications(world.deps.db, new Date(world.nowMs))).toBe(1)
  expect(await revokeCapturedVerifications(world.deps.db, new Date(world.nowMs))).toBe(0)
  expect(await world.stored(domain)).toMatchObject({ status: 'pending', captured: false, verifiedAt: null })
  expect(await world.verifiedNames()).toEqual([])
  expect(await verifyDomain(world.deps, world.ann, domain.id)).toMatchObject({ status: 'pending' })
  await world.publish(domain)
  expect(await verifyDomain(world.deps, world.ann, domain.id)).toMatchObject({
    status: 'verified',
    captured: false,
  })
})

test('captured: a verification by DNS survives capture mode', async () => {
  const domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
  await world.publish(domain)
  await verifyDomain(world.deps, world.ann, domain.id)
  await world.unpublish(domain)
  for (let day = 0; day < 10; day++) {
    world.nowMs += DAY_MS
    await recheckDueDomains(world.captureDeps, 100)
  }
  expect(await world.stored(domain)).toMatchObject({ status: 'verified', captured: false })
  expect(await revokeCapturedVerifications(world.deps.db, new Date(world.nowMs))).toBe(0)
})

test('captured: a check in another mode releases the name unless DNS proves it', async () => {
  const domain = await addDomain(world.captureDeps, world.ann, { name: 'shop.example' })
  expect(await verifyDomain(world.deps, world.ann, domain.id)).toMatchObject({
    status: 'pending',
    captured: false,
  })
  expect(await world.verifiedNames()).toEqual([])
})
