import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { codeOf, openSmtps, type RawSmtp } from '../support/smtp-client.ts'
import { idOf, logIn, loginOf, submitRaw } from '../support/submission.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: { SENDWRIGHT_SUBMISSION_PORT: '0', SENDWRIGHT_SUBMISSIONS_PORT: '0' },
    log: createLog('silent'),
  })
  ann = await service.givenSender()
})
afterAll(() => service?.stop())

/** Returns a Nodemailer transport, as an application creates it. */
function mailer(token: string, options: { secure?: boolean; method?: string } = {}) {
  const secure = options.secure ?? false
  return createTransport({
    host: '127.0.0.1',
    port: secure ? service.submissionsPort : service.submissionPort,
    secure,
    requireTLS: !secure,
    ...(options.method === undefined ? {} : { authMethod: options.method }),
    auth: { user: 'anybody', pass: token },
    tls: { rejectUnauthorized: false },
  })
}

const loggedIn = (token = ann.token) => logIn(service.submissionsPort, token)

const submit = (client: RawSmtp, lines: readonly string[], to = ['bob@receiver.test'], from = 'a@b') =>
  submitRaw(client, lines.join('\r\n'), { to, from })

const message = (fields: readonly string[] = [], body = 'Hello') => [
  `From: Ann <ann@${ann.domain}>`,
  'To: bob@receiver.test',
  'Subject: Hi',
  ...fields,
  '',
  body,
]

describe('Nodemailer submits', () => {
  test.each([
    ['by STARTTLS', {}],
    ['by TLS from the first byte', { secure: true }],
    ['with AUTH LOGIN', { method: 'LOGIN' }],
  ])('%s', async (_, options) => {
    const to = service.givenDestination()
    const before = service.mx.messages.length
    const sent = await mailer(ann.token, options).sendMail({
      from: `"Ann, of Acme" <ann@${ann.domain}>`,
      to: `bob@${to}`,
      cc: `Carol <carol@${to}>`,
      bcc: `dave@${to}`,
      subject: 'Grüße',
      text: 'Zeile ü\n.\n..\nend',
      attachments: [{ filename: 'a.txt', content: 'attached' }],
    })
    const email = await ann.settled(idOf(sent.response))
    expect(email).toMatchObject({
      status: 'delivered',
      subject: 'Grüße',
      text: 'Zeile ü\n.\n..\nend',
      to: [`bob@${to}`],
      cc: [`carol@${to}`],
      bcc: [`dave@${to}`],
    })
    const copies = service.mx.messages.slice(before)
    expect(copies.flatMap((copy) => copy.to).sort()).toEqual([`bob@${to}`, `carol@${to}`, `dave@${to}`])
    for (const { raw } of copies) {
      expect(raw.toString()).not.toMatch(/dave@|^bcc:/im)
      expect(raw.toString()).toMatch(/^DKIM-Signature:/m)
    }
  })
})

test('tags, a schedule and a class from header fields, which are removed', async () => {
  const client = await loggedIn()
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const answer = await submit(client, [
    ...message([
      'X-Sendwright-Tag: kind = receipt',
      'x-sendwright-tags: a=1, b=2, c%2C=x%3D%25',
      'X-Sendwright-Tag: =?utf-8?q?Gr=C3=B6=C3=9Fe?= = a, b: c=d',
      'X-Sendwright-Tag: alone',
      `X-Sendwright-Scheduled-At: ${at}`,
      'X-Sendwright-Class: bulk',
      'Idempotency-Key: once',
    ]),
  ])
  const { json } = await ann.get(`/emails/${idOf(answer)}`)
  expect(json).toMatchObject({
    status: 'scheduled',
    class: 'bulk',
    scheduled_at: at.slice(0, 19).replace('T', ' '),
    tags: [
      { name: 'kind', value: 'receipt' },
      { name: 'Größe', value: 'a, b: c=d' },
      { name: 'alone', value: '' },
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
      { name: 'c,', value: 'x=%' },
    ],
  })
  expect((await ann.get(`/emails/${json.id}/raw`)).text).not.toMatch(/x-sendwright|idempotency/i)
  client.close()
})

