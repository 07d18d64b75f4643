import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { startDns, type TestDns } from '../../../test/support/dns.ts'
import { listenHere } from '../../../test/support/listen-here.ts'
import { startMx, type TestMx } from '../../../test/support/mx.ts'
import { readConfig } from '../../config/config.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createAskDns } from './ask-dns.ts'
import { checkBlockLists } from './check-block-lists.ts'
import { checkClock } from './check-clock.ts'
import { checkCertificate } from './check-machine.ts'
import { checkBounceHost, checkHostname, checkReverse } from './check-names.ts'
import { checkPortIn, checkPortOut } from './check-port.ts'
import { examine } from './examine.ts'
import { examineSending } from './examine-server.ts'

const NTP_EPOCH_SECONDS = 2_208_988_800

let dns: TestDns
let mx: TestMx
let database: TestDatabase
const directory = mkdtempSync(join(tmpdir(), 'doctor '))
beforeAll(async () => {
  dns = await startDns({
    'mail.good.test': { a: ['192.0.2.10'], mx: [[10, 'mail.good.test']] },
    '10.2.0.192.in-addr.arpa': { ptr: ['mail.good.test'] },
    '11.2.0.192.in-addr.arpa': { ptr: ['other.good.test'] },
    'other.good.test': { a: ['192.0.2.11'] },
    '12.2.0.192.in-addr.arpa': { ptr: ['liar.test'] },
    'liar.test': { a: ['192.0.2.99'] },
    'mail.nomx.test': { a: ['192.0.2.10'] },
    'broken.test': { fail: 'servfail' },
    'half.test': { fail: 'servfail', failOf: 'A' },
    'half6.test': { a: ['192.0.2.10'], fail: 'servfail', failOf: 'AAAA' },
    '14.2.0.192.in-addr.arpa': { ptr: ['half.test'] },
    'lost.test': { mx: [[10, 'broken.test']] },
    '14.2.0.192.zen.spamhaus.org': { fail: 'servfail', failOf: 'A' },
    'provider.test': { mx: [[5, 'mx.provider.test']] },
    'mx.provider.test': { a: ['127.0.0.1'] },
    '10.2.0.192.zen.spamhaus.org': { a: ['127.0.0.4'] },
    '10.2.0.192.bl.spamcop.net': { a: ['127.255.255.254'] },
  })
  mx = await startMx()
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  await mx.close()
  await dns.close()
  rmSync(directory, { recursive: true })
})
const dnsLookups = () => createAskDns([dns.server])

