import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { codeOf, openSmtp, openSmtps } from '../support/smtp-client.ts'
import { idOf, logIn, loginOf, submitRaw } from '../support/submission.ts'

let service: TestSendwright
let ann: Sender
const lines: string[] = []

beforeAll(async () => {
  const log = createLog('trace', { write: (line: string) => lines.push(line) } as never)
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: { SENDWRIGHT_SUBMISSION_PORT: '0', SENDWRIGHT_SUBMISSIONS_PORT: '0' },
    log,
  })
  ann = await service.givenSender()
})
afterAll(() => service?.stop())

const countEmails = async () => (await ann.get('/emails')).json.meta.total as number

describe('one unchanged message for a body that contains', () => {
  const second = 'MAIL FROM:<a@b>\r\nRCPT TO:<victim@receiver.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nx'

  test.each(['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r\n.\r', '\r.\r\n', '\n\n.\r\n', '\r\n.\r\r\n'])(
    '%j',
    async (end) => {
      const to = service.givenDestination()
      const before = await countEmails()
      const client = await logIn(service.submissionsPort, ann.token)
      const content = `From: ann@${ann.domain}\r\nSubject: outer\r\n\r\nbefore${end}${second}${end}after`
      const answer = await submitRaw(client, content, { to: [`bob@${to}`] })
      expect(await client.codes('NOOP')).toEqual(['250 2.0.0'])
      client.close()
      await ann.settled(idOf(answer))
      expect(await countEmails()).toBe(before + 1)
      const copies = service.mx.messages.filter((copy) => copy.to.some((one) => one.endsWith(to)))
      expect(copies).toHaveLength(1)
      const raw = copies[0]?.raw.toString('latin1') ?? ''
      expect(raw).toContain('RCPT TO:<victim@receiver.test>\r\n')
      expect(raw).not.toMatch(/\r(?!\n)|(?<!\r)\n/)
    },
  )
})

describe('554, the end of the connection and no email for content sent before the 354', () => {
  const message = () => `From: ann@${ann.domain}\r\nSubject: early\r\n\r\nx\r\n.\r\n`

  test.each([
    ['one message', (to: string) => `RCPT TO:<${to}>\r\nDATA\r\n${message()}`],
    ['a DATA that is rejected', () => `RCPT TO:<nobody>\r\nDATA\r\n${message()}`],
    ['QUIT', (to: string) => `RCPT TO:<${to}>\r\nDATA\r\nQUIT\r\n`],
  ])('%s', async (_, rest) => {
    const to = `bob@${service.givenDestination()}`
    const before = await countEmails()
    const client = await logIn(service.submissionsPort, ann.token)
    client.write(`MAIL FROM:<a@b.test>\r\n${rest(to)}MAIL FROM:<a@b.test>\r\n`)
    expect(codeOf(await client.hear())).toBe('250 2.1.0')
    await client.hear()
    expect(codeOf(await client.hear())).toBe('554 5.5.0')
    expect(await client.hear()).toBeNull()
    expect(await countEmails()).toBe(before)
  })

  test('the second message of a connection, whose envelope may follow the first immediately', async () => {
    const to = `bob@${service.givenDestination()}`
    const before = await countEmails()
    const client = await logIn(service.submissionsPort, ann.token)
    const envelope = `MAIL FROM:<a@b.test>\r\nRCPT TO:<${to}>\r\nDATA\r\n`
    client.write(envelope)
    for (const code of ['250 2.1.0', '250 2.1.5', '354']) expect(codeOf(await client.hear())).toBe(code)
    client.write(message() + envelope + message())
    const codes = [await client.hear(), await client.hear(), await client.hear(), await client.hear()].map(
      codeOf,
    )
    expect(codes).toEqual(['250 2.0.0', '250 2.1.0', '250 2.1.5', '554 5.5.0'])
    expect(await client.hear()).toBeNull()
    expect(await countEmails()).toBe(before + 1)
  })
})

