import { once } from 'node:events'
import { connect } from 'node:net'
import { openSmtp } from '../../../src/delivery/client/smtp-open.ts'
import { Transcript } from '../../../src/delivery/client/transcript.ts'

/**
 * Sends one message with the product's SMTP client, whatever its bytes. Throws unless it was accepted. Returns the
 * sent lines.
 */
export async function sendRaw(
  port: number,
  chunks: readonly Buffer[],
  mayChunk = false,
  address = '127.0.0.1',
): Promise<string[]> {
  const opened = await openSmtp(
    { host: 'mx.receiver.test', address, port },
    { ehloName: 'mail.sendwright.test', guard: null, tls: 'off' },
  )
  if (!opened.ok) throw new Error(`no connection: ${JSON.stringify(opened)}`)
  const { connection } = opened
  try {
    const size = chunks.reduce((sum, { length }) => sum + length, 0)
    const envelope = { from: 'bounce@sender.test', to: 'ann@receiver.test', smtpUtf8: false, size, mayChunk }
    const log = new Transcript()
    const outcome = await connection.send(envelope, [...chunks], log)
    if (outcome.reply?.code !== 250) throw new Error(`not accepted: ${JSON.stringify(outcome)}`)
    return log.lines.filter(({ who }) => who === 'C').map(({ text }) => text)
  } finally {
    connection.close()
  }
}

const GIVEN_UP_MS = 500

/** Sends a message unchanged, as a client without dot-stuffing, and waits for the result. */
export async function sendNaively(port: number, message: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const steps = [
    'EHLO x\r\n',
    'MAIL FROM:<a@evil.test>\r\n',
    'RCPT TO:<b@receiver.test>\r\n',
    'DATA\r\n',
    message,
  ]
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1')
    if (!/^\d{3} [^\n]*\n$/m.test(heard)) return
    heard = ''
    const step = steps.shift()
    if (step !== undefined) socket.write(step)
    else socket.setTimeout(GIVEN_UP_MS, () => socket.destroy())
  })
  // This server does not recognize some ends of data: it waits for more, and accepted nothing.
  socket.setTimeout(GIVEN_UP_MS * 2, () => socket.destroy())
  await once(socket, 'close')
}
