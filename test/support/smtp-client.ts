import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'

/** An SMTP client that sends exactly the given bytes and returns the replies. */
export interface RawSmtp {
  socket: Socket
  /** Resolves to the next complete reply, with lines joined by LF, or to null when the connection ends. */
  hear(): Promise<string | null>
  /** Writes bytes unchanged. */
  write(bytes: string | Buffer): void
  /** Sends a line and resolves to its reply. */
  say(line: string): Promise<string | null>
  /** Sends each line and resolves to the reply codes (`250 2.1.0`, or `250` without an enhanced code). */
  codes(...lines: string[]): Promise<string[]>
  /** Starts TLS, and resolves to a client over it. `servername` is the host that it names. */
  secure(servername?: string): Promise<RawSmtp>
  /** Resolves to everything received until the end. */
  rest(): Promise<string>
  close(): void
}

/** @param localAddress the client's address; by default, the system chooses it */
export async function openSmtp(port: number, host = '127.0.0.1', localAddress?: string): Promise<RawSmtp> {
  const socket = connect({ port, host, ...(localAddress === undefined ? {} : { localAddress }) })
  await once(socket, 'connect')
  return speak(socket)
}

export async function openSmtps(port: number, localAddress?: string): Promise<RawSmtp> {
  const from = localAddress === undefined ? {} : { localAddress }
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...from,
  } as ConnectionOptions)
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
    async secure(servername) {
      socket.off('data', onData)
      const named = servername === undefined ? {} : { servername }
      const secured = connectTls({ socket, rejectUnauthorized: false, ...named })
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

/** Returns the code of a reply: `550 5.1.1` for `550 5.1.1 No`, `gone` for the end of the connection. */
export function codeOf(reply: string | null): string {
  if (reply === null) return 'gone'
  return /^(\d{3})[ -](\d\.\d{1,3}\.\d{1,3})?/.exec(reply)?.slice(1).filter(Boolean).join(' ') ?? reply
}
