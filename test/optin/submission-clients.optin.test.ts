import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runChild } from '../../bench/support/children.ts'
import { installPeers } from '../../bench/support/install-peers.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { installSubmitters, type RelayingPostfix, startRelayingPostfix } from './support/submitters.ts'

const absent = (await installPeers()) ?? (await installSubmitters())
if (absent !== null) process.stderr.write(`${absent}\n`)

const TIMEOUT_MS = 30_000
const ARRIVAL = { timeout: 20_000 }

describe.skipIf(absent !== null)('submitted by', () => {
  let service: TestSendwright
  let ann: Sender
  let to: string
  beforeAll(async () => {
    service = await startTestSendwright({
      roles: ['api', 'deliver', 'scheduler', 'inbound'],
      environment: { SENDWRIGHT_SUBMISSION_PORT: '0', SENDWRIGHT_SUBMISSIONS_PORT: '0' },
    })
    ann = await service.givenSender()
    to = service.givenDestination()
  })
  afterAll(() => service?.stop())

  const arrived = (subject: string) =>
    service.mx.messages.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`))

  async function run(file: string, args: readonly string[]) {
    const { code, stdout, stderr } = await runChild(file, [...args], { timeoutMs: TIMEOUT_MS })
    return { code, text: `${stdout}${stderr}` }
  }

  const swaks = (subject: string, ...more: string[]) =>
    run('/usr/bin/swaks', [
      ...[
        '--server',
        '127.0.0.1',
        '--helo',
        'app.internal.test',
        '--auth-user',
        'any',
        '--auth-password',
        ann.token,
      ],
      ...['--from', `ann@${ann.domain}`, '--to', `bob@${to},carol@${to}`, '--header', `Subject: ${subject}`],
      ...more,
    ])

  test.each([
    ['STARTTLS and PLAIN', () => ['--port', `${service.submissionPort}`, '-tls', '--auth', 'PLAIN']],
    ['STARTTLS and LOGIN', () => ['--port', `${service.submissionPort}`, '-tls', '--auth', 'LOGIN']],
    ['TLS from the first byte', () => ['--port', `${service.submissionsPort}`, '--tls-on-connect', '--auth']],
    ['pipelining', () => ['--port', `${service.submissionPort}`, '-tls', '--auth', '--pipeline']],
  ])('swaks with %s', async (name, args) => {
    const subject = `swaks ${name}`
    const { code, text } = await swaks(subject, ...args())
    expect(text).toMatch(/250 2\.0\.0 accepted as [0-9a-f-]{36}/)
    expect(code).toBe(0)
    await expect.poll(() => arrived(subject).length, ARRIVAL).toBe(2)
  })

  test('swaks, rejected: without TLS, with a wrong key', async () => {
    const plain = await swaks('no', '--port', `${service.submissionPort}`)
    expect(plain.text).toContain('Host did not advertise authentication')
    const wrong = await swaks(
      'no',
      '--port',
      `${service.submissionPort}`,
      '-tls',
      '--auth',
      '--auth-password',
      'x',
    )
    expect(wrong.text).toContain('535 5.7.8 Invalid API key.')
  })

  test("Python's smtplib, with several recipients, UTF-8 and an attachment", async () => {
    const script = `
import smtplib, ssl, sys
from email.message import EmailMessage
port, user, key, sender, to = sys.argv[1:]
message = EmailMessage()
message['Subject'] = 'python'
message['From'] = sender
message['To'] = to
message['X-Sendwright-Tag'] = 'client=python'
message.set_content('Zeile ü\\n.\\nend\\n')
message.add_attachment(b'\\x00\\x01' * 50000, maintype='application', subtype='octet-stream', filename='ü.bin')
context = ssl._create_unverified_context()
with smtplib.SMTP('127.0.0.1', int(port)) as server:
    server.starttls(context=context)
    server.login(user, key)
    print(server.send_message(message, mail_options=['SMTPUTF8'], rcpt_options=['NOTIFY=FAILURE']))
    try:
        server.sendmail('x@other.test', [to], 'From: x@other.test\\r\\nSubject: no\\r\\n\\r\\nno')
    except smtplib.SMTPDataError as error:
        print(error.smtp_code, error.smtp_error)
`
    const args = [
      '-c',
      script,
      `${service.submissionPort}`,
      'any',
      ann.token,
      `ann@${ann.domain}`,
      `bob@${to}`,
    ]
    const { text, code } = await run('/usr/bin/python3', args)
    expect(text).toContain("550 b'5.7.1 The from address domain is not verified.'")
    expect(code).toBe(0)
    await expect.poll(() => arrived('python').length, ARRIVAL).toBe(1)
  })

  describe('Postfix', () => {
    let postfix: RelayingPostfix
    beforeAll(async () => {
      postfix = await startRelayingPostfix(service.submissionPort, ann.token)
    }, 60_000)
    afterAll(() => postfix?.stop())

    const app = () => createTransport({ host: '127.0.0.1', port: postfix.port, ignoreTLS: true })
    const send = (fields: Record<string, unknown>) =>
      app().sendMail({ from: `ann@${ann.domain}`, to: `bob@${to}`, text: 'Hello', ...fields })

    test('that relays all mail of an application, to more recipients than it sends in one transaction', async () => {
      const recipients = Array.from({ length: 60 }, (_, index) => `r${index}@${to}`)
      await send({ subject: 'postfix many', envelope: { from: 'root@app.internal.test', to: recipients } })
      await expect.poll(() => arrived('postfix many').length, ARRIVAL).toBe(60)
      expect(postfix.log()).toMatch(/status=sent \(250 2\.0\.0 accepted as/)
    })

    test('with names and bodies in UTF-8', async () => {
      await send({ subject: 'postfix utf8', to: `grüße@${to}`, text: 'ü'.repeat(2_000) })
      await expect.poll(() => arrived('postfix utf8').length, ARRIVAL).toBe(1)
    })

    test('that bounces permanently rejected mail', async () => {
      await send({ subject: 'postfix refused', from: 'ceo@other.test' })
      await expect
        .poll(() => postfix.log(), ARRIVAL)
        .toMatch(/status=bounced \(host 127.*said: 550 5\.7\.1 The from address domain is not verified/)
    })

    test('that keeps temporarily rejected mail and retries it', async () => {
      await service.db.query('update team set sending_paused_at = $2 where id = $1', [ann.id, new Date()])
      await send({ subject: 'postfix later' })
      await expect.poll(() => postfix.log(), ARRIVAL).toMatch(/status=deferred .*Sending is paused/)
      await service.db.query('update team set sending_paused_at = null where id = $1', [ann.id])
      await expect.poll(() => arrived('postfix later').length, ARRIVAL).toBe(1)
    })
  })
})
