import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface TimingSink {
  port: number
  /**
   * Resolves with the time (performance.now) at which the 250 for the next message was written. Throws after
   * `timeoutMs`.
   */
  nextMessage(timeoutMs: number): Promise<number>
  stop(): void
}

const EXTENSIONS = '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SIZE 50000000\r\n250 SMTPUTF8\r\n'
const END_OF_DATA = '\r\n.\r\n'

function answerCommand(line: string): string {
  const verb = line.slice(0, 4).toUpperCase()
  if (verb === 'EHLO') return EXTENSIONS
  if (verb === 'DATA') return '354 go ahead\r\n'
  return verb === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n'
}

/** Starts an SMTP server that accepts everything and reports when. Without a port, it takes a free one. */
export async function startTimingSink({ host = '127.0.0.1', port = 0 } = {}): Promise<TimingSink> {
  let notify: ((at: number) => void) | null = null

  const converse = (socket: Socket) => {
    let received = ''
    let inData = false
    /** Handles one command or one message. Returns false if more bytes are needed. */
    const handleOne = (): boolean => {
      const end = received.indexOf(inData ? END_OF_DATA : '\r\n')
      if (end < 0) return false
      if (inData) {
        received = received.slice(end + END_OF_DATA.length)
        inData = false
        socket.write('250 2.0.0 taken\r\n')
        notify?.(performance.now())
        return true
      }
      const line = received.slice(0, end)
      received = received.slice(end + 2)
      inData = /^data$/i.test(line)
      socket.write(answerCommand(line))
      if (/^quit$/i.test(line)) socket.end()
      return true
    }
    socket.setNoDelay(true).setEncoding('latin1')
    socket.write('220 sink ESMTP\r\n')
    socket.on('data', (text: string) => {
      received += text
      while (handleOne());
    })
    // A client may disconnect without QUIT.
    socket.on('error', () => socket.destroy())
  }

  const server = createServer(converse).listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP port')
  return {
    port: address.port,
    nextMessage: (timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no message after ${timeoutMs / 1000} s`)), timeoutMs)
        notify = (at) => {
          clearTimeout(timer)
          resolve(at)
        }
      }),
    stop: () => server.close(),
  }
}
