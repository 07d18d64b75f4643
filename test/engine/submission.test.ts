import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../src/base/log.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { codeOf, openSmtps, type RawSmtp } from '../support/smtp-client.ts'

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

/** Nodemailer, as an application uses it. */
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

const idOf = (response: string) => /accepted as (\S+)$/.exec(response)?.[1] ?? response

/** A connection that has logged in. */
async function loggedIn(token = ann.token): Promise<RawSmtp> {
  const client = await openSmtps(service.submissionsPort)
  await client.hear()
  const login = Buffer.from(`\0any\0${token}`).toString('base64')
  expect(await client.codes('EHLO app.test', `AUTH PLAIN ${login}`)).toEqual(['250', '235 2.7.0'])
  return client
}

/** One message over a connection; gives its last reply. */
async function submit(client: RawSmtp, lines: readonly string[], to = ['bob@receiver.test'], from = 'a@b') {
  expect(codeOf(await client.say(`MAIL FROM:<${from}>`))).toBe('250 2.1.0')
  for (const one of to) expect(codeOf(await client.say(`RCPT TO:<${one}>`))).toBe('250 2.1.5')
  await client.say('DATA')
  return (await client.say(`${lines.join('\r\n')}\r\n.`)) ?? 'gone'
}

const message = (fields: readonly string[] = [], body = 'Hello') => [
  `From: Ann <ann@${ann.domain}>`,
  'To: bob@receiver.test',
  'Subject: Hi',
  ...fields,
  '',
  body,
]

describe('delivered what Nodemailer submits', () => {
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

test('tags and a schedule by fields of the message, which go no further', async () => {
  const client = await loggedIn()
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const answer = await submit(client, [
    ...message([
      'X-Sendwright-Tag: kind = receipt',
      'x-sendwright-tags: a=1, b=2',
      `X-Sendwright-Scheduled-At: ${at}`,
      'X-Sendwright-Unknown: x',
      'Idempotency-Key: once',
    ]),
  ])
  const { json } = await ann.get(`/emails/${idOf(answer)}`)
  expect(json).toMatchObject({
    status: 'scheduled',
    scheduled_at: at.slice(0, 19).replace('T', ' '),
    tags: [
      { name: 'kind', value: 'receipt' },
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
  })
  expect((await ann.get(`/emails/${json.id}/raw`)).text).not.toMatch(/x-sendwright|idempotency/i)
  client.close()
})