/** Starts a time server whose clock is off by `offsetMs`. `spoil` changes its answers. */
async function startTimeServer(
  offsetMs: number,
  spoil: (answer: Buffer) => void = () => {},
): Promise<{ server: string; socket: Socket }> {
  const socket = createSocket('udp4')
  socket.on('message', (_question, { port, address }) => {
    const answer = Buffer.alloc(48)
    answer[1] = 2
    const seconds = (Date.now() + offsetMs) / 1000 + NTP_EPOCH_SECONDS
    for (const at of [32, 40]) {
      answer.writeUInt32BE(Math.floor(seconds), at)
      answer.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4)
    }
    spoil(answer)
    socket.send(answer, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${(socket.address() as AddressInfo).port}`, socket }
}

describe('names', () => {
  test.each([
    ['ok', 'mail.good.test', 'It resolves to 192.0.2.10.'],
    ['problem', 'localhost', 'It is not a public DNS name.'],
    ['problem', 'nowhere.test', 'It has no A or AAAA record.'],
    ['warning', 'broken.test', 'The DNS look-up failed.'],
    ['warning', 'half.test', 'The DNS look-up failed.'],
    ['ok', 'half6.test', 'It resolves to 192.0.2.10.'],
  ])('%s for the host name %s', async (level, name, found) => {
    expect(await checkHostname(dnsLookups(), name)).toMatchObject({ level, found })
  })

  test.each([
    ['ok', '192.0.2.10', 'It is mail.good.test, which resolves back.'],
    ['warning', '192.0.2.11', 'It is other.good.test, but mail from this address uses EHLO mail.good.test.'],
    ['problem', '192.0.2.12', 'It is liar.test, which does not resolve back to 192.0.2.12.'],
    ['problem', '192.0.2.13', 'It has no PTR record.'],
    ['warning', '192.0.2.14', 'The DNS look-up failed.'],
  ])('%s for the reverse DNS of %s', async (level, address, found) => {
    const finding = await checkReverse(dnsLookups(), { address, ehloName: 'mail.good.test' })
    expect(finding).toMatchObject({ level, found })
    expect(finding.advice === null).toBe(level === 'ok')
  })

  test.each([
    ['ok', 'mail.good.test'],
    ['note', 'mail.nomx.test'],
    ['problem', 'nowhere.test'],
    ['warning', 'half.test'],
  ])('%s for bounces to %s', async (level, name) => {
    expect((await checkBounceHost(dnsLookups(), name)).level).toBe(level)
  })
})

test('problem for a listed address, note for a list that does not answer, ok otherwise', async () => {
  const findings = await checkBlockLists(dnsLookups(), '192.0.2.10')
  expect(findings.map(({ level }) => level)).toEqual(['problem', 'ok', 'note', 'ok'])
  expect(findings[0]?.found).toBe('It is listed (127.0.0.4).')
})

test('note for a list whose look-up failed for one of the two types', async () => {
  const [finding] = await checkBlockLists(dnsLookups(), '192.0.2.14')
  expect(finding).toMatchObject({ level: 'note', found: 'The look-up of the list failed.' })
})

test('ok for an IPv6 address, looked up by its nibbles', async () => {
  await checkBlockLists(dnsLookups(), '2001:db8::1')
  const name = `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.zen.spamhaus.org`
  expect(dns.count(name, 'A')).toBe(1)
})

describe('port', () => {
  test('ok with the greeting of the MX host', async () => {
    const finding = await checkPortOut(dnsLookups(), { domain: 'provider.test', port: mx.port })
    expect(finding.level).toBe('ok')
    expect(finding.found).toMatch(/^mx\.provider\.test answers: 220 /)
  })

  test('problem when the connection is refused', async () => {
    const finding = await checkPortOut(dnsLookups(), { domain: 'provider.test', port: 1 })
    expect(finding).toMatchObject({
      level: 'problem',
      found: 'No connection to mx.provider.test [127.0.0.1]: ECONNREFUSED.',
    })
  })
})

test.each(['broken.test', 'lost.test'])(
  'warning for the ports when the look-up of %s failed',
  async (name) => {
    const failed = { level: 'warning', found: 'The DNS look-up failed.' }
    expect(await checkPortOut(dnsLookups(), { domain: name, port: mx.port })).toMatchObject(failed)
    const guard = createGuard({ allowPrivate: true })
    expect(await checkPortIn(dnsLookups(), { hostname: name, port: mx.port, guard })).toMatchObject(failed)
  },
)

test('warning for the sending addresses when the look-up of their name failed', async () => {
  const config = readConfig({ SENDWRIGHT_HOSTNAME: 'broken.test', SENDWRIGHT_DATA_DIR: directory })
  const options = { probeDomain: 'broken.test', asksBlockLists: false }
  const { value } = await examineSending({ config, addresses: [] }, options, dnsLookups()).next()
  expect(value).toMatchObject({
    step: 'reverse_dns',
    finding: { level: 'warning', check: 'addresses of broken.test', found: 'The DNS look-up failed.' },
  })
})

describe('port for bounces', () => {
  const guard = createGuard({ allowPrivate: true })
  const look = (hostname: string, port: number, given = guard) =>
    checkPortIn(dnsLookups(), { hostname, port, guard: given })

  test('ok when the MX answers as a listener of Sendwright', async () => {
    const greeting = '220 mail.good.test ESMTP Sendwright\r\n'
    const { port, close } = await listenHere(createServer((socket) => socket.resume().end(greeting)))
    expect(await look('provider.test', port)).toMatchObject({
      level: 'ok',
      found: 'mx.provider.test answers: 220 mail.good.test ESMTP Sendwright',
    })
    await close()
  })

  test('warning for another server, for none, without an address, and for a private one', async () => {
    expect((await look('provider.test', mx.port)).found).toMatch(
      /^Another server answers at mx\.provider\.test: 220 /,
    )
    expect((await look('provider.test', 1)).found).toContain('Bounces and complaints do not arrive.')
    expect((await look('nowhere.test', mx.port)).advice).toContain('Publish: nowhere.test. A ')
    const before = mx.connectionCount
    const closed = await look('provider.test', mx.port, createGuard({ allowPrivate: false }))
    expect(closed.found).toBe('mx.provider.test resolves to 127.0.0.1, a loopback address.')
    expect(mx.connectionCount).toBe(before)
  })
})

test.each([
  ['ok', 0],
  ['warning', 20_000],
  ['problem', -3_600_000],
])('%s when the clock is off by %i ms', async (level, offsetMs) => {
  const { server, socket } = await startTimeServer(offsetMs)
  expect((await checkClock(server)).level).toBe(level)
  socket.close()
})

test('ok when the look-up of the time server takes long, which does not count as an offset', async () => {
  const { server, socket } = await startTimeServer(0)
  const findAfterHold = async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    return '127.0.0.1'
  }
  const finding = await checkClock(server.replace('127.0.0.1', 'time.test'), findAfterHold)
  socket.close()
  expect(finding.level).toBe('ok')
})

test.each<[string, (answer: Buffer) => void]>([
  ['refuses to answer', (answer) => answer.fill(0, 1, 2)],
  ['has no time yet', (answer) => answer.fill(0, 40, 48)],
  ['says that its clock is not synchronized', (answer) => answer.fill(16, 1, 2)],
])('note for a time server that %s', async (_name, spoil) => {
  const { server, socket } = await startTimeServer(-3_600_000, spoil)
  const finding = await checkClock(server)
  socket.close()
  expect(finding).toMatchObject({
    level: 'note',
    found: `${server} did not return the time: its own clock is not set, or it refuses to answer.`,
  })
})

test('note for a time server with an impossible port', async () => {
  expect(await checkClock('127.0.0.1:99999')).toMatchObject({ level: 'note' })
})

test('note for a time server whose name does not exist', async () => {
  const find = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  expect(await checkClock('time.test', find)).toMatchObject({
    level: 'note',
    found: 'time.test did not return the time: ENOTFOUND.',
    advice: 'Check the network and the name servers of this machine.',
  })
})

test('ok for a valid certificate, warning for another name or an expiry soon, problem when it is expired or has another key', async () => {
  const one = await generate([{ name: 'commonName', value: 'mail.good.test' }], {
    notBeforeDate: new Date('2026-01-01'),
    notAfterDate: new Date('2026-12-31'),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'mail.good.test' }] }],
  })
  const other = await generate([{ name: 'commonName', value: 'x.test' }], {})
  const [certFile, keyFile, otherKey] = ['cert.pem', 'key.pem', 'other.pem'].map((name) =>
    join(directory, name),
  ) as [string, string, string]
  writeFileSync(certFile, one.cert)
  writeFileSync(keyFile, one.private)
  writeFileSync(otherKey, other.private)
  const files = { certFile, keyFile }
  const levelOf = async (given: typeof files, name: string, at: string) =>
    (await checkCertificate(given, name, new Date(at))).level
  expect(await levelOf(files, 'mail.good.test', '2026-06-01')).toBe('ok')
  expect(await levelOf(files, 'mail.good.test', '2026-12-25')).toBe('warning')
  expect(await levelOf(files, 'mail.good.test', '2027-01-01')).toBe('problem')
  expect(await levelOf(files, 'mail.other.test', '2026-06-01')).toBe('warning')
  expect(await levelOf({ certFile, keyFile: otherKey }, 'mail.good.test', '2026-06-01')).toBe('problem')
  expect(await levelOf({ certFile: join(directory, 'none'), keyFile }, 'mail.good.test', '2026-06-01')).toBe(
    'problem',
  )
})

test('a finding for every check, with the configuration of the machine', async () => {
  const { server, socket } = await startTimeServer(0)
  const config = readConfig({
    SENDWRIGHT_DELIVERY: 'direct',
    SENDWRIGHT_HOSTNAME: 'mail.good.test',
    SENDWRIGHT_DNS_SERVERS: dns.server,
    SENDWRIGHT_MX_PORT: `${mx.port}`,
    SENDWRIGHT_DATA_DIR: directory,
  })
  const findings = []
  // NAT replaces it by the address of its name.
  const addresses = [{ address: '10.0.0.5', ehloName: 'mail.good.test' }]
  const deps = { config, clock: systemClock, db: database.db, addresses }
  const options = { probeDomain: 'provider.test', ntpServer: server, asksBlockLists: true }
  for await (const finding of examine(deps, options)) findings.push(finding)
  socket.close()
  expect(findings.map(({ check, level }) => `${level} ${check}`)).toEqual([
    expect.stringMatching(/ disk of /),
    // The PostgreSQL of the tests runs without fsync for speed, which the doctor must detect.
    'problem database',
    "ok clock against the database's",
    'note domains',
    `ok clock against ${server}`,
    'problem PUBLIC_URL http://127.0.0.1:8080',
    'ok name mail.good.test',
    'ok bounces to mail.good.test',
    `warning port ${mx.port} of mail.good.test`,
    'ok reverse DNS of 192.0.2.10',
    'problem zen.spamhaus.org on 192.0.2.10',
    'ok b.barracudacentral.org on 192.0.2.10',
    'note bl.spamcop.net on 192.0.2.10',
    'ok psbl.surriel.com on 192.0.2.10',
    'warning SPF of mail.good.test',
    `ok port ${mx.port} to provider.test`,
    'note first delivered email',
  ])
  const spf = findings.find(({ check }) => check === 'SPF of mail.good.test')
  expect(spf?.advice).toBe('Publish: mail.good.test. TXT "v=spf1 ip4:192.0.2.10 -all"')
  const ptr = await checkReverse(dnsLookups(), { address: '192.0.2.13', ehloName: 'mail.good.test' })
  expect(ptr.advice).toContain('Ask the provider')
})
