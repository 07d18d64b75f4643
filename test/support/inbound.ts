import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import nodemailer from 'nodemailer'

const tlsFile = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))

/** Settings for a listener on any port, with a certificate that need not be made first. */
export const INBOUND: Readonly<Record<string, string>> = {
  SENDWRIGHT_INBOUND_PORT: '0',
  SENDWRIGHT_TLS_CERT: tlsFile('mx.cert.pem'),
  SENDWRIGHT_TLS_KEY: tlsFile('mx.key.pem'),
}

/** What somebody brings to the inbound port. */
export interface Brought {
  /** The envelope's sender; by default the null one. */
  from?: string
  to: string | string[]
  message: string
}

/** Gives a message to the port and tells the last reply, whatever it is. */
export async function bring(port: number, { from = '', to, message }: Brought): Promise<string> {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
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

/** Writes octets as they are, once the greeting is there, and gives all that is answered until the end. */
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

/** The local part of a return path that a message came with. */
export const tokenOf = (returnPath: string) => returnPath.split('@')[0] as string

interface StatusDsn {
  recipient: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed'
  status: string
  diagnostic?: string
  /** Further groups of fields. */
  more?: string
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`

/** A delivery status notification as RFC 3464 has it. */
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

/** A feedback report as RFC 5965 has it, with the header of the message that it is about. */
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

/** What a vacation program answers (RFC 3834). */
export const vacation = lines(
  'From: <bob@receiver.test>',
  'To: <returned@mail.sendwright.test>',
  'Subject: Out of office',
  'Auto-Submitted: auto-replied (vacation)',
  '',
  'Back on Monday. 550 5.1.1 User unknown is not what this is.',
)

/** What a person's mail program writes. */
export const byHand = lines(
  'From: Bob <bob@receiver.test>',
  'To: <unsubscribe@mail.sendwright.test>',
  'Subject: unsubscribe',
  'Message-ID: <1@receiver.test>',
  '',
  'unsubscribe',
)
