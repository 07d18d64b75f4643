import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:http'
import { createSecureContext } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAcme, type TestAcme } from '../../test/support/acme-server.ts'
import { createAuthority } from '../../test/support/certificates.ts'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type ListeningServer, listenHere } from '../../test/support/listen-here.ts'
import type { AcmeChallenge } from '../config/values.ts'
import { type HttpsListener, listenHttps } from '../http/connections/listen-https.ts'
import { createLog } from '../lib/log.ts'
import { findChallenge } from './acme-queries.ts'
import { findCertificatesSince, listCertificateStates } from './certificates-queries.ts'
import { findChallengeContext } from './challenges.ts'
import { HostContexts } from './host-contexts.ts'
import { CertificateRenewal } from './renew-certificates.ts'
import { createSealedKeys } from './sealed-keys.ts'

const DAY_MS = 86_400_000
const SECRET = Buffer.alloc(32, 7)
const HOST = 'api.renewal.test'
const config = { publicUrl: `https://${HOST}`, hostname: 'localhost' }
const keys = createSealedKeys(SECRET)
const log = createLog('silent')

let acme: TestAcme
let database: TestDatabase
let answers: ListeningServer
let nowMs: number
let tls: HttpsListener

beforeAll(async () => {
  acme = await startAcme()
  database = await createDatabase()
  // Any process answers, because the challenges are in the database.
  const http = createServer(async (request, response) => {
    const token = request.url?.split('/').at(-1) ?? ''
    response.end((await findChallenge(database.db, token)) ?? 'no challenge')
  })
  answers = await listenHere(http)
  const own = createSecureContext(await createAuthority().then((authority) => authority.issue(['own.test'])))
  tls = await listenHttps({
    http,
    tls: {
      context: () => own,
      contextOf: () => null,
      findChallengeContext: (host) => findChallengeContext(database.db, keys, host),
    },
    host: '127.0.0.1',
    port: 0,
    connectionsMax: 10,
    log,
  })
})
afterAll(async () => {
  await tls.close()
  await answers.close()
  await database.drop()
  await acme.close()
})
beforeEach(async () => {
  await database.db.query('delete from tls_certificate')
  acme.issued.length = 0
  acme.proven.length = 0
  acme.challengePort = answers.port
  acme.tlsPort = tls.port
  acme.waitSeconds = null
  acme.validMs = 90 * DAY_MS
  nowMs = Date.now()
})

const clock = { now: () => new Date(nowMs) }
const hostContexts = () => new HostContexts({ db: database.db, clock, keys, log })
function renewal(publicHost = HOST, challenges: AcmeChallenge[] = ['http-01']) {
  const { db } = database
  const given = { db, clock, log, keys, challenges, random: () => 0, email: 'admin@renewal.test' }
  return new CertificateRenewal({
    ...given,
    directoryUrl: acme.directoryUrl,
    config: { ...config, publicUrl: `https://${publicHost}` },
  })
}
const stateOf = async (host = HOST) =>
  (await listCertificateStates(database.db, 100)).find((state) => state.host === host)

test('a certificate for the host, with its key sealed, and due 30 days before its end', async () => {
  expect(await renewal().run()).toBe(true)
  const [stored] = await findCertificatesSince(database.db, new Date(0))
  const leaf = new X509Certificate(stored?.chain ?? '')
  expect(leaf.checkHost(HOST)).toBe(HOST)
  expect(String(stored?.sealedKey)).not.toContain('PRIVATE KEY')
  expect(() => keys.unseal('host other.test', stored?.sealedKey as Buffer)).toThrow()
  const state = await stateOf()
  expect(state).toMatchObject({ failures: 0, reason: null, validUntil: leaf.validToDate })
  expect(state?.dueAt).toEqual(new Date(leaf.validToDate.getTime() - 30 * DAY_MS))
  expect(acme.listContacts()).toEqual(['mailto:admin@renewal.test'])
  expect(await database.db.query('select token from acme_challenge')).toEqual([])
})

test('one certificate when several processes run at once, and one account', async () => {
  await Promise.all([renewal().run(), renewal().run(), renewal().run()])
  expect(acme.issued).toEqual([HOST])
  expect(acme.countAccounts()).toBe(1)
  expect(await renewal().run()).toBe(false)
})

test('renewed when due, and processes that run use the new certificate', async () => {
  await renewal().run()
  const contexts = hostContexts()
  await contexts.refresh()
  const before = contexts.contextOf(HOST)
  expect(before).not.toBeNull()
  nowMs += 61 * DAY_MS
  await renewal().run()
  expect(acme.issued).toEqual([HOST, HOST])
  await contexts.refresh()
  expect(contexts.contextOf(HOST.toUpperCase())).not.toBe(before)
})