test('no email for commands that follow a failed AUTH in the same write', async () => {
  const before = await countEmails()
  const client = await openSmtps(service.submissionsPort)
  await client.hear()
  await client.say('EHLO app.test')
  client.write(
    `AUTH PLAIN ${loginOf('wrong')}\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<c@d.test>\r\nDATA\r\nx\r\n.\r\n`,
  )
  const codes = [await client.hear(), await client.hear(), await client.hear(), await client.hear()].map(
    codeOf,
  )
  expect(codes).toEqual(['535 5.7.8', '530 5.7.0', '530 5.7.0', '554 5.5.0'])
  expect(await client.hear()).toBeNull()
  expect(await countEmails()).toBe(before)
})

test.each([
  ['without a login', []],
  ['with a login in the clear', [`AUTH PLAIN ${loginOf('x')}`]],
  ['with another command for it', ['XCLIENT LOGIN=ann', 'AUTH ANONYMOUS']],
])('no relaying %s', async (_, before) => {
  const client = await openSmtp(service.submissionPort)
  await client.hear()
  await client.codes('EHLO app.test', ...before)
  expect(await client.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<c@d.test>', 'DATA')).toEqual(
    Array(3).fill('530 5.7.0'),
  )
  client.close()
})

test('no email for commands sent before TLS', async () => {
  const before = await countEmails()
  const client = await openSmtp(service.submissionPort)
  await client.hear()
  await client.say('EHLO app.test')
  client.write(`STARTTLS\r\nEHLO evil.test\r\nAUTH PLAIN ${loginOf(ann.token)}\r\nMAIL FROM:<a@b.test>\r\n`)
  expect(codeOf(await client.hear())).toBe('421 4.7.0')
  expect(await client.hear()).toBeNull()
  expect(await countEmails()).toBe(before)
})

test('an HTTP request ends the connection, whatever its body contains', async () => {
  const client = await openSmtp(service.submissionPort)
  await client.hear()
  client.write('POST / HTTP/1.1\r\nHost: x\r\n\r\nEHLO x\r\nMAIL FROM:<a@b.test>\r\n')
  expect(await client.rest()).toBe('421 4.7.0 This is SMTP, not HTTP\r\n')
})

test('no key in the log, valid or invalid', async () => {
  const client = await logIn(service.submissionsPort, ann.token)
  await submitRaw(client, `From: ann@${ann.domain}\r\n\r\nsecret body text`)
  client.close()
  const wrong = await openSmtp(service.submissionPort)
  await wrong.hear()
  await wrong.say('EHLO x')
  await wrong.say('STARTTLS')
  const secured = await wrong.secure()
  expect((await secured.codes('EHLO x', `AUTH PLAIN ${loginOf('sw_wrong-key')}`)).at(-1)).toBe('535 5.7.8')
  secured.close()
  expect(lines.join('')).toContain('a login for SMTP submission failed')
  expect(lines.join('')).not.toMatch(
    new RegExp(`${ann.token}|${loginOf(ann.token)}|sw_wrong-key|secret body`),
  )
})

test('451 or a rejection, never another email, for header lines that other parsers would split', async () => {
  const client = await logIn(service.submissionsPort, ann.token)
  const bad = [
    `From: ann@${ann.domain}\r\nX-Sendwright-Tag: a=b\rBcc: victim@receiver.test\r\n\r\nx`,
    `From: ann@${ann.domain}\r\nIdempotency-Key: a\r\n b\r\n\r\nx`,
    `From: ann@${ann.domain}\r\nX-Sendwright-Scheduled-At: 2099-02-30T00:00:00Z\r\n\r\nx`,
  ]
  const answers: string[] = []
  for (const content of bad)
    answers.push(codeOf(await submitRaw(client, content, { to: ['x@simulator.test'] })))
  // A bare CR ends a line, as everywhere; the resulting Bcc is removed.
  expect(answers).toEqual(['250 2.0.0', '250 2.0.0', '554 5.6.0'])
  client.close()
})
