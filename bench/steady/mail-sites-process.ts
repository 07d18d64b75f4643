/**
 * The mail servers of startMailSites. They implement only as much of SMTP (RFC 5321) as they need to accept
 * mail, delay it or refuse it.
 */
import { createServer, type Socket } from 'node:net'
import { type Arrival, type Behaviour, type FromSites, nowMs, type ToSites } from './mail-sites.ts'

const EXTENSIONS = '250-site\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SIZE 50000000\r\n250 SMTPUTF8\r\n'
const END_OF_DATA = Buffer.from('\r\n.\r\n')
const FLUSH_MS = 100
const PORT_ATTEMPTS_MAX = 20

const behaviours = new Map<string, Behaviour>()
let arrivals: Arrival[] = []
let connections: [string, number][] = []

function replyTo(line: string): string {
  const verb = line.slice(0, 4).toUpperCase()
  if (verb === 'EHLO') return EXTENSIONS
  if (verb === 'DATA') return '354 go ahead\r\n'
  return verb === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n'
}

/**
 * One SMTP connection. States: *commands*, handled one at a time, each reply before the next command; *data*,
 * until the final dot.
 */
class Session {
  readonly #socket: Socket
  readonly #behaviour: () => Behaviour
  #received: Buffer = Buffer.alloc(0)
  #isData = false
  #isBusy = false
  #recipients: { recipient: string; attemptedMs: number }[] = []

  constructor(socket: Socket, behaviour: () => Behaviour) {
    this.#socket = socket
    this.#behaviour = behaviour
    socket.setNoDelay(true)
    // A client may disconnect without QUIT.
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => {
      this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
      if (!this.#isBusy) this.#handleAll()
    })
    this.#isBusy = true
    this.#send('220 site ESMTP\r\n')
  }

  #handleAll(): void {
    while (!this.#isBusy && !this.#socket.destroyed && this.#handleOne());
  }

  /** Handles one command or one message. Returns false if more bytes are needed. */
  #handleOne(): boolean {
    const end = this.#received.indexOf(this.#isData ? END_OF_DATA : '\r\n')
    if (end < 0) {
      // Keep only the bytes of an incomplete message that may be part of the end mark.
      if (this.#isData) this.#received = this.#received.subarray(-END_OF_DATA.length)
      return false
    }
    if (this.#isData) {
      this.#received = this.#received.subarray(end + END_OF_DATA.length)
      this.#isData = false
      this.#endMessage()
      return true
    }
    const line = this.#received.toString('latin1', 0, end)
    this.#received = this.#received.subarray(end + 2)
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1]
    if (recipient !== undefined) this.#recipients.push({ recipient, attemptedMs: nowMs() })
    this.#isData = /^data$/i.test(line)
    this.#send(replyTo(line))
    if (/^quit$/i.test(line)) this.#socket.end()
    return true
  }

  #endMessage(): void {
    const isTaken = this.#behaviour().kind === 'takes'
    if (isTaken) this.#send('250 2.0.0 taken\r\n')
    else this.#socket.destroy()
    const endedMs = nowMs()
    for (const one of this.#recipients) arrivals.push({ ...one, endedMs, isTaken })
    this.#recipients = []
  }

  #send(text: string): void {
    const behaviour = this.#behaviour()
    const delayMs = behaviour.kind === 'takes' ? behaviour.delayMs : 0
    if (delayMs === 0) {
      this.#socket.write(text)
      this.#isBusy = false
      return
    }
    this.#isBusy = true
    setTimeout(() => {
      if (this.#socket.destroyed) return
      this.#socket.write(text)
      this.#isBusy = false
      this.#handleAll()
    }, delayMs)
  }
}

function serve(address: string, port: number): Promise<number> {
  const behaviour = (): Behaviour => behaviours.get(address) ?? { kind: 'takes', delayMs: 0 }
  const server = createServer((socket) => {
    connections.push([address, nowMs()])
    if (behaviour().kind === 'down') socket.destroy()
    else new Session(socket, behaviour)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => resolve((server.address() as { port: number }).port))
  })
}

/** Listens on one port at all addresses. A port that is free at the first address may be in use at another. */
async function serveAll(addresses: readonly string[]): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await serve(addresses[0] as string, 0)
    try {
      await Promise.all(addresses.slice(1).map((address) => serve(address, port)))
      return port
    } catch (error) {
      if (attempt === PORT_ATTEMPTS_MAX) throw error
    }
  }
}

process.on('message', (message: ToSites) => {
  behaviours.set(message.address, message.behaviour)
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
setInterval(() => {
  if (arrivals.length === 0 && connections.length === 0) return
  process.send?.({ kind: 'arrivals', arrivals, connections } satisfies FromSites)
  arrivals = []
  connections = []
}, FLUSH_MS)
const port = await serveAll(JSON.parse(process.argv[2] ?? '[]') as string[])
process.send?.({ kind: 'listening', port } satisfies FromSites)
