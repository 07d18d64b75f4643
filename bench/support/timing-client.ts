import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { DOMAIN, RECIPIENT_DOMAIN } from './names.ts'

export interface TimingClient {
  /**
   * Sends one message over the persistent connection. Resolves with the time (performance.now) at which sending
   * began.
   */
  send(message: string): Promise<number>
  close(): void
}

/** Starts a minimal SMTP client, to measure how long one message takes through a server. */
export async function startTimingClient(port: number): Promise<TimingClient> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()

  const readReply = async (): Promise<void> => {
    for (;;) {
      const { value: line, done } = await lines.next()
      if (done === true) throw new Error('the server closed the connection')
      if (/^[45]/.test(line)) throw new Error(`the server refused: ${line}`)
      // A hyphen after the code means that more lines follow (RFC 5321 section 4.2.1).
      if (line[3] !== '-') return
    }
  }
  const command = async (text: string): Promise<void> => {
    socket.write(text)
    await readReply()
  }

  await once(socket, 'connect')
  await readReply()
  await command(`EHLO client.${DOMAIN}\r\n`)
  return {
    async send(message) {
      const startedAt = performance.now()
      await command(`MAIL FROM:<orders@${DOMAIN}>\r\n`)
      await command(`RCPT TO:<customer@${RECIPIENT_DOMAIN}>\r\n`)
      await command('DATA\r\n')
      await command(`${message.replaceAll('\n', '\r\n')}.\r\n`)
      return startedAt
    },
    close: () => socket.destroy(),
  }
}
