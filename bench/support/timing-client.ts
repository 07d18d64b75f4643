import { on, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { DOMAIN, RECIPIENT_DOMAIN } from './names.ts'

/** Times (performance.now) of one message: when sending began, and when the server took responsibility for it. */
export interface Timing {
  startedAt: number
  acceptedAt: number
}

export interface TimingClient {
  /** Sends one message over the persistent connection. */
  send(message: string): Promise<Timing>
  close(): void
}

/**
 * Starts a minimal HTTP client, which sends the bodies of POST requests. A bare socket, like that of the SMTP client:
 * `fetch` takes most of a millisecond of the processor that the server needs.
 */
export async function startHttpTimingClient(port: number, path: string, key: string): Promise<TimingClient> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n`
  return {
    async send(body) {
      const length = Buffer.byteLength(body)
      const startedAt = performance.now()
      socket.write(`${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`)
      const answer = await readAnswer(socket)
      const acceptedAt = performance.now()
      if (!answer.startsWith('HTTP/1.1 202 ')) throw new Error(`POST ${path}: ${answer}`)
      return { startedAt, acceptedAt }
    },
    close: () => socket.destroy(),
  }
}

/** Reads one answer, whose header gives the length of its body. */
async function readAnswer(socket: Socket): Promise<string> {
  let answer = ''
  for await (const [data] of on(socket, 'data', { close: ['close'] })) {
    answer += (data as Buffer).toString('latin1')
    const [head = '', body] = answer.split('\r\n\r\n', 2)
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1])
    if (body !== undefined && !(body.length < length)) return answer
  }
  throw new Error('the server closed the connection')
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
      return { startedAt, acceptedAt: performance.now() }
    },
    close: () => socket.destroy(),
  }
}
