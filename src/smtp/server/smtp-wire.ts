import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { formatReply } from './format-reply.ts'
import type { MessageContent } from './message-content.ts'
import { Patience } from './patience.ts'
import { reply, type SmtpLimits, type SmtpReply } from './smtp-types.ts'
import { WireInput, type WireLine } from './wire-input.ts'

/** Time between the last reply and the close, for a client that reads it. */
const LINGER_MS = 5_000
const SLOW = reply(421, '4.4.2', 'You are too slow')

/** The connection below the command level: lines and messages in, replies out, TLS, and time limits. */
export class SmtpWire {
  readonly #input: WireInput
  readonly #patience: Patience
  #socket: Socket

  constructor(socket: Socket, limits: SmtpLimits) {
    this.#socket = socket
    this.#input = new WireInput(socket)
    this.#patience = new Patience(limits, this.#input, () => this.shed(SLOW))
    socket.on('error', () => this.#input.close())
  }

  /** Whether unread input has arrived. */
  get hasMore(): boolean {
    return this.#input.hasMore
  }

  /**
   * Returns `hasMore` after one full turn of the event loop, so that bytes which reached this machine together with the
   * last command are seen, even if the socket delivered them separately.
   */
  async hasMoreSoon(): Promise<boolean> {
    this.#input.readAhead()
    for (let turn = 0; turn < 2 && !this.hasMore; turn++)
      await new Promise((resolve) => setImmediate(resolve))
    return this.hasMore
  }

  get isOver(): boolean {
    return this.#input.isClosed
  }

  /** Whether the session waits for a command. */
  get isIdle(): boolean {
    return this.#patience.phase === 'command'
  }

  /** The client has authenticated, or need not: it may now be silent for longer. */
  trust(): void {
    this.#patience.known()
  }

  /** Returns the next line; null at the end of the connection. */
  async readLine(): Promise<WireLine | null> {
    this.#patience.enter('command')
    const line = await this.#input.readLine()
    this.#patience.enter('work')
    return line
  }

  /**
   * Reads a message up to its final dot; returns false when the connection ends, or `mayGoOn` returns false, before
   * that. While it waits for `mayGoOn` nothing is read, and the client is not too slow.
   */
  async readContent(content: MessageContent, mayGoOn: () => Promise<boolean> | boolean): Promise<boolean> {
    this.#patience.enter('content', content)
    const isWhole = await this.#input.readContent(content, async () => {
      const answer = mayGoOn()
      if (typeof answer === 'boolean') return answer
      this.#patience.enter('work')
      const isAllowed = await answer
      this.#patience.enter('content', content)
      return isAllowed
    })
    this.#patience.enter('work')
    return isWhole
  }

  /** Writes a reply without waiting for it to be sent. */
  write(answer: SmtpReply): void {
    if (this.#socket.writable) this.#socket.write(formatReply(answer))
    this.#patience.answered()
  }

  /** Writes a reply and waits. A client that does not read its replies gets no more, and soon exceeds its time. */
  async say(answer: SmtpReply): Promise<void> {
    this.write(answer)
    if (!this.#socket.writableNeedDrain) return
    this.#patience.enter('command')
    await Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined)
    this.#patience.enter('work')
  }

  /**
   * Starts TLS on the connection; returns its protocol, or null when the handshake fails. No plain text is read
   * once it has been called.
   */
  async secure(secureContext: SecureContext): Promise<string | null> {
    this.#patience.enter('command')
    this.#input.letGo()
    const secured = new TLSSocket(this.#socket, { isServer: true, secureContext })
    this.#socket = secured
    secured.on('error', () => this.#input.close())
    this.#input.changeTo(secured)
    const isSecured = await Promise.race([
      once(secured, 'secure').then(() => true),
      once(secured, 'close').then(() => false),
    ]).catch(() => false)
    this.#patience.enter('work')
    return isSecured ? (secured.getProtocol() ?? 'TLS') : null
  }

  shed(answer: SmtpReply): void {
    this.write(answer)
    this.leave()
  }

  /** Sends the last reply and discards further input, because closing at once would reset the connection. */
  leave(): void {
    this.#patience.end()
    this.#input.discard()
    if (this.#socket.destroyed) return
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), LINGER_MS).unref()
  }

  destroy(): void {
    this.#input.close()
    this.#socket.destroy()
  }
}
