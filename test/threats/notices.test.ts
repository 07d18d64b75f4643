import { connect } from 'node:net'
import nodemailer from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sendwright, startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { makeReturnPath } from '../../src/mime/return-path.ts'
import { bring, feedbackReport, INBOUND, statusDsn, talk, tokenOf } from '../support/inbound.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { codeOf, openSmtp } from '../support/smtp-client.ts'

let service: TestSendwright
let other: Sendwright
let ann: Sender
let domain: string

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: INBOUND,
    log: createLog('silent'),
  })
  ann = await service.givenSender()
  domain = service.givenDestination()
  other = await startSendwright(service.config, { roles: ['inbound'], log: createLog('silent') })
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const HOST = 'mail.sendwright.test'

async function givenDelivered(recipient: string) {
  const id = await ann.send({ to: recipient })
  const email = await ann.settled(id)
  const returnPath = service.mx.messages.find(({ to }) => to[0] === recipient)?.from as string
  const dsn = statusDsn({ recipient, action: 'failed', status: '5.1.1' })
  return { id, email, returnPath, dsn }
}
const read = async (id: string) => (await ann.get(`/emails/${id}`)).json
const suppressed = async () => (await ann.get('/suppressions')).json.meta.total

describe('rejected at RCPT, and nothing changes', () => {
  test('a return path with a changed character, or signed with another secret', async () => {
    const { id, email, returnPath, dsn } = await givenDelivered(`forged@${domain}`)
    const token = tokenOf(returnPath)
    const host = returnPath.slice(token.length)
    const changed = Array.from(
      { length: token.length },
      (_, at) => `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}${host}`,
    )
    const own = `${makeReturnPath(Buffer.alloc(32, 1), token.slice(0, 8), id, 0)}${host}`
    const before = await suppressed()
    for (let at = 0; at <= changed.length; at += 20) {
      const some = [...changed, own].slice(at, at + 20)
      const answers = await Promise.all(some.map((to) => bring(service.inboundPort, { to, message: dsn })))
      for (const answer of answers) expect(answer).toMatch(/^550 5\.7\.1 /)
    }
    expect(await read(id)).toEqual(email)
    expect(await suppressed()).toBe(before)
  })

  test.each([
    ['somebody else', 'bob@receiver.test', '550 5.7.1'],
    ['a subdomain of ours that is none', 'bob@other.mail.sendwright.test', '550 5.7.1'],
    ['a host that begins like a return path', 'x@bounce.receiver.test', '550 5.7.1'],
    ['nobody here', `bob@${HOST}`, '550 5.1.1'],
    ['the postmaster', `Postmaster@${HOST}`, '550 5.1.1'],
    ['the postmaster without a host', 'postmaster', '550 5.1.1'],
    ['a route', `@${HOST}:bob@receiver.test`, '5'],
    ['percent', `bob%receiver.test@${HOST}`, '550 5.1.1'],
    ['bang', `receiver.test!bob@${HOST}`, '550 5.1.1'],
    ['quoted', `"bob@receiver.test"@${HOST}`, '550 5.1.1'],
    ['a literal', 'bob@[127.0.0.1]', '550 5.7.1'],
    ['nothing', '', '5'],
  ])('%s', async (_, to, expected) => {
    const client = await openSmtp(service.inboundPort)
    await client.hear()
    const codes = await client.codes('EHLO x', 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA')
    expect(codes[2]?.startsWith(expected), codes[2]).toBe(true)
    expect(codes[3]).toMatch(/^5\d\d 5\.\d\.\d$/)
    client.close()
  })

  test("a valid token at an unknown host, or at another team's domain", async () => {
    const bob = await service.givenSender()
    const { id, email, returnPath, dsn } = await givenDelivered(`place@${domain}`)
    const token = tokenOf(returnPath)
    for (const host of ['receiver.test', `bounce.${bob.domain}`, ann.domain]) {
      const answer = await bring(service.inboundPort, { to: `${token}@${host}`, message: dsn })
      expect(answer).toMatch(/^550 5\.7\.1 /)
    }
    expect(await read(id)).toEqual(email)
    const own = await bring(service.inboundPort, { to: `${token}@bounce.${ann.domain}`, message: dsn })
    expect(own).toMatch(/^250 /)
  })
})

test('one event and one suppression for fifty concurrent copies to two processes', async () => {
  const { id, returnPath: to, dsn } = await givenDelivered(`storm@${domain}`)
  const ports = [service.inboundPort, other.inboundPort as number]
  const before = await suppressed()
  const send = (message: string) =>
    Promise.all(Array.from({ length: 50 }, (_, i) => bring(ports[i % 2] as number, { to, message })))
  for (const message of [dsn, feedbackReport()]) {
    for (const answer of await send(message)) expect(answer).toMatch(/^250 /)
  }
  const { events } = await read(id)
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    'email.queued',
    'email.delivered',
    'email.bounced',
    'email.complained',
  ])
  expect(await suppressed()).toBe(before + 1)
})

