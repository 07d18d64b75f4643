import { randomBytes } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthority } from '../support/certificates.ts'
import { startMx, type TestMx } from '../support/mx.ts'
import type { MxOptions, MxTls } from '../support/mx-script.ts'
import { type PolicyHost, policyText, startPolicyHost } from '../support/policy-host.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { idOf, logIn, submitRaw } from '../support/submission.ts'

/** Servers by name, with their options. */
const GOOD = 'good.hosts.test'
const SERVERS: Record<string, (keys: Keys) => MxOptions> = {
  [GOOD]: ({ good }) => ({ tls: good }),
  'foreign.hosts.test': ({ foreign }) => ({ tls: foreign }),
  'own.hosts.test': ({ selfMade }) => ({ tls: selfMade }),
  'expired.hosts.test': ({ expired }) => ({ tls: expired }),
  'plain.hosts.test': () => ({}),
  'broken.hosts.test': ({ good }) => ({
    tls: good,
    script: [{ expect: 'STARTTLS', answer: '220 go', ending: 'close' }],
  }),
  'promising.hosts.test': ({ good }) => ({ tls: good, capabilities: ['PIPELINING', 'REQUIRETLS'] }),
}

type Keys = Record<'good' | 'foreign' | 'selfMade' | 'expired', MxTls>

let keys: Keys
let host: PolicyHost
let service: TestSendwright
let ann: Sender
const servers = new Map<string, TestMx>()
const ordinaryCas = getCACertificates('default')

beforeAll(async () => {
  const authority = await createAuthority()
  const hosts = Object.keys(SERVERS)
  const policyHosts = Array.from({ length: 40 }, (_, i) => `mta-sts.d${i}.test`)
  keys = {
    good: await authority.issue([...hosts, ...policyHosts]),
    foreign: await authority.issue(['mx.elsewhere.test']),
    selfMade: await authority.issue(hosts, { signedBy: 'itself' }),
    expired: await authority.issue(hosts, { notAfter: new Date(Date.now() - 1000) }),
  }
  setDefaultCACertificates([...ordinaryCas, authority.cert])
  host = await startPolicyHost(keys.good)
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: {
      SENDWRIGHT_SUBMISSIONS_PORT: '0',
      SENDWRIGHT_MTA_STS_PORT: String(host.port),
      SENDWRIGHT_RETRY_SCHEDULE: '1h',
    },
  })
  for (const [at, [name, options]] of Object.entries(SERVERS).entries()) {
    const address = `127.0.0.${at + 10}`
    service.dns.set({ [name]: { a: [address] } })
    servers.set(name, await startMx({ ...options(keys), address, port: service.mx.port }))
  }
  ann = await service.givenSender()
})

afterAll(async () => {
  setDefaultCACertificates(ordinaryCas)
  await service.stop()
  await host.close()
  for (const server of servers.values()) await server.close()
})

let counter = 0

/** Creates a domain with a policy and these mail hosts. */
function givenDomain(policy: string, mx: readonly string[] = [GOOD]): string {
  const name = `d${++counter}.test`
  service.dns.set({
    [name]: { mx: mx.map((server, at) => [at, server]) },
    [`_mta-sts.${name}`]: { txt: ['v=STSv1; id=one'], ttlSeconds: 0 },
    [`mta-sts.${name}`]: { a: ['127.0.0.1'] },
  })
  host.answers.set(`mta-sts.${name}`, { body: policy })
  return name
}

async function tlsOf(id: string): Promise<unknown> {
  const { json } = await ann.get(`/emails/${id}/attempts`)
  return json.data[0].tls
}

const countFetches = (domain: string) => host.asked.filter((name) => name === `mta-sts.${domain}`).length

const isTried = (email: { recipients?: { attempts: number }[] }) =>
  email.recipients?.every(({ attempts }) => attempts > 0) ?? false

