import { createHash, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthority } from '../support/certificates.ts'
import type { MxTls } from '../support/mx-script.ts'
import { type SecureDns, startSecureDns } from '../support/secure-dns.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const MX = 'mx.receiver.test'

let service: TestSendwright
let resolver: SecureDns
let ann: Sender
let keys: MxTls
/** The certificates of the server and its authority, which no machine trusts. */
let leaf: X509Certificate
let issuer: X509Certificate

beforeAll(async () => {
  const authority = await createAuthority()
  keys = await authority.issue([MX])
  leaf = new X509Certificate(keys.cert)
  issuer = new X509Certificate(authority.cert)
  resolver = await startSecureDns({})
  service = await startTestSendwright({
    mx: { tls: keys },
    environment: { SENDWRIGHT_DNSSEC_RESOLVER: resolver.server, SENDWRIGHT_RETRY_SCHEDULE: '1h' },
  })
  ann = await service.givenSender()
})

afterAll(async () => {
  await service.stop()
  await resolver.close()
})

type Tlsa = [usage: number, selector: number, matchingType: number, certificate: Buffer]

let counter = 0

/** Creates a signed domain with one separate mail host that has these TLSA records. */
function givenDomain(records: readonly Tlsa[] | 'bogus' | 'insecure', host = `h${++counter}.receiver.test`) {
  const name = `signed${++counter}.test`
  service.dns.set({ [name]: { mx: [[10, host]] }, [host]: { a: ['127.0.0.1'] } })
  const tlsa = Array.isArray(records)
    ? {
        records: records.map(([usage, selector, matchingType, certificate]) => ({
          usage,
          selector,
          matchingType,
          certificate,
        })),
      }
    : { records: [] }
  resolver.set({
    [`${name} MX`]: { records: [{ exchange: host, preference: 10 }] },
    [`${host} A`]: { records: ['127.0.0.1'] },
    [`_${service.config.mxPort}._tcp.${host} TLSA`]:
      records === 'bogus' ? 'bogus' : { ...tlsa, secure: records !== 'insecure' },
  })
  return name
}

async function send(domain: string) {
  const id = await ann.send({ to: `bob@${domain}` })
  const email = await ann.seen(id, (seen) => (seen.recipients?.[0]?.attempts ?? 0) > 0)
  const { json } = await ann.get(`/emails/${id}/attempts`)
  return { ...email.recipients[0], tls: json.data[0].tls }
}

const spki = (certificate: X509Certificate) => certificate.publicKey.export({ type: 'spki', format: 'der' })
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
const sha512 = (bytes: Buffer) => createHash('sha512').update(bytes).digest()
const nothing = Buffer.alloc(32)

describe('delivered by DANE', () => {
  test.each<[string, () => Tlsa[]]>([
    ['3 1 1', () => [[3, 1, 1, sha256(spki(leaf))]]],
    ['3 0 1', () => [[3, 0, 1, sha256(leaf.raw)]]],
    ['3 1 2', () => [[3, 1, 2, sha512(spki(leaf))]]],
    ['3 0 0', () => [[3, 0, 0, leaf.raw]]],
    [
      '3 1 1 of the next key beside the present one',
      () => [
        [3, 1, 1, nothing],
        [3, 1, 1, sha256(spki(leaf))],
      ],
    ],
  ])('delivered when %s matches the certificate, whatever its name', async (_record, records) => {
    expect(await send(givenDomain(records()))).toMatchObject({
      status: 'delivered',
      tls: expect.stringMatching(/^TLSv1\.3 \w+ dane$/),
    })
  })

  test.each<[string, () => Tlsa[]]>([
    ['2 0 1', () => [[2, 0, 1, sha256(issuer.raw)]]],
    ['2 1 1', () => [[2, 1, 1, sha256(spki(issuer))]]],
  ])(
    'delivered when %s matches the authority and the certificate is valid for the host',
    async (_record, records) => {
      expect(await send(givenDomain(records(), MX))).toMatchObject({
        status: 'delivered',
        tls: expect.stringMatching(/ dane$/),
      })
    },
  )

  test.each<[string, () => Tlsa[] | 'insecure']>([
    ['no record', () => []],
    ['a record that is not signed', () => 'insecure'],
    ['a record that SMTP cannot use', () => [[1, 1, 1, nothing]]],
  ])('delivered with any certificate under %s', async (_what, records) => {
    expect(await send(givenDomain(records()))).toMatchObject({
      status: 'delivered',
      tls: expect.stringMatching(/ unverified \(/),
    })
  })
})

describe('deferred by DANE', () => {
  test('delivery_delayed instead of using the connection to the host of another signed domain', async () => {
    const stranger = givenDomain([[3, 1, 1, sha256(spki(leaf))]], 'theirs.receiver.test')
    const domain = givenDomain([[3, 1, 1, nothing]], 'ours.receiver.test')
    // The unsigned answer is forged: another host, which has a valid certificate.
    service.dns.set({ [domain]: { mx: [[10, 'theirs.receiver.test']] } })
    expect(await send(stranger)).toMatchObject({ status: 'delivered' })
    expect(await send(domain)).toMatchObject({
      status: 'delivery_delayed',
      category: 'dane_failed',
      response: expect.stringContaining('not among the validated mail hosts'),
    })
  })

  test.each<[string, () => Tlsa[] | 'bogus', string]>([
    ['names another key', () => [[3, 1, 1, nothing]], 'no TLSA record matches'],
    [
      'names an authority, but the certificate another host',
      () => [[2, 0, 1, sha256(issuer.raw)]],
      'not for',
    ],
    ['names the server as an authority', () => [[2, 0, 1, sha256(leaf.raw)]], 'no TLSA record matches'],
    ['is forged', () => 'bogus', 'could not be validated'],
  ])('delivery_delayed when the record %s, and no message is sent', async (_what, records, said) => {
    const before = service.mx.contents.length
    expect(await send(givenDomain(records()))).toMatchObject({
      status: 'delivery_delayed',
      category: 'dane_failed',
      response: expect.stringContaining(said),
    })
    expect(service.mx.contents).toHaveLength(before)
  })

  test('delivery_delayed when the MX records are forged, or differ from the validated ones', async () => {
    const forged = givenDomain([])
    resolver.set({ [`${forged} MX`]: 'bogus' })
    expect(await send(forged)).toMatchObject({ category: 'dane_failed' })
    const other = givenDomain([])
    resolver.set({ [`${other} MX`]: { records: [{ exchange: 'elsewhere.test', preference: 1 }] } })
    expect(await send(other)).toMatchObject({
      category: 'dane_failed',
      response: expect.stringContaining('not among the validated mail hosts'),
    })
  })
})

test('delivered without DANE when the domain is not signed', async () => {
  const domain = givenDomain([[3, 1, 1, nothing]])
  resolver.set({
    [`${domain} MX`]: { records: [{ exchange: 'h1.receiver.test', preference: 1 }], secure: false },
  })
  expect(await send(domain)).toMatchObject({
    status: 'delivered',
    tls: expect.stringMatching(/ unverified \(/),
  })
})