test('processes use new certificates after one of a process whose clock is ahead', async () => {
  const contexts = hostContexts()
  nowMs += DAY_MS
  await renewal().run()
  nowMs -= DAY_MS
  await contexts.refresh()
  await renewal('links.renewal.test').run()
  await contexts.refresh()
  expect(contexts.contextOf(HOST)).not.toBeNull()
  expect(contexts.contextOf('links.renewal.test')).not.toBeNull()
})

test('a failed attempt gives the reason, keeps the certificate, and waits longer each time', async () => {
  await renewal().run()
  nowMs += 61 * DAY_MS
  const refused = await listenHere(createServer((_request, response) => response.end('another server')))
  acme.challengePort = refused.port
  await renewal().run()
  const state = await stateOf()
  expect(state?.failures).toBe(1)
  expect(state?.reason).toMatch(/^http-01: .*another server/)
  expect(state?.validUntil).not.toBeNull()
  expect(state?.dueAt).toEqual(new Date(nowMs + 5 * 60_000))
  expect(await renewal().run()).toBe(false)
  nowMs += 6 * 60_000
  await renewal().run()
  expect(await stateOf()).toMatchObject({ failures: 2, dueAt: new Date(nowMs + 15 * 60_000) })
  await refused.close()
})

test('a certificate by TLS-ALPN-01, after HTTP-01 failed', async () => {
  acme.challengePort = 1
  const both = renewal(HOST, ['http-01', 'tls-alpn-01'])
  await both.run()
  expect(await stateOf()).toMatchObject({ failures: 1, reason: expect.stringMatching(/^http-01: /) })
  nowMs += 6 * 60_000
  await both.run()
  expect(await stateOf()).toMatchObject({ failures: 0, reason: null })
  expect(acme.proven).toEqual([`tls-alpn-01 ${HOST}`])
  expect(await database.db.query('select token from acme_challenge')).toEqual([])
})

test('a renewal begins with the challenge that worked last time, and tries the other one after a failure', async () => {
  acme.challengePort = 1
  const both = renewal(HOST, ['http-01', 'tls-alpn-01'])
  await both.run()
  nowMs += 6 * 60_000
  await both.run()
  nowMs += 61 * DAY_MS
  await both.run()
  expect(await stateOf()).toMatchObject({ failures: 0, reason: null })
  expect(acme.proven).toEqual([`tls-alpn-01 ${HOST}`, `tls-alpn-01 ${HOST}`])
  nowMs += 61 * DAY_MS
  acme.tlsPort = 1
  await both.run()
  expect((await stateOf())?.reason).toMatch(/^tls-alpn-01: /)
  acme.challengePort = answers.port
  nowMs += 6 * 60_000
  await both.run()
  expect(acme.proven.at(-1)).toBe(`http-01 ${HOST}`)
})

test('no attempt before the end of a rate limit of the certificate authority', async () => {
  acme.waitSeconds = 86_400
  await renewal().run()
  const state = await stateOf()
  expect(state?.reason).toBe('http-01: Too many orders.')
  expect(state?.dueAt).toEqual(new Date(nowMs + DAY_MS))
})

test('a host that is no longer served is not renewed, and its certificate is deleted after its end', async () => {
  await renewal().run()
  await renewal('other.renewal.test').run()
  expect(await stateOf(HOST)).toBeUndefined()
  const hosts = async () => (await database.db.query('select host from tls_certificate order by host')).length
  expect(await hosts()).toBe(2)
  nowMs += 91 * DAY_MS
  await renewal('other.renewal.test').run()
  expect(await hosts()).toBe(1)
})

test('a host that is served again keeps its certificate until its renewal is due', async () => {
  await renewal().run()
  const before = await stateOf()
  await renewal('other.renewal.test').run()
  expect(await renewal().run()).toBe(false)
  expect(acme.issued).toEqual([HOST, 'other.renewal.test'])
  const apartMs = Number((await stateOf())?.dueAt) - Number(before?.dueAt)
  expect(Math.abs(apartMs)).toBeLessThan(DAY_MS)
  nowMs += 61 * DAY_MS
  await renewal().run()
  expect(acme.issued).toEqual([HOST, 'other.renewal.test', HOST])
})

test('no order for names that no certificate authority accepts', async () => {
  expect(await renewal('localhost').run()).toBe(false)
  expect(await renewal('192.0.2.1').run()).toBe(false)
  expect(acme.issued).toEqual([])
})