describe('with an MTA-STS policy', () => {
  test('delivered when the policy is satisfied, which the attempt shows', async () => {
    const domain = givenDomain(policyText('enforce', [GOOD]))
    const id = await ann.send({ to: `bob@${domain}` })
    expect((await ann.settled(id)).recipients[0].status).toBe('delivered')
    expect(await tlsOf(id)).toMatch(/^TLSv1\.3 \w+ mta-sts$/)
    expect(countFetches(domain)).toBe(1)
  })

  test.each([
    ['foreign.hosts.test', 'the certificate is not valid for foreign.hosts.test'],
    ['own.hosts.test', 'the certificate is not valid for own.hosts.test'],
    ['expired.hosts.test', 'CERT_HAS_EXPIRED'],
    ['plain.hosts.test', 'does not offer STARTTLS'],
    ['broken.hosts.test', 'TLS'],
  ])('delivery_delayed at %s, which receives no message: %s', async (mx, said) => {
    const domain = givenDomain(policyText('enforce', ['*.hosts.test']), [mx])
    const email = await ann.seen(await ann.send({ to: `bob@${domain}` }), isTried)
    expect(email.recipients[0]).toMatchObject({
      status: 'delivery_delayed',
      category: 'mta_sts_failed',
      enhanced_code: '4.7.5',
      response: expect.stringContaining(said),
    })
    expect(servers.get(mx)?.commands.some(({ line }) => /^(MAIL|RCPT|DATA)/.test(line))).toBe(false)
  })

  test('delivery_delayed without a connection when the policy lists no MX', async () => {
    const domain = givenDomain(policyText('enforce', ['*.elsewhere.test', 'hosts.test']))
    const before = servers.get(GOOD)?.connectionCount
    const email = await ann.seen(await ann.send({ to: `bob@${domain}` }), isTried)
    expect(email.recipients[0]).toMatchObject({ status: 'delivery_delayed', category: 'mta_sts_failed' })
    expect(servers.get(GOOD)?.connectionCount).toBe(before)
  })

  test('delivered to the next MX that satisfies it', async () => {
    const domain = givenDomain(policyText('enforce', [GOOD, 'own.hosts.test']), [
      'plain.hosts.test',
      'own.hosts.test',
      GOOD,
    ])
    const email = await ann.settled(await ann.send({ to: `bob@${domain}` }))
    expect(email.recipients[0]).toMatchObject({ status: 'delivered', mx_host: GOOD })
  })

  test.each([
    ['own.hosts.test', /^TLSv1\.3 \w+ unverified \(certificate-not-trusted\)$/],
    ['foreign.hosts.test', /^TLSv1\.3 \w+ unverified \(certificate-host-mismatch\)$/],
    ['plain.hosts.test', /^none \(STARTTLS is not offered\)$/],
    ['broken.hosts.test', /^none \(the TLS handshake failed\)$/],
    [GOOD, /^TLSv1\.3 \w+ verified$/],
  ])('delivered at %s in mode testing, with the result recorded', async (mx, told) => {
    const domain = givenDomain(policyText('testing', [mx]), [mx])
    const id = await ann.send({ to: `bob@${domain}` })
    expect((await ann.settled(id)).recipients[0].status).toBe('delivered')
    expect(await tlsOf(id)).toMatch(told)
  })

  test('delivered over a new connection, not one opened for a domain without a policy', async () => {
    const lax = service.givenDestination({ mx: [[10, GOOD]] })
    const strict = givenDomain(policyText('enforce', ['*.hosts.test', 'only.here.test']))
    const ids = []
    for (const domain of [lax, strict, strict, lax]) {
      ids.push(await ann.send({ to: `bob@${domain}`, subject: domain }))
      await ann.settled(ids.at(-1) as string)
    }
    const sent =
      servers
        .get(GOOD)
        ?.messages.slice(-4)
        .map(({ connection }) => connection) ?? []
    expect([sent[1] === sent[2], sent[0] === sent[1]]).toEqual([true, false])
    expect(await Promise.all(ids.map(tlsOf))).toEqual(
      ['verified', 'mta-sts', 'mta-sts', 'verified'].map((word) => expect.stringMatching(` ${word}$`)),
    )
  })

  test("delivered without TLS for TLS-Required: No, but not when the sender's domain enforces TLS", async () => {
    const domain = givenDomain(policyText('enforce', ['plain.hosts.test', 'waived.here.test']), [
      'plain.hosts.test',
    ])
    const fields = { to: `bob@${domain}`, headers: { 'TLS-Required': 'No' } }
    expect((await ann.settled(await ann.send(fields))).recipients[0].status).toBe('delivered')
    const strict = await service.givenSender()
    await strict.patch(`/domains/${strict.domainId}`, { tls: 'enforced' })
    const email = await strict.seen(await strict.send(fields), isTried)
    expect(email.recipients[0].status).toBe('delivery_delayed')
  })

  test('delivered without TLS for TLS-Required: No in a large message, without loading it', async () => {
    const domain = givenDomain(policyText('enforce', ['plain.hosts.test', 'waived.here.test']), [
      'plain.hosts.test',
    ])
    const content = randomBytes(400_000).toString('base64')
    const headers = { 'TLS-Required': 'No' }
    for (const fields of [
      { text: 'It works. '.repeat(100_000) },
      { attachments: [{ filename: 'a', content }] },
    ]) {
      const email = await ann.settled(await ann.send({ to: `bob@${domain}`, headers, ...fields }))
      expect(email.recipients[0].status).toBe('delivered')
    }
  })

  test('bounced with 5.7.30 when the message requires TLS end to end and the server does not support REQUIRETLS', async () => {
    const domain = givenDomain(policyText('testing', [GOOD]))
    const headers = { 'X-Sendwright-Require-TLS': 'yes' }
    const email = await ann.settled(await ann.send({ to: `bob@${domain}`, headers }))
    expect(email.recipients[0]).toMatchObject({
      status: 'bounced',
      category: 'requiretls_unsupported',
      enhanced_code: '5.7.30',
    })
    const unproven = service.givenDestination({ mx: [[10, GOOD]] })
    const other = await ann.settled(await ann.send({ to: `bob@${unproven}`, headers }))
    expect(other.recipients[0].response).toContain('neither DNSSEC nor MTA-STS proves')
  })

  test('sent with REQUIRETLS when the server offers it with verified TLS', async () => {
    const domain = givenDomain(policyText('testing', ['promising.hosts.test']), ['promising.hosts.test'])
    const headers = { 'X-Sendwright-Require-TLS': 'yes' }
    const email = await ann.settled(await ann.send({ to: `bob@${domain}`, headers }))
    expect(email.recipients[0].status).toBe('delivered')
    expect(servers.get('promising.hosts.test')?.messages[0]?.mailParameters).toBe('REQUIRETLS')
  })

  test('sent with REQUIRETLS, and without the field that requests it, for every kind of submission', async () => {
    const domain = givenDomain(policyText('testing', ['promising.hosts.test']), ['promising.hosts.test'])
    const to = `bob@${domain}`
    const field = 'X-Sendwright-Require-TLS: yes'
    const raw = `From: ann@${ann.domain}\r\nTo: ${to}\r\n${field}\r\nX-Order: 1\r\n\r\nHello`
    const envelope = { envelope_from: `ann@${ann.domain}`, envelope_to: to, raw_message: raw }
    const client = await logIn(service.submissionsPort, ann.token)
    const ids = [
      await ann.send({ to, headers: { 'X-Sendwright-Require-TLS': 'yes', 'X-Order': '1' } }),
      (await ann.post('/emails/mime', envelope)).json.id,
      idOf(await submitRaw(client, raw, { to: [to] })),
    ]
    client.close()
    for (const id of ids) {
      expect((await ann.settled(id)).recipients[0].status).toBe('delivered')
      expect((await ann.get(`/emails/${id}/raw`)).text).not.toMatch(/x-sendwright/i)
    }
    const copies = servers.get('promising.hosts.test')?.messages.filter((copy) => copy.to.includes(to)) ?? []
    expect(copies.map(({ mailParameters }) => mailParameters)).toEqual(Array(3).fill('REQUIRETLS'))
    for (const { raw: copy } of copies) {
      expect(copy.toString()).toContain('\r\nX-Order: 1\r\n')
      expect(copy.toString()).not.toMatch(/x-sendwright/i)
    }
    const unclear = { to, headers: { 'X-Sendwright-Require-TLS': 'please' } }
    expect((await ann.post('/emails', ann.email(unclear))).status).toBe(422)
  })
})

