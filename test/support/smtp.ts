import { onTestFinished } from 'vitest'
import type { Envelope, SmtpConnection } from '../../src/delivery/client/smtp-connection.ts'
import { openSmtp } from '../../src/delivery/client/smtp-open.ts'
import type { OpenOptions } from '../../src/delivery/client/smtp-types.ts'
import { Conversation } from '../../src/delivery/client/transcript.ts'
import { startMx, type TestMx } from './mx.ts'
import type { MxOptions } from './mx-script.ts'

/** A server that does as its script says and our connection to it; both end with the test. */
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

/** One transaction: its outcome, and its conversation as `C MAIL ...`. */
export async function sendMessage(
  connection: SmtpConnection,
  more: Partial<Envelope> = {},
  message: Buffer[] = [BODY],
) {
  const log = new Conversation()
  const size = message.reduce((sum, { length }) => sum + length, 0)
  const envelope = { from: 'bounce@sender.test', to: 'ann@rcpt.test', smtpUtf8: false, size, ...more }
  const outcome = await connection.send(envelope, message, log)
  return { outcome, log: log.lines.map(({ who, text }) => `${who} ${text}`) }
}

export const linesOf = (mx: TestMx) => mx.commands.map(({ line }) => line)