describe('final replies instead of endless 451', () => {
  const event = (fields: object) =>
    `From: <no-reply@sns.test>\r\nSubject: AWS\r\n\r\n${JSON.stringify(fields)}\r\n`
  // PostgreSQL text cannot contain NUL, and JSON cannot contain a lone surrogate.
  const poison = '\0\ud800'

  test('250 and bounced when a DSN contains text that cannot be stored', async () => {
    const { id, returnPath: to } = await givenDelivered(`poison@${domain}`)
    const bouncedRecipients = [
      { emailAddress: `${poison}@x`, status: `5.1.1${poison}`, diagnosticCode: `550 5.1.1 No ${poison}` },
    ]
    const bounce = event({ notificationType: 'Bounce', bounce: { bouncedRecipients } })
    const complaint = event({
      notificationType: 'Complaint',
      complaint: { complaintFeedbackType: `Fraud${poison}`, complainedRecipients: [] },
    })
    for (const message of [bounce, complaint]) {
      expect(await bring(service.inboundPort, { to, message })).toMatch(/^250 /)
    }
    const { events } = await read(id)
    expect(events.slice(-2)).toMatchObject([
      { type: 'email.bounced', data: { enhanced_code: '5.1.1' } },
      { type: 'email.complained', data: { feedback: 'fraud' } },
    ])
  })

  test('554 for the only recipient whose data the database rejects; the others are stored', async () => {
    const bad = await givenDelivered(`unfit@${domain}`)
    const good = await givenDelivered(`fit@${domain}`)
    await service.db.query(`alter table event add constraint unfit check (data->>'recipient' <> 'unfit@${domain}'
      or type <> 'email.bounced')`)
    const to = [bad.returnPath, good.returnPath]
    expect(await bring(service.inboundPort, { to, message: good.dsn })).toMatch(/^554 5\.6\.0 /)
    expect(await read(bad.id)).toEqual(bad.email)
    expect((await read(good.id)).status).toBe('bounced')
  })
})

describe('451, and nothing is stored, when the database fails before the commit', () => {
  test('then 250 for the same message, and one event', async () => {
    const { id, email, returnPath, dsn } = await givenDelivered(`broken@${domain}`)
    let answer: Promise<string> | undefined
    await service.db.transaction(async (tx) => {
      await tx.query('select 1 from delivery where team_id = $1 and email_id = $2 for update', [ann.id, id])
      answer = bring(service.inboundPort, { to: returnPath, message: dsn })
      await expect
        .poll(() =>
          service.db.query(`select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`),
        )
        .toHaveLength(1)
    })
    expect(await answer).toMatch(/^4\d\d 4\.\d\.\d /)
    expect(await read(id)).toEqual(email)
    await expect.poll(() => bring(service.inboundPort, { to: returnPath, message: dsn })).toMatch(/^250 /)
    expect((await read(id)).events).toHaveLength(3)
  })
})