describe('once for an Idempotency-Key', () => {
  test('even when the mailer rebuilds the message; another message is rejected', async () => {
    const send = (subject: string) =>
      mailer(ann.token).sendMail({
        from: `ann@${ann.domain}`,
        to: 'delivered@simulator.test',
        subject,
        text: 'Hello',
        html: '<p>Hello</p>',
        headers: { 'Idempotency-Key': 'order-1' },
      })
    const first = await send('Order 1')
    const again = await send('Order 1')
    expect(idOf(again.response)).toBe(idOf(first.response))
    await expect(send('Order 2')).rejects.toThrow('554 5.6.0 This Idempotency-Key was used before')
  })

  test('one email for ten concurrent messages', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => loggedIn()))
    const answers = await Promise.all(clients.map((one) => submit(one, message(['Idempotency-Key: race']))))
    const accepted = answers.filter((answer) => answer.startsWith('250'))
    expect(new Set(accepted.map(idOf)).size).toBe(1)
    for (const answer of answers) expect(answer).toMatch(/^(250 2\.0\.0|451 4\.3\.0 A request with this)/)
    for (const client of clients) client.close()
  })

  test('554 for an invalid key, and for two keys', async () => {
    const client = await loggedIn()
    const twice = ['Idempotency-Key: a', 'Idempotency-Key: b']
    expect(codeOf(await submit(client, message(twice)))).toBe('554 5.6.0')
    expect(codeOf(await submit(client, message([`Idempotency-Key: ${'x'.repeat(257)}`])))).toBe('554 5.6.0')
    client.close()
  })
})

