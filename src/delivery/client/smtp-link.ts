import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { escapeControls } from '../../lib/text/foreign-text.ts'
import { ReplyParser, type SmtpReply } from './smtp-reply.ts'
import type { SmtpFailure } from './smtp-types.ts'
import { vanishedPeers, type WatchedLink } from './vanished-peers.ts'

/**
 * Idle time before TCP sends keepalive probes. Node.js sends ten, one second apart, so a vanished peer is detected
 * within 20 seconds, even while the connection waits for a slow reply.
 */
const KEEPALIVE_MS = 10_000

/** The current owner of the connection: opening, transaction, or idle. */
export interface LinkListener {
  onReply(reply: SmtpReply): void
  /** Called once, when the socket is gone. */
  onLost(failure: SmtpFailure): void
  /** Called when the socket accepts bytes again. */
  onDrain?(): void
}

/**
 * The transport of one SMTP session: bytes out, replies in, one deadline. States: open (replies go to the listener) and
 * lost (`failure` is set, the socket destroyed, the listener called once). An unexpected, malformed or endless reply, a
 * passed deadline and a closed socket all lead to lost.
 *
 * The deadline covers a whole reply: bytes that trickle in do not extend it, so a server that sends one byte every ten
 * seconds holds a connection no longer than a silent one.
 */
export class SmtpLink implements WatchedLink {
  listener: LinkListener | null = null
  failure: SmtpFailure | null = null
  /** The longest time that this server took for a reply, in milliseconds. */
  slowestReplyMs = 0
  /** The local address; null when the socket closed at once. */
  readonly sourceAddress: string | null
  #socket: Socket
  #parser = new ReplyParser()
  /** The number of replies due. Any further reply is unsolicited. */
  #awaited = 0
  #deadlineAt = Number.POSITIVE_INFINITY
  #waitingFor = ''
  #timer: NodeJS.Timeout | null = null
  #timerAt = 0
  #armedAt = 0

  /** @param socket a connected socket */
  constructor(socket: Socket) {
    this.#socket = socket
    this.sourceAddress = socket.localAddress ?? null
    socket.setKeepAlive(true, KEEPALIVE_MS)
    this.#attach(socket)
    vanishedPeers.add(this)
  }

  /** For VanishedPeers, which needs its addresses and ports. */
  get socket(): Socket {
    return this.#socket
  }

  get waitingMs(): number {
    return this.#deadlineAt === Number.POSITIVE_INFINITY ? 0 : performance.now() - this.#armedAt
  }

  onVanished(): void {
    this.fail({ kind: 'closed', detail: 'the server stopped acknowledging data' })
  }

  /** Writes one or more commands that expect `replies` replies. */
  write(text: string, replies: number): void {
    this.#awaited += replies
    this.#socket.write(text, 'utf8')
  }

  /** Expects one more reply without a command: the greeting, or the reply to the message content. */
  awaitReply(): void {
    this.#awaited++
  }

  /** Writes content. Returns false when the socket's buffer is full; `onDrain` follows. */
  writeBytes(chunks: readonly Buffer[]): boolean {
    this.#socket.cork()
    let ready = true
    for (const chunk of chunks) ready = this.#socket.write(chunk)
    this.#socket.uncork()
    return ready
  }

