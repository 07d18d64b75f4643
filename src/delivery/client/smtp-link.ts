import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { escapeControls } from '../../lib/text/foreign-text.ts'
import { ReplyParser, type SmtpReply } from './smtp-reply.ts'
import type { SmtpFailure } from './smtp-types.ts'
import { vanishedPeers, type WatchedLink } from './vanished-peers.ts'

/**
 * Silence after which TCP asks whether the other side is still there. Node.js has it ask ten times, a second apart: a peer
 * that is gone is noticed within 20 s, also by a connection that waits for a slow answer.
 */
const KEEPALIVE_MS = 10_000

/** Whoever holds the conversation at the moment. */
export interface LinkListener {
  onReply(reply: SmtpReply): void
  /** Once; the socket is gone. */
  onLost(failure: SmtpFailure): void
  /** The socket takes bytes again. */
  onDrain?(): void
}

/**
 * The wire under a conversation: bytes out, replies in, one deadline. States: open (replies go to the listener) and
 * lost (`failure` is set, the socket destroyed, the listener told once). A reply that nobody waits for, a malformed or
 * endless one, a passed deadline and a closed socket all end in lost.
 *
 * The deadline covers a whole reply: bytes that trickle in do not extend it, so that one byte every ten seconds holds
 * a connection no longer than silence does.
 */
export class SmtpLink implements WatchedLink {
  listener: LinkListener | null = null
  failure: SmtpFailure | null = null
  /** How long this server has taken for a reply at most, milliseconds. */
  slowestReplyMs = 0
  /** The address of this end; null when it was gone at once. */
  readonly sourceAddress: string | null
  #socket: Socket
  #parser = new ReplyParser()
  /** Replies that are due: more than these are unsolicited. */
  #awaited = 0
  #deadlineAt = Number.POSITIVE_INFINITY
  #waitingFor = ''
  #timer: NodeJS.Timeout | null = null
  #timerAt = 0
  #armedAt = 0

  /** `socket` is connected. */
  constructor(socket: Socket) {
    this.#socket = socket
    this.sourceAddress = socket.localAddress ?? null
    socket.setKeepAlive(true, KEEPALIVE_MS)
    this.#attach(socket)
    vanishedPeers.add(this)
  }

  /** For whoever watches it alone. */
  get socket(): Socket {
    return this.#socket
  }

  get waitingMs(): number {
    return this.#deadlineAt === Number.POSITIVE_INFINITY ? 0 : performance.now() - this.#armedAt
  }

  onVanished(): void {
    this.fail({ kind: 'closed', detail: 'the server has vanished: it acknowledges nothing that we send' })
  }

  /** Writes one or more commands, `replies` of which will be answered. */
  write(text: string, replies: number): void {
    this.#awaited += replies
    this.#socket.write(text, 'utf8')
  }

  /** One more reply is due without a command: the greeting, or the answer to the content. */
  awaitReply(): void {
    this.#awaited++
  }

  /** Content; false when the socket's buffer is full and `onDrain` will be called. */
  writeBytes(chunks: readonly Buffer[]): boolean {
    this.#socket.cork()
    let ready = true
    for (const chunk of chunks) ready = this.#socket.write(chunk)
    this.#socket.uncork()
    return ready
  }

  /** Sets the one deadline anew. `waitingFor` completes the sentence "the server did not ... in time". */
  arm(timeoutMs: number, waitingFor: string): void {
    const now = performance.now()
    this.#armedAt = now
    this.#deadlineAt = now + timeoutMs
    this.#waitingFor = waitingFor
    // The timer is left alone when it fires early enough: it looks at the deadline and sets itself again. Four timers
    // per message would otherwise be made and thrown away.
    if (this.#timer !== null && this.#timerAt <= this.#deadlineAt) return
    this.#setTimer(now)
  }

  disarm(): void {
    this.#deadlineAt = Number.POSITIVE_INFINITY
  }

  /** Ends the link. The first failure counts; the listener hears of it once. */
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
   * Wraps the socket into TLS (RFC 3207). Whatever the server sent before is dropped with the connection, because it
   * could have been put there by somebody in between (section 5). Resolves to the secured socket or the failure.
   */
  secure(host: string, timeoutMs: number): Promise<TLSSocket | SmtpFailure> {
    if (this.failure !== null) return Promise.resolve(this.failure)
    const plain = this.#socket
    plain.removeAllListeners('data')
    return new Promise((resolve) => {
      // The certificate is judged by the caller: opportunistic TLS must go on with any (RFC 7435).
      const secured = connectTls({
        socket: plain,
        host,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        rejectUnauthorized: false,
      })
      this.listener = { onReply: () => {}, onLost: resolve }
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

  /** True when bytes of a reply that is not complete were read. */
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
    // While TLS begins the raw socket's end is the handshake's end, which says it better.
    if (this.#socket.listenerCount('data') === 0) return
    this.fail({ kind: 'closed', detail })
  }

  #read(chunk: Buffer): void {
    // Counted before the first is handled: an answer to what is written from here on cannot be in this chunk.
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

  /** RFC 5321 section 3.8: a server that shuts down says 421 unasked. Anything else unasked is a broken protocol. */
  #failUnsolicited(reply: SmtpReply): void {
    if (reply.code === 421)
      this.fail({ kind: 'closed', detail: `the server closed the connection: ${reply.text}` })
    else
      this.fail({
        kind: 'protocol',
        detail: `a reply came that nobody asked for: ${reply.code} ${reply.text}`,
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
