import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

/** A client that says exactly what it is told to, and hears what it is answered. */
export interface RawSmtp {
  socket: Socket
  /** The next whole reply, lines joined by LF; null when the connection ends. */
  hear(): Promise<string | null>
  /** Writes bytes as they are. */
  write(bytes: string | Buffer): void
  /** Writes a line and hears its answer. */
  say(line: string): Promise<string | null>
  /** Says each, hears each; gives the codes (`250 2.1.0`, or `250` where there is no enhanced one). */
  codes(...lines: string[]): Promise<string[]>
  /** TLS from here on: a client that hears in it. */
  secure(): Promise<RawSmtp>
  /** Everything that is still said, to the end. */
  rest(): Promise<string>
  close(): void
}

export async function openSmtp(port: number, host = '127.0.0.1'): Promise<RawSmtp> {
  const socket = connect(port, host)
  await once(socket, 'connect')
  return speak(socket)
}

export async function openSmtps(port: number): Promise<RawSmtp> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  return speak(socket)
}

function speak(socket: Socket | TLSSocket): RawSmtp {
  let text = ''
  let isOver = false
  let wake = () => {}
  const onData = (chunk: Buffer) => {
    text += chunk.toString('latin1')
    wake()
  }
  const onEnd = () => {
    isOver = true
    wake()
  }
  socket.on('data', onData)
  socket.on('end', onEnd)
  socket.on('close', onEnd)
  socket.on('error', onEnd)
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const client: RawSmtp = {
    socket,
    async hear() {
      for (;;) {
        const whole = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/.exec(text)?.[0]
        if (whole !== undefined) {
          text = text.slice(whole.length)
          return whole.trimEnd().replaceAll('\r\n', '\n')
        }
        if (isOver) return null
        await next()
      }
    },
    write: (bytes) => void socket.write(bytes),
    say(line) {
      socket.write(`${line}\r\n`)
      return client.hear()
    },
    async codes(...lines) {
      const codes: string[] = []
      for (const line of lines) codes.push(codeOf(await client.say(line)))
      return codes
    },
    async secure() {
      socket.off('data', onData)
      const secured = connectTls({ socket, rejectUnauthorized: false })
      await once(secured, 'secureConnect')
      return speak(secured)
    },
    async rest() {
      while (!isOver) await next()
      return text
    },
    close: () => void socket.destroy(),
  }
  return client
}

/** `550 5.1.1 No` is `550 5.1.1`; the end of the connection is `gone`. */
export function codeOf(reply: string | null): string {
  if (reply === null) return 'gone'
  return /^(\d{3})[ -](\d\.\d{1,3}\.\d{1,3})?/.exec(reply)?.slice(1).filter(Boolean).join(' ') ?? reply
}
