import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { DOMAIN, RECIPIENT_DOMAIN } from './names.ts'

export interface TimingClient {
  /** Sends one message over the kept connection; resolves with when (performance.now) it began to. */
  send(message: string): Promise<number>
  close(): void
}

/** An SMTP client with nothing in its way, for the time that one message takes through a server. */
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
  const say = async (text: string): Promise<void> => {
    socket.write(text)
    await readReply()
  }

  await once(socket, 'connect')
  await readReply()
  await say(`EHLO client.${DOMAIN}\r\n`)
  return {
    async send(message) {
      const startedAt = performance.now()
      await say(`MAIL FROM:<orders@${DOMAIN}>\r\n`)
      await say(`RCPT TO:<customer@${RECIPIENT_DOMAIN}>\r\n`)
      await say('DATA\r\n')
      await say(`${message.replaceAll('\n', '\r\n')}.\r\n`)
      return startedAt
    },
    close: () => socket.destroy(),
  }
}