describe('with an unavailable policy', () => {
  test.each([
    ['404', { status: 404, body: '' }],
    ['a redirect', { status: 302, body: '', location: 'https://mta-sts.d1.test/.well-known/mta-sts.txt' }],
    ['another type', { type: 'text/html', body: policyText('enforce', ['mx.elsewhere.test']) }],
    ['nonsense', { body: 'mode: enforce\r\n' }],
    ['too much', { body: `${policyText('enforce', ['mx.elsewhere.test'])}${'mx: a.b\r\n'.repeat(10_000)}` }],
  ])('delivered as without a policy: %s, fetched once', async (_what, answer) => {
    const domain = givenDomain('')
    host.answers.set(`mta-sts.${domain}`, answer)
    await ann.settled(await ann.send({ to: `bob@${domain}` }))
    const second = await ann.settled(await ann.send({ to: `bob@${domain}` }))
    expect(second.recipients[0].status).toBe('delivered')
    expect(countFetches(domain)).toBe(1)
  })

  test('delivered as without a policy when the policy host has an invalid certificate', async () => {
    service.dns.set({
      'unnamed.test': { mx: [[1, GOOD]] },
      '_mta-sts.unnamed.test': { txt: ['v=STSv1; id=one'] },
      'mta-sts.unnamed.test': { a: ['127.0.0.1'] },
    })
    host.answers.set('mta-sts.unnamed.test', { body: policyText('enforce', ['mx.elsewhere.test']) })
    const email = await ann.settled(await ann.send({ to: 'bob@unnamed.test' }))
    expect(email.recipients[0].status).toBe('delivered')
    expect(countFetches('unnamed.test')).toBe(0)
  })
})