describe('rejected', () => {
  test.each<[string, string, () => string[]]>([
    [
      'another From domain',
      '550 5.7.1 The from address domain is not verified.',
      () => ['From: a@b.test', '', 'x'],
    ],
    [
      'no From',
      '554 5.6.0 The message must have exactly one From header field.',
      () => ['Subject: x', '', 'x'],
    ],
    ['two From', '554 5.6.0', () => message([`From: ann@${ann.domain}`])],
    ['a foreign Sender', '550 5.7.1', () => message(['Sender: ceo@other.test'])],
    ['no header at all', '554 5.6.0', () => ['', 'Hello']],
    [
      'a field for the service that there is not',
      '554 5.6.0 There is no field x-sendwright-tgas. The fields for the service are X-Sendwright-Tag, ',
      () => message(['X-Sendwright-Tgas: a=b']),
    ],
    ['a tag without a name', '554 5.6.0 A tag must be name=value', () => message(['X-Sendwright-Tag: =x'])],
    [
      'a list of tags with a lone percent sign',
      '554 5.6.0 A tag must be name=value',
      () => message(['X-Sendwright-Tags: off=100%']),
    ],
    [
      '21 tags',
      '554 5.6.0 The tags field',
      () => message([`X-Sendwright-Tags: ${Array(21).fill('a=b').join()}`]),
    ],
    [
      'a schedule in the past',
      '554 5.6.0 The X-Sendwright-Scheduled-At field must be a date in the future.',
      () => message(['X-Sendwright-Scheduled-At: 2020-01-01T00:00:00Z']),
    ],
    [
      'a schedule given twice',
      '554 5.6.0',
      () => message(Array(2).fill('X-Sendwright-Scheduled-At: 2099-01-01')),
    ],
    [
      'a class that there is not',
      '554 5.6.0 The X-Sendwright-Class field must be one of transactional, bulk.',
      () => message(['X-Sendwright-Class: urgent']),
    ],
    ['51 Received', '554 5.6.0', () => message(Array(51).fill('Received: from a by b'))],
    ['NUL', '554 5.6.0 The message must not contain', () => message([], 'a\0b')],
  ])('%s', async (_, expected, lines) => {
    const client = await loggedIn()
    expect((await submit(client, lines())).slice(0, expected.length)).toBe(expected)
    expect(await client.codes('NOOP')).toEqual(['250 2.0.0'])
    client.close()
  })

  test.each([
    'bob',
    'bob@localhost',
    'bob@[127.0.0.1]',
    '@relay.test:bob@receiver.test',
    '"bob@receiver.test',
    'bob@receiver.test.',
    'b(c)@receiver.test',
    '',
    'postmaster',
  ])('501 for the recipient <%s>', async (recipient) => {
    const client = await loggedIn()
    await client.codes('MAIL FROM:<a@b.test>')
    expect(await client.codes(`RCPT TO:<${recipient}>`)).toEqual([
      recipient.startsWith('"') ? '501 5.5.2' : '501 5.1.3',
    ])
    client.close()
  })

  test('the same reply for an unknown, expired, revoked or malformed key', async () => {
    const expired = await ann.givenKey({ expiresAt: new Date(Date.now() - 1_000) })
    const revoked = await ann.givenKey()
    await ann.delete(`/api-keys/${revoked.keyId}`)
    for (const password of ['wrong', expired.token, revoked.token, ` ${ann.token}`]) {
      const client = await openSmtps(service.submissionsPort)
      await client.hear()
      await client.say('EHLO app.test')
      expect(await client.say(`AUTH PLAIN ${loginOf(password)}`)).toBe('535 5.7.8 Invalid API key.')
      expect(await client.codes('MAIL FROM:<a@b.test>')).toEqual(['530 5.7.0'])
      client.close()
    }
  })

  test('the next MAIL after a key was revoked', async () => {
    const key = await ann.givenKey({ permission: 'send' })
    const client = await loggedIn(key.token)
    expect(codeOf(await submit(client, message()))).toBe('250 2.0.0')
    await ann.delete(`/api-keys/${key.keyId}`)
    expect(await client.codes('MAIL FROM:<a@b.test>')).toEqual(['530 5.7.0'])
    client.close()
  })

  test('a message whose key was revoked between MAIL and its end', async () => {
    const key = await ann.givenKey({ permission: 'send' })
    const client = await loggedIn(key.token)
    await client.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<delivered@simulator.test>', 'DATA')
    await ann.delete(`/api-keys/${key.keyId}`)
    client.write(message().join('\r\n'))
    expect(await client.say('\r\n.')).toBe('530 5.7.0 Invalid API key.')
    client.close()
  })

  test("a message from another domain than the key's", async () => {
    const bob = await service.givenSender()
    const key = await ann.givenKey({ permission: 'send', domainId: ann.domainId })
    const client = await loggedIn(key.token)
    expect(codeOf(await submit(client, message()))).toBe('250 2.0.0')
    const foreign = [`From: x@${bob.domain}`, 'Subject: x', '', 'x']
    expect(await submit(client, foreign)).toBe('550 5.7.1 This API key is not allowed to do this.')
    client.close()
  })

  test('temporarily: requests and recipients beyond the plan, and a paused team', async () => {
    const small = await service.givenSender({ plan: 'free' })
    const client = await loggedIn(small.token)
    const lines = [`From: x@${small.domain}`, 'Subject: x', '', 'x']
    const many = Array.from({ length: 101 }, (_, index) => `r${index}@receiver.test`)
    expect(await submit(client, lines, many)).toBe('452 4.7.1 Daily email quota exceeded.')
    await service.db.query('update team set sending_paused_at = $2 where id = $1', [small.id, new Date()])
    expect(await submit(client, lines)).toBe('451 4.7.1 Sending is paused for this account.')
    for (let count = 2; count < 60; count++) await client.codes('MAIL FROM:<a@b.test>', 'RSET')
    expect(await client.say('MAIL FROM:<a@b.test>')).toMatch(
      /^451 4\.7\.1 Rate limit exceeded\. Please retry after \d+ seconds\.$/,
    )
    expect((await small.post('/emails', small.email())).status).toBe(429)
    client.close()
  })
})

