import { onTestFinished } from 'vitest'
import type { Envelope, SmtpConnection } from '../../src/delivery/client/smtp-connection.ts'
import { openSmtp } from '../../src/delivery/client/smtp-open.ts'
import type { OpenOptions } from '../../src/delivery/client/smtp-types.ts'
import { Transcript } from '../../src/delivery/client/transcript.ts'
import { startMx, type TestMx } from './mx.ts'
import type { MxOptions } from './mx-script.ts'

/** Starts a scripted server and opens a connection to it. Both end with the test. */
export async function givenConnection(options: MxOptions = {}, open: Partial<OpenOptions> = {}) {
  const mx = await startMx(options)
  onTestFinished(() => mx.close())
  const outcome = await openSmtp(
    { host: 'mx.test', address: mx.host, port: mx.port },
    { ehloName: 'sender.test', guard: null, tls: 'off', ...open },
  )
  if (!outcome.ok) throw new Error(JSON.stringify(outcome))
  onTestFinished(() => outcome.connection.close())
  return { mx, connection: outcome.connection }
}

export const BODY = Buffer.from('Subject: hello\r\nMessage-ID: <1@sender.test>\r\n\r\nHello\r\n')

/** Runs one transaction. Returns its outcome and its transcript as `C MAIL ...`. */
export async function sendMessage(
  connection: SmtpConnection,
  more: Partial<Envelope> = {},
  message: Buffer[] = [BODY],
) {
  const transcript = new Transcript()
  const size = message.reduce((sum, { length }) => sum + length, 0)
  const envelope = { from: 'bounce@sender.test', to: 'ann@rcpt.test', smtpUtf8: false, size, ...more }
  const outcome = await connection.send(envelope, message, transcript)
  return { outcome, transcript: transcript.lines.map(({ who, text }) => `${who} ${text}`) }
}

export const linesOf = (mx: TestMx) => mx.commands.map(({ line }) => line)