describe('with a cached policy', () => {
  /** Restarts the service, so that its memory is empty. */
  async function restart(): Promise<void> {
    await service.restart()
    ann = await service.givenSender()
  }

  test('delivery_delayed while the policy host is down and the record is gone; fetched again for a new id', async () => {
    const policy = policyText('enforce', [GOOD, 'kept.here.test'])
    const [gone, same, other] = [givenDomain(policy), givenDomain(policy), givenDomain(policy)]
    for (const domain of [gone, same, other]) await ann.settled(await ann.send({ to: `bob@${domain}` }))

    service.dns.remove(`_mta-sts.${gone}`)
    host.answers.delete(`mta-sts.${gone}`)
    service.dns.set({ [gone]: { mx: [[1, 'expired.hosts.test']] } })
    host.answers.set(`mta-sts.${same}`, { body: policyText('enforce', ['mx.elsewhere.test']) })
    host.answers.set(`mta-sts.${other}`, { body: policyText('enforce', ['mx.elsewhere.test']) })
    service.dns.set({ [`_mta-sts.${other}`]: { txt: ['v=STSv1; id=two;'] } })
    await restart()

    const refused = await ann.seen(await ann.send({ to: `bob@${gone}` }), isTried)
    expect(refused.recipients[0].category).toBe('mta_sts_failed')
    const delivered = await ann.settled(await ann.send({ to: `bob@${same}` }))
    expect(delivered.recipients[0].status).toBe('delivered')
    const changed = await ann.seen(await ann.send({ to: `bob@${other}` }), isTried)
    expect(changed.recipients[0].category).toBe('mta_sts_failed')
    expect([gone, same, other].map(countFetches)).toEqual([1, 1, 2])
  })
})
