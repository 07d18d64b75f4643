import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import PostalMime from 'postal-mime'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from '../support/certificates.ts'
import { type PolicyHost, policyText, startPolicyHost } from '../support/policy-host.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String({ minLength: 1 })
const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' })
/** The schema of RFC 8460 section 4.4; section 4.3 has the result types. */
const Report = Type.Object(
  {
    'organization-name': Text,
    'date-range': Type.Object(
      { 'start-datetime': Instant, 'end-datetime': Instant },
      { additionalProperties: false },
    ),
    'contact-info': Text,
    'report-id': Text,
    policies: Type.Array(
      Type.Object(
        {
          policy: Type.Object(
            {
              'policy-type': Type.Enum(['tlsa', 'sts', 'no-policy-found']),
              'policy-string': Type.Array(Text),
              'policy-domain': Text,
              'mx-host': Type.Optional(Type.Array(Text)),
            },
            { additionalProperties: false },
          ),
          summary: Type.Object(
            { 'total-successful-session-count': Count, 'total-failure-session-count': Count },
            { additionalProperties: false },
          ),
          'failure-details': Type.Optional(
            Type.Array(
              Type.Object(
                {
                  'result-type': Type.Enum([
                    'starttls-not-supported',
                    'certificate-host-mismatch',
                    'certificate-expired',
                    'certificate-not-trusted',
                    'validation-failure',
                    'tlsa-invalid',
                    'dnssec-invalid',
                    'dane-required',
                    'sts-policy-fetch-error',
                    'sts-policy-invalid',
                    'sts-webpki-invalid',
                  ]),
                  'sending-mta-ip': Type.Optional(Text),
                  'receiving-mx-hostname': Type.Optional(Text),
                  'receiving-mx-helo': Type.Optional(Text),
                  'receiving-ip': Type.Optional(Text),
                  'failed-session-count': Count,
                  'additional-information': Type.Optional(Text),
                  'failure-reason-code': Type.Optional(Text),
                },
                { additionalProperties: false },
              ),
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1 },
    ),
  },
  { additionalProperties: false },
)

let host: PolicyHost
let service: TestSendwright
let ann: Sender
const ordinaryCas = getCACertificates('default')

beforeAll(async () => {
  const authority = await createAuthority()
  const keys = await authority.issue([
    'mx.receiver.test',
    'mta-sts.good.test',
    'mta-sts.bad.test',
    'reports.collector.test',
  ])
  setDefaultCACertificates([...ordinaryCas, authority.cert])
  host = await startPolicyHost(keys)
  service = await startTestSendwright({
    mx: { tls: keys },
    environment: {
      SENDWRIGHT_MTA_STS_PORT: String(host.port),
      SENDWRIGHT_RETRY_SCHEDULE: '1h',
      SENDWRIGHT_TLSRPT_FROM: 'tls-reports@reporter.test',
    },
  })
  ann = await service.givenSender({ domain: 'reporter.test' })
})

afterAll(async () => {
  setDefaultCACertificates(ordinaryCas)
  await service.stop()
  await host.close()
})

function givenDomain(name: string, policy: string, rua: string): void {
  service.dns.set({
    [name]: { mx: [[10, 'mx.receiver.test']] },
    [`_mta-sts.${name}`]: { txt: ['v=STSv1; id=one'] },
    [`mta-sts.${name}`]: { a: ['127.0.0.1'] },
    [`_smtp._tls.${name}`]: { txt: [`v=TLSRPTv1; rua=${rua}`] },
  })
  host.answers.set(`mta-sts.${name}`, { body: policy })
}

/** Writes the counts and moves them to the previous day, so that they are reported. */
async function endDay(): Promise<void> {
  await service.restart()
  await service.db.query('update tls_report set due_at = $1 where due_at is not null', [new Date()])
  await service.restart()
}

function read(compressed: Uint8Array): Static<typeof Report> {
  const report: unknown = JSON.parse(gunzipSync(compressed).toString())
  expect([...Value.Errors(Report, report)]).toEqual([])
  return report as Static<typeof Report>
}

test('sent once a day, by POST and by mail, in the form of RFC 8460', async () => {
  service.dns.set({
    'reports.collector.test': { a: ['127.0.0.1'] },
    'collector.test': { mx: [[1, 'mx.receiver.test']] },
  })
  const collector = `https://reports.collector.test:${host.port}/v1`
  givenDomain(
    'good.test',
    policyText('enforce', ['mx.receiver.test']),
    `mailto:tls@collector.test,${collector}`,
  )
  givenDomain('bad.test', policyText('testing', ['mx.elsewhere.test', '*.b.test']), `${collector}?from=us`)
  for (const to of ['a@good.test', 'b@good.test', 'c@bad.test']) await ann.settled(await ann.send({ to }))
  await endDay()

  const [, , , mail] = await service.mx.waitFor(4)
  await expect.poll(() => host.posted.length).toBe(2)
  const parsed = await PostalMime.parse(mail?.raw ?? '')
  expect(mail).toMatchObject({ to: ['tls@collector.test'] })
  expect(parsed.headers.find(({ key }) => key === 'content-type')?.value).toMatch(
    /^multipart\/report;\s*report-type="?tlsrpt"?;/,
  )
  const field = (name: string) => parsed.headers.find(({ key }) => key === name)?.value
  expect([field('tls-report-domain'), field('tls-report-submitter'), field('tls-required')]).toEqual([
    'good.test',
    'reporter.test',
    'No',
  ])
  expect(field('dkim-signature')).toContain('d=reporter.test')
  const [file] = parsed.attachments
  expect(file?.mimeType).toBe('application/tlsrpt+gzip')
  expect(file?.filename).toMatch(/^reporter\.test!good\.test!\d{10}!\d{10}\.json\.gz$/)
  const mailed = read(new Uint8Array(file?.content as ArrayBuffer))
  expect(parsed.subject).toBe(
    `Report Domain: good.test Submitter: reporter.test Report-ID: <${mailed['report-id']}>`,
  )
  expect(mailed.policies).toEqual([
    {
      policy: {
        'policy-type': 'sts',
        'policy-string': ['version: STSv1', 'mode: enforce', 'mx: mx.receiver.test', 'max_age: 86400'],
        'policy-domain': 'good.test',
        'mx-host': ['mx.receiver.test'],
      },
      // Two messages, one connection: one session.
      summary: { 'total-successful-session-count': 1, 'total-failure-session-count': 0 },
    },
  ])

  const posted = host.posted.find(({ path }) => path === '/v1?from=us')
  expect(posted?.type).toBe('application/tlsrpt+gzip')
  expect(read(posted?.body ?? Buffer.alloc(0)).policies[0]).toMatchObject({
    summary: { 'total-successful-session-count': 0, 'total-failure-session-count': 1 },
    'failure-details': [
      {
        'result-type': 'validation-failure',
        'sending-mta-ip': '127.0.0.1',
        'receiving-mx-hostname': 'mx.receiver.test',
        'receiving-ip': '127.0.0.1',
        'failed-session-count': 1,
        'failure-reason-code': 'mx.receiver.test is not named by the policy',
      },
    ],
  })

  await endDay()
  expect(host.posted).toHaveLength(2)
  expect(service.mx.messages).toHaveLength(4)
})

test('sent to one address at most two hundred times a day, however many domains list it', async () => {
  const day = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10)
  const domains = Array.from({ length: 210 }, (_, i) => `owned${i}.test`)
  service.dns.set({
    'victim.test': { mx: [[1, 'mx.receiver.test']] },
    ...Object.fromEntries(
      domains.map((name) => [`_smtp._tls.${name}`, { txt: ['v=TLSRPTv1; rua=mailto:tls@victim.test'] }]),
    ),
  })
  await service.db.query(
    `insert into tls_report (day, domain, due_at, tries, created_at)
     select $1::date, unnest($2::text[]), $3, 0, $3`,
    [day, domains, new Date()],
  )
  await service.restart()
  const states = () =>
    service.db.query(
      `select d->>'state' as state, d->>'reason' as reason, count(*)::int4 as count
       from tls_report, jsonb_array_elements(destinations) as d
       where due_at is null and domain = any ($1) group by 1, 2 order by 1`,
      [domains],
    )
  await expect.poll(states, { timeout: 60_000, interval: 200 }).toEqual([
    { state: 'failed', reason: '200 reports have gone to this address today', count: 10 },
    { state: 'sent', reason: null, count: 200 },
  ])
  await expect
    .poll(() => service.mx.messages.filter(({ to }) => to[0] === 'tls@victim.test').length)
    .toBe(200)
})