test('suppressed recipients get nothing; the same address twice gets one', async () => {
  const to = service.givenDestination()
  await ann.post('/suppressions', { email: `Gone@${to}` })
  const client = await loggedIn()
  const answer = await submit(client, message(), [`gone@${to}`, `bob@${to}`, `BOB@${to.toUpperCase()}`])
  const { recipients } = await ann.settled(idOf(answer))
  expect(recipients.map(({ email, status }: Record<string, string>) => [email, status])).toEqual([
    [`gone@${to}`, 'suppressed'],
    [`bob@${to}`, 'delivered'],
  ])
  expect(service.mx.messages.filter((copy) => copy.to.some((one) => one.endsWith(to)))).toHaveLength(1)
  client.close()
})

test('at most 150 recipients; the rest in another message', async () => {
  const client = await loggedIn()
  await client.say('MAIL FROM:<>')
  const codes = await client.codes(
    ...Array.from({ length: 151 }, (_, n) => `RCPT TO:<r${n}+x@simulator.test>`),
  )
  expect(codes.slice(149)).toEqual(['250 2.1.5', '452 4.5.3'])
  client.close()
})

test('bounces return to the service, whatever MAIL FROM contains', async () => {
  const to = service.givenDestination()
  const client = await loggedIn()
  const answers = await Promise.all(
    ['', 'root@localhost', 'ceo@other.test'].map(async (from) => {
      const one = await loggedIn()
      return submit(one, message(), [`bob@${to}`], from).finally(() => one.close())
    }),
  )
  for (const answer of answers) expect((await ann.settled(idOf(answer))).status).toBe('delivered')
  for (const copy of service.mx.messages.filter(({ to: [first] }) => first?.endsWith(to))) {
    expect(copy.from).toMatch(new RegExp(`@.*${ann.domain}$`))
  }
  client.close()
})

test('text of any charset unchanged, in seven bits', async () => {
  const to = service.givenDestination()
  const client = await loggedIn()
  await client.codes('MAIL FROM:<a@b.test> BODY=8BITMIME', `RCPT TO:<bob@${to}>`, 'DATA')
  const fields = message(['MIME-Version: 1.0', 'Content-Type: text/plain; charset=iso-8859-1'])
  const header = fields.slice(0, fields.indexOf('')).join('\r\n')
  client.write(Buffer.from(`${header}\r\n\r\nGr\xfc\xdfe\r\n.\r\n`, 'latin1'))
  const email = await ann.settled(idOf((await client.hear()) ?? ''))
  expect(email.text).toBe('Grüße')
  const copy = service.mx.messages.find((one) => one.to.includes(`bob@${to}`))
  expect(copy?.raw.toString('latin1')).toContain('Gr=FC=DFe')
  client.close()
})

test('454 for an address with too many failed logins, except for a key that succeeded before', async () => {
  const key = 'a-bootstrap-key-of-more-than-32-characters'
  const slow = await startTestSendwright({
    roles: ['inbound'],
    environment: { SENDWRIGHT_SUBMISSIONS_PORT: '0', SENDWRIGHT_BOOTSTRAP_KEY: key },
    log: createLog('silent'),
  })
  const early = await logIn(slow.submissionsPort, key)
  const wrong = loginOf('wrong')
  const client = await openSmtps(slow.submissionsPort)
  await client.hear()
  const codes = await client.codes('EHLO x', ...Array<string>(11).fill(`AUTH PLAIN ${wrong}`))
  expect(codes.slice(1)).toEqual([...Array(10).fill('535 5.7.8'), '454 4.7.0'])
  const late = await logIn(slow.submissionsPort, key)
  for (const one of [early, client, late]) one.close()
  await slow.stop()
})