test('one event when the connection breaks after the final dot and the message is sent again', async () => {
  const { id, returnPath, dsn } = await givenDelivered(`cut@${domain}`)
  const octets = `EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<${returnPath}>\r\nDATA\r\n`
  const socket = connect(service.inboundPort, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    if (heard === '') socket.write(octets)
    heard += chunk.toString('latin1')
    if (/^354 /m.test(heard)) socket.end(`${dsn}.\r\n`, () => socket.destroy())
  })
  socket.on('error', () => {})
  await expect.poll(async () => (await read(id)).status).toBe('bounced')
  const email = await read(id)
  expect(await bring(other.inboundPort as number, { to: returnPath, message: dsn })).toMatch(/^250 /)
  expect(await read(id)).toEqual(email)
})

describe('one message stays one, with any form of an end of data', () => {
  test.each(['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r.\r\n', '\r\n\0.\r\n', '\r\n.\r'])(
    '%j',
    async (end) => {
      const bob = await givenDelivered(`first@${domain}`)
      const eve = await givenDelivered(`second${Math.random()}@${domain}`)
      const smuggled = `MAIL FROM:<>\r\nRCPT TO:<${eve.returnPath}>\r\nDATA\r\n${eve.dsn}.\r\n`
      const client = await openSmtp(service.inboundPort)
      await client.hear()
      const codes = await client.codes('EHLO x', 'MAIL FROM:<>', `RCPT TO:<${bob.returnPath}>`, 'DATA')
      expect(codes).toEqual(['250', '250 2.1.0', '250 2.1.5', '354'])
      expect(codeOf(await client.say(`Subject: x\r\n\r\nx${end}${smuggled}`.slice(0, -2)))).toMatch(/^250 2/)
      expect(await client.codes('QUIT')).toEqual(['221 2.0.0'])
      expect(await read(eve.id)).toEqual(eve.email)
    },
  )
})

test('554 and no event for DSNs sent in one write with their commands', async () => {
  const bob = await givenDelivered(`early${Math.random()}@${domain}`)
  const eve = await givenDelivered(`earlier${Math.random()}@${domain}`)
  const transaction = ({ returnPath, dsn }: typeof bob) =>
    `MAIL FROM:<>\r\nRCPT TO:<${returnPath}>\r\nDATA\r\n${dsn}.\r\n`
  const answers = await talk(service.inboundPort, `EHLO x\r\n${transaction(bob)}${transaction(eve)}QUIT\r\n`)
  expect(answers.trimEnd().split('\r\n').at(-1)).toMatch(/^554 5\.5\.0 /)
  expect(answers).not.toMatch(/^354 /m)
  expect(await read(bob.id)).toEqual(bob.email)
  expect(await read(eve.id)).toEqual(eve.email)
})

describe('other protocols', () => {
  const hello = 'EHLO x\r\n'
  test.each([
    ['HTTP', 'POST / HTTP/1.1\r\nHost: x\r\n\r\nMAIL FROM:<>\r\n', /^[45]\d\d .*$/m],
    ['AUTH', `${hello}AUTH PLAIN AGEAYg==\r\nQUIT\r\n`, /^50\d 5\.5\.1 /m],
    ['BDAT', `${hello}MAIL FROM:<>\r\nBDAT 3 LAST\r\nabc`, /^50\d 5\.5\.1 /m],
    ['VRFY', `${hello}VRFY bob\r\nQUIT\r\n`, /^(252 2|50\d 5)\.\d\.\d /m],
    ['a line without end', `${hello}MAIL FROM:<${'a'.repeat(100_000)}`, /^5\d\d 5\.\d\.\d /m],
    ['too large', `${hello}MAIL FROM:<> SIZE=52000001\r\nQUIT\r\n`, /^552 5\.3\.4 /m],
  ])('%s is rejected', async (_, octets, expected) => {
    const closing = `${octets}\r\nQUIT\r\n`
    const answers = await talk(service.inboundPort, closing)
    expect(answers).toMatch(expected)
    expect(answers).not.toContain('CHUNKING')
  })
})

test('250 for a message to ten recipients; each is updated once', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, (_, i) => givenDelivered(`many${i}@${domain}`)))
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: service.inboundPort,
    ignoreTLS: true,
  })
  const to = all.map(({ returnPath }) => returnPath)
  await transport.sendMail({ envelope: { from: '', to }, raw: all[0]?.dsn as string })
  transport.close()
  for (const { id } of all) expect((await read(id)).status).toBe('bounced')
})
