import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import nodemailer from 'nodemailer'

const tlsFile = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))

/** Settings for a listener on any port, with an existing certificate. */
export const INBOUND: Readonly<Record<string, string>> = {
  SENDWRIGHT_INBOUND_PORT: '0',
  SENDWRIGHT_TLS_CERT: tlsFile('mx.cert.pem'),
  SENDWRIGHT_TLS_KEY: tlsFile('mx.key.pem'),
}

/** A message for the inbound port. */
export interface InboundMessage {
  /** The envelope sender; by default, the null one. */
  from?: string
  to: string | string[]
  message: string
  /** The client's address. */
  localAddress?: string
}

/** Sends a message to the port, and returns the last reply. */
export async function bring(
  port: number,
  { from = '', to, message, localAddress = '127.0.0.1' }: InboundMessage,
): Promise<string> {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    localAddress,
    port,
    tls: { rejectUnauthorized: false },
  })
  try {
    const info = await transport.sendMail({ envelope: { from, to }, raw: message })
    return info.response
  } catch (error) {
    const { response, message: text } = error as { response?: string; message: string }
    return response ?? text
  } finally {
    transport.close()
  }
}

/** Writes bytes unchanged after the greeting, and returns everything received until the end. */
export async function talk(port: number, octets: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let answers = ''
  socket.on('data', (chunk: Buffer) => {
    if (answers === '') socket.write(Buffer.from(octets, 'latin1'))
    answers += chunk.toString('latin1')
  })
  await once(socket, 'close')
  return answers
}

/** Returns the local part of a return path. */
export const tokenOf = (returnPath: string) => returnPath.split('@')[0] as string

interface StatusDsn {
  recipient: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed'
  status: string
  diagnostic?: string
  /** Additional groups of fields. */
  more?: string
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`

/** Returns a delivery status notification (RFC 3464). */
export function statusDsn({ recipient, action, status, diagnostic, more = '' }: StatusDsn): string {
  return lines(
    'From: Mail Delivery System <MAILER-DAEMON@mx.receiver.test>',
    'To: <returned@mail.sendwright.test>',
    'Subject: Delivery Status Notification',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'Something became of your message.',
    '',
    '--b1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.receiver.test',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; inner.receiver.test',
    `Diagnostic-Code: smtp; ${diagnostic ?? `${status.startsWith('5') ? 550 : 450} ${status} Said so`}`,
    ...(more === '' ? [] : ['', more]),
    '',
    '--b1',
    'Content-Type: text/rfc822-headers',
    '',
    'From: Ann <ann@sender.test>',
    'Subject: Hello',
    '',
    '--b1--',
  )
}

/** Returns a feedback report (RFC 5965) with the header of the message in question. */
export function feedbackReport({
  feedback = 'abuse',
  header = '',
}: {
  feedback?: string
  header?: string
} = {}): string {
  return lines(
    'From: <staff@provider.test>',
    'Subject: FW: Hello',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is an email abuse report.',
    '',
    '--b1',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${feedback}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    '',
    '--b1',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    `${header}From: <ann@sender.test>`,
    'Subject: Hello',
    'To: <undisclosed@provider.test>',
    '',
    'Hello',
    '',
    '--b1--',
  )
}

/** A reply of a vacation program (RFC 3834). */
export const vacation = lines(
  'From: <bob@receiver.test>',
  'To: <returned@mail.sendwright.test>',
  'Subject: Out of office',
  'Auto-Submitted: auto-replied (vacation)',
  '',
  'Back on Monday. 550 5.1.1 User unknown is not what this is.',
)

/** A message written by a person. */
export const personalMessage = lines(
  'From: Bob <bob@receiver.test>',
  'To: <unsubscribe@mail.sendwright.test>',
  'Subject: unsubscribe',
  'Message-ID: <1@receiver.test>',
  '',
  'unsubscribe',
)
