import { Conversation } from '../../../src/delivery/conversation.ts'
import { openSmtp } from '../../../src/delivery/smtp-open.ts'

/** Sends one message as the engine does, whatever its bytes are; throws unless it was accepted. */
export async function sendRaw(port: number, chunks: readonly Buffer[]): Promise<void> {
  const opened = await openSmtp(
    { host: 'mx.receiver.test', address: '127.0.0.1', port },
    { ehloName: 'mail.sendwright.test', guard: null, tls: 'off' },
  )
  if (!opened.ok) throw new Error(`no connection: ${JSON.stringify(opened)}`)
  const { connection } = opened
  try {
    const size = chunks.reduce((sum, { length }) => sum + length, 0)
    const envelope = { from: 'bounce@sender.test', to: 'ann@receiver.test', smtpUtf8: false, size }
    const outcome = await connection.send(envelope, [...chunks], new Conversation())
    if (outcome.reply?.code !== 250) throw new Error(`not accepted: ${JSON.stringify(outcome)}`)
  } finally {
    connection.close()
  }
}
