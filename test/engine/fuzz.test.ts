import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { isFull, seedOfToday } from '../support/thorough.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({ roles: ['api'] })
  ann = await service.givenSender()
})
afterAll(() => service.stop())

const RUNS = isFull ? 400 : 160

const nasty = fc.constantFrom(
  '',
  '\0',
  '\ud800',
  'a\r\nB: c',
  '__proto__',
  'constructor',
  '1e400',
  '\u2028',
  '\u202e',
  '😀'.repeat(500),
  '%00',
  '{{constructor}}',
  "'; drop table email; --",
  'a@b.test> SIZE=1',
  '"\\"@b.test',
  '=?utf-8?q?=0d=0a?=',
  '9999-12-31T23:59:59Z',
)
const text = fc.oneof(nasty, fc.string({ unit: 'binary' }), fc.string())
const any = fc.oneof(text, fc.jsonValue() as fc.Arbitrary<unknown>, fc.constant(null))
const or = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: usual, weight: 4 }, { arbitrary: any, weight: 1 })
const address = fc.oneof(
  fc.constant('bob@to.test'),
  fc.emailAddress(),
  text.map((name) => `"${name}" <bob@to.test>`),
  text.map((local) => `${local}@to.test`),
)

const fieldsFor = (from: string) =>
  fc.record({
    from: or(
      fc.oneof(
        fc.constant(from),
        text.map((name) => `${name} <${from}>`),
      ),
    ),
    to: or(fc.oneof(address, fc.array(address, { maxLength: 4 }))),
    cc: or(fc.array(address, { maxLength: 3 })),
    bcc: or(fc.array(address, { maxLength: 3 })),
    reply_to: or(address),
    subject: or(text),
    html: or(text),
    text: or(text),
    headers: or(fc.dictionary(fc.oneof(fc.constant('X-A'), text), text, { maxKeys: 4 })),
    tags: or(fc.array(fc.record({ name: fc.oneof(fc.constant('a'), text), value: text }), { maxLength: 3 })),
    attachments: or(
      fc.array(
        fc.record(
          {
            filename: text,
            content: fc.oneof(fc.base64String(), text),
            content_type: text,
            content_id: text,
            path: fc.constantFrom('file:///etc/passwd', 'http://[::1', 'http://%00/'),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      ),
    ),
    scheduled_at: or(fc.constantFrom(new Date(Date.now() + 1e8).toISOString(), '2027-02-29T00:00:00Z')),
  })

/** Generates a valid body with up to three unusual fields, so that many are accepted. */
const body = (ann: Sender) =>
  fieldsFor(`ann@${ann.domain}`).chain((fields) =>
    fc
      .subarray(Object.keys(fields) as (keyof typeof fields)[], { maxLength: 3 })
      .map((names) => ann.email(Object.fromEntries(names.map((name) => [name, fields[name]])))),
  )

test('never a 5xx for any body; every accepted email can be read', async () => {
  await fc.assert(
    fc.asyncProperty(body(ann), async (fields) => {
      const reply = await ann.post('/emails', fields)
      expect([reply.status, reply.text]).toSatisfy(
        ([status]) => status === 202 || (status >= 400 && status < 500),
      )
      if (reply.status !== 202) return
      for (const path of ['', '/raw', '/attempts'])
        expect((await ann.get(`/emails/${reply.json.id}${path}`)).status).toBe(200)
    }),
    { numRuns: RUNS, seed: seedOfToday() },
  )
})

test('enough bodies are accepted for a meaningful test', async () => {
  const before = await service.db.query('select 1 from email')
  expect(before.length).toBeGreaterThan(50)
})

test('never a 5xx for query parameters of GET /emails', async () => {
  const names = [
    'status',
    'to',
    'from',
    'tag',
    'domain_id',
    'start_date',
    'end_date',
    'q',
    'page',
    'per_page',
    'limit',
    'after',
    'before',
  ]
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 4 }), async (query) => {
      const pairs = Object.entries(query).map(
        ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
      )
      expect((await ann.get(`/emails?${pairs.join('&')}`)).status).toBeLessThan(500)
    }),
    { numRuns: RUNS / 2, seed: seedOfToday() },
  )
})