  /** Replaces the deadline. `waitingFor` completes the sentence "the server did not ... in time". */
  arm(timeoutMs: number, waitingFor: string): void {
    const now = performance.now()
    this.#armedAt = now
    this.#deadlineAt = now + timeoutMs
    this.#waitingFor = waitingFor
    // A timer that fires before the deadline is left alone: it checks the deadline and rearms itself. Otherwise every
    // message would create and discard four timers.
    if (this.#timer !== null && this.#timerAt <= this.#deadlineAt) return
    this.#setTimer(now)
  }

  disarm(): void {
    this.#deadlineAt = Number.POSITIVE_INFINITY
  }

  /** Ends the link and reports the failure to the listener. Ignores all but the first failure. */
  fail(failure: SmtpFailure): void {
    if (this.failure !== null) return
    this.failure = failure
    vanishedPeers.remove(this)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#socket.destroy()
    this.listener?.onLost(failure)
  }

  /**
   * Upgrades the socket to TLS (RFC 3207). Bytes that arrived before the handshake end the connection, because an
   * attacker could have injected them (section 5). Resolves to the secured socket or the failure. A server that never
   * answers the handshake fails at it like one that refuses it: some hang at what they do not know in it.
   */
  secure(host: string, timeoutMs: number): Promise<TLSSocket | SmtpFailure> {
    if (this.failure !== null) return Promise.resolve(this.failure)
    const plain = this.#socket
    plain.removeAllListeners('data')
    return new Promise((resolve) => {
      // The caller verifies the certificate: opportunistic TLS must accept any (RFC 7435).
      const secured = connectTls({
        socket: plain,
        host,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        rejectUnauthorized: false,
      })
      const onLost = (failure: SmtpFailure) =>
        resolve(failure.kind === 'timeout' ? { ...failure, kind: 'tls_handshake', isTimeout: true } : failure)
      this.listener = { onReply: () => {}, onLost }
      this.arm(timeoutMs, 'finish the TLS handshake')
      secured.once('secureConnect', () => {
        secured.removeListener('error', failed)
        this.disarm()
        this.#socket = secured
        this.#attach(secured)
        resolve(secured)
      })
      const failed = (error: Error) =>
        this.fail({ kind: 'tls_handshake', detail: escapeControls(error.message).slice(0, 300) })
      secured.once('error', failed)
      secured.once('close', () =>
        this.fail({ kind: 'tls_handshake', detail: 'the server ended the TLS handshake' }),
      )
    })
  }

  /** True while only part of a reply has been read. */
  get partialReply(): boolean {
    return this.#parser.partial
  }

  #attach(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('drain', () => this.listener?.onDrain?.())
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#lose(`the connection broke (${error.code ?? error.message})`),
    )
    socket.on('end', () => this.#lose('the server closed the connection'))
    socket.on('close', () => this.#lose('the connection was closed'))
  }

  #lose(detail: string): void {
    // During the TLS handshake, the secured socket reports the loss of this one, with a more precise error.
    if (this.#socket.listenerCount('data') === 0) return
    this.fail({ kind: 'closed', detail })
  }

  #read(chunk: Buffer): void {
    // Counted before the first reply is handled: a reply to a command written from here on cannot be in this chunk.
    let due = this.#awaited
    for (const reply of this.#parser.push(chunk)) {
      if (this.failure !== null) return
      if (due === 0) {
        this.#failUnsolicited(reply)
        return
      }
      due--
      this.#awaited--
      this.slowestReplyMs = Math.max(this.slowestReplyMs, performance.now() - this.#armedAt)
      this.listener?.onReply(reply)
    }
    if (this.#parser.failure !== null) this.fail({ kind: 'protocol', detail: this.#parser.failure })
  }

  /**
   * RFC 5321 section 3.8: a server that shuts down sends an unsolicited 421. Any other unsolicited reply is a protocol
   * error.
   */
  #failUnsolicited(reply: SmtpReply): void {
    if (reply.code === 421)
      this.fail({ kind: 'closed', detail: `the server closed the connection: ${reply.text}` })
    else
      this.fail({
        kind: 'protocol',
        detail: `the server sent an unsolicited reply: ${reply.code} ${reply.text}`,
      })
  }

  #setTimer(now: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timerAt = this.#deadlineAt
    this.#timer = setTimeout(() => this.#onTimer(), this.#deadlineAt - now)
  }

  #onTimer(): void {
    this.#timer = null
    if (this.#deadlineAt === Number.POSITIVE_INFINITY) return
    const now = performance.now()
    if (now < this.#deadlineAt) this.#setTimer(now)
    else this.fail({ kind: 'timeout', detail: `the server did not ${this.#waitingFor} in time` })
  }
}
