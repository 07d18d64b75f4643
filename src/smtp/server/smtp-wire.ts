import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { formatReply } from './format-reply.ts'
import type { MessageContent } from './message-content.ts'
import { Patience } from './patience.ts'
import { reply, type SmtpLimits, type SmtpReply } from './smtp-types.ts'
import { WireInput, type WireLine } from './wire-input.ts'

/** Between the last words and the end, for a client that reads them. */
const LINGER_MS = 5_000
const SLOW = reply(421, '4.4.2', 'You are too slow')

/** One connection below its commands: lines and messages in, replies out, TLS, and the end of whoever is too slow. */
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

  /** Whether anything came that nobody has asked for yet. */
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

  /** Whether the client is waited for between two commands. */
  get isIdle(): boolean {
    return this.#patience.phase === 'command'
  }

  /** The client has logged in, or need not: from now on it may be silent for longer. */
  trust(): void {
    this.#patience.known()
  }

  /** The next line; null at the end of the connection. */
  async readLine(): Promise<WireLine | null> {
    this.#patience.enter('command')
    const line = await this.#input.readLine()
    this.#patience.enter('work')
    return line
  }

  /**
   * A message up to its final dot; false when the connection ends, or `mayGoOn` says no, before that. While `mayGoOn`
   * makes it wait, nothing is read and the client is not too slow.
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

  /** Says it and does not wait until it is said. */
  write(answer: SmtpReply): void {
    if (this.#socket.writable) this.#socket.write(formatReply(answer))
    this.#patience.answered()
  }

  /** A client that does not read its replies is told nothing more, and is soon too slow. */
  async say(answer: SmtpReply): Promise<void> {
    this.write(answer)
    if (!this.#socket.writableNeedDrain) return
    this.#patience.enter('command')
    await Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined)
    this.#patience.enter('work')
  }

  /**
   * TLS over the connection as it is; gives its protocol, null when the handshake fails. Up to its first `await` nothing
   * is read in the clear any more.
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

  /** The last words go out; what still comes in is thrown away, because closing at once would reset the connection. */
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
