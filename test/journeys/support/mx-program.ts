import { fdatasync, openSync, writeSync } from 'node:fs'
import { SMTPServer } from 'smtp-server'

/**
 * The receiving server, a separate process that shares no code with the product. It accepts a message only when its
 * line in the ledger is on disk. Arguments: port, ledger, milliseconds that a message takes (`hold`: forever).
 */
const [port = '0', ledger = '', takes = '0'] = process.argv.slice(2)
const file = openSync(ledger, 'a')

function write(line: Record<string, unknown>, done: () => void): void {
  writeSync(file, `${JSON.stringify({ ...line, at_ms: Date.now() })}\n`)
  fdatasync(file, done)
}

function field(message: string, name: string): string {
  const header = message.slice(0, message.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(header)?.[1]?.trim() ?? ''
}

const server = new SMTPServer({
  name: 'mx.destination.test',
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onConnect(session, callback) {
    write({ event: 'opened', connection: session.id }, () => callback())
  },
  onClose(session) {
    write({ event: 'closed', connection: session.id }, () => {})
  },
  onData(stream, session, callback) {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      const message = Buffer.concat(parts).toString('latin1')
      const keep = () =>
        write(
          {
            event: 'stored',
            connection: session.id,
            to: session.envelope.rcptTo.map((recipient) => recipient.address).join(','),
            message_id: field(message, 'Message-ID'),
            subject: field(message, 'Subject'),
          },
          () => callback(null, 'kept'),
        )
      if (takes === 'hold') write({ event: 'held', connection: session.id }, () => {})
      else setTimeout(keep, Number(takes))
    })
  },
})
// A killed sender resets its connection, which is not an error of this server.
server.on('error', () => {})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
process.on('disconnect', () => process.exit())
