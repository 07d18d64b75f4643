import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { ClientDeadline } from './client-deadline.ts'
import { formatReply } from './format-reply.ts'
import type { MessageContent } from './message-content.ts'
import { reply, type ServerReply, type SmtpLimits } from './smtp-types.ts'
import { WireInput, type WireLine } from './wire-input.ts'

/** Time between the last reply and the close, for a client that reads it. */
const LINGER_MS = 5_000
const TOO_SLOW = reply(421, '4.4.2', 'Timeout: the client sends too slowly')

/** The connection below the command level: lines and messages in, replies out, TLS, and time limits. */
export class SmtpWire {
  readonly #input: WireInput
  readonly #deadline: ClientDeadline
  #socket: Socket

  constructor(socket: Socket, limits: SmtpLimits) {
    this.#socket = socket
    this.#input = new WireInput(socket)
    this.#deadline = new ClientDeadline(limits, this.#input, () => this.shed(TOO_SLOW))
    socket.on('error', () => this.#input.close())
  }

  /** Whether unread input has arrived. */
  get hasMore(): boolean {
    return this.#input.hasMore
  }

  /**
   * Returns `hasMore` after one full turn of the event loop. This detects bytes that arrived together with the last
   * command, even if the socket delivered them separately.
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
    return this.#deadline.phase === 'command'
  }

  /** Allows longer silence, because the client has authenticated or need not. */
  trust(): void {
    this.#deadline.authenticated()
  }

  /** Returns the next line, or null at the end of the connection. */
  async readLine(): Promise<WireLine | null> {
    this.#deadline.enter('command')
    const line = await this.#input.readLine()
    this.#deadline.enter('work')
    return line
  }

  /**
   * Reads a message up to its final dot. Returns false if the connection ends or `mayGoOn` returns false before that.
   * While `mayGoOn` is pending, reads nothing, and the client has no deadline.
   */
  async readContent(content: MessageContent, mayGoOn: () => Promise<boolean> | boolean): Promise<boolean> {
    this.#deadline.enter('content', content)
    const isWhole = await this.#input.readContent(content, async () => {
      const answer = mayGoOn()
      if (typeof answer === 'boolean') return answer
      this.#deadline.enter('work')
      const isAllowed = await answer
      this.#deadline.enter('content', content)
      return isAllowed
    })
    this.#deadline.enter('work')
    return isWhole
  }

  /** Writes a reply without waiting for it to be sent. */
  write(answer: ServerReply): void {
    if (this.#socket.writable) this.#socket.write(formatReply(answer))
    this.#deadline.answered()
  }

  /** Writes a reply and waits until it is sent. A client that does not read its replies soon exceeds its deadline. */
  async say(answer: ServerReply): Promise<void> {
    this.write(answer)
    if (!this.#socket.writableNeedDrain) return
    this.#deadline.enter('command')
    await Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined)
    this.#deadline.enter('work')
  }

  /**
   * Starts TLS on the connection. Returns the protocol version, or null if the handshake fails. Reads no plain text
   * from the moment of the call.
   */
  async secure(secureContext: SecureContext): Promise<string | null> {
    this.#deadline.enter('command')
    this.#input.detach()
    const secured = new TLSSocket(this.#socket, { isServer: true, secureContext })
    this.#socket = secured
    secured.on('error', () => this.#input.close())
    this.#input.switchTo(secured)
    const isSecured = await Promise.race([
      once(secured, 'secure').then(() => true),
      once(secured, 'close').then(() => false),
    ]).catch(() => false)
    this.#deadline.enter('work')
    return isSecured ? (secured.getProtocol() ?? 'TLS') : null
  }

  shed(answer: ServerReply): void {
    this.write(answer)
    this.leave()
  }

  /**
   * Closes the connection after the last reply is sent. Discards further input: closing at once would reset the
   * connection.
   */
  leave(): void {
    this.#deadline.end()
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
