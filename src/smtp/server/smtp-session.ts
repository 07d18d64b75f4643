import type { Socket } from 'node:net'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import type { Log } from '../../lib/log.ts'
import type { MessageRoom } from './message-room.ts'
import { readMail, readRcpt, refuseUtf8 } from './parse-path.ts'
import { receiveContent } from './receive-content.ts'
import { readCredentials } from './sasl.ts'
import {
  type ContextSource,
  reply,
  type ServerReply,
  type SmtpHandlers,
  type SmtpLimits,
  type SmtpPath,
  type SmtpPeer,
} from './smtp-types.ts'
import { SmtpWire } from './smtp-wire.ts'
import type { WireLine } from './wire-input.ts'

/** The parts of the listener that a session uses. */
export interface SessionWorld {
  hostname: string
  tls: ContextSource | null
  isImplicitTls: boolean
  isAuthRequired: boolean
  limits: SmtpLimits
  log: Log
  open(peer: SmtpPeer): SmtpHandlers
  room: MessageRoom
}

/** The reply to send, `sent` if it is already sent, or `over` if the connection has ended. */
type Answer = ServerReply | 'sent' | 'over'

/** RFC 5321 section 4.5.3.1.4; with the parameters of MAIL and RCPT (RFC 1870, 3461, 6531) a line may be longer. */
const COMMAND_OCTETS_MAX = 512
const PATH_OCTETS_MAX = 1_000
/** Browsers can be made to connect to any port; their requests begin like this. */
const HTTP = /^(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|TRACE|CONNECT|PATCH|PRI) /i

const HELLO_FIRST = reply(503, '5.5.1', 'Send EHLO first')
/** Replaces a line that is not a valid challenge response. */
const NOT_BASE64 = '!'
const NO_ANSWER: Promise<null> = Promise.resolve(null)

const GOOD = reply(250, '2.0.0', 'OK')
const OUR_FAULT = reply(451, '4.3.0', 'Internal server error; try again later')
const STOPPING = reply(421, '4.3.2', 'The service is stopping; try again in a moment')
const TLS_FIRST = reply(530, '5.7.0', 'Must issue a STARTTLS command first')
const AUTH_FIRST = reply(530, '5.7.0', 'Authentication required')
const BAD_SEQUENCE = reply(503, '5.5.1', 'Bad sequence of commands')
const UNSYNCHRONIZED = reply(554, '5.5.0', 'Synchronization error: wait for the 354 reply before the message')

/**
 * One connection (RFC 5321). The loop in `run` reads one command line at a time and replies to it before it reads the
 * next, so that pipelined commands (RFC 2920) wait in the socket. When TLS begins, the session discards all state from
 * before (RFC 3207 section 4.2). A timer disconnects clients that exceed the time limits.
 */
export class SmtpSession {
  readonly #world: SessionWorld
  readonly #handlers: SmtpHandlers
  readonly #wire: SmtpWire
  readonly #address: string
  #hello = ''
  #tls: string | null = null
  #isAuthenticated = false
  #sender: SmtpPath | null = null
  #recipients: SmtpPath[] = []
  #errors = 0
  #idleCommands = 0
  #isStopping = false

  /** @param address of the client, which a proxy may have named */
  constructor(world: SessionWorld, socket: Socket, address: string) {
    this.#world = world
    this.#wire = new SmtpWire(socket, world.limits)
    if (!world.isAuthRequired) this.#wire.trust()
    this.#address = address
    const hello = () => this.#hello
    const tls = () => this.#tls
    this.#handlers = world.open({
      address: this.#address,
      get hello() {
        return hello()
      },
      get tls() {
        return tls()
      },
    })
  }

  /** Serves the connection to its end. Never rejects. */
  async run(): Promise<void> {
    try {
      if (this.#world.isImplicitTls && !(await this.#secure())) return
      if (await this.#greet()) while (await this.#serveCommand());
    } catch (error) {
      this.#world.log.error({ err: error }, 'an SMTP session failed')
      await this.#wire.say(reply(421, '4.3.0', 'Internal server error; try again later'))
    } finally {
      this.#wire.leave()
    }
  }

  /** Ends the session, but lets a message in progress finish. */
  stop(): void {
    this.#isStopping = true
    if (this.#wire.isIdle) this.#wire.shed(STOPPING)
  }

  destroy(): void {
    this.#wire.destroy()
  }

  async #greet(): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, this.#world.limits.greetingDelayMs))
    if (this.#wire.isOver) return false
    // RFC 5321 section 4.3.1: the client waits for the greeting. A program that does not wait is no mail server.
    if (this.#wire.hasMore) {
      await this.#wire.say(reply(554, '5.5.1', 'Protocol error: the client sent data before the greeting'))
      return false
    }
    await this.#wire.say(reply(220, null, `${this.#world.hostname} ESMTP Sendwright`))
    return true
  }

  /** Serves one command. Returns false if it was the last. */
  async #serveCommand(): Promise<boolean> {
    if (this.#isStopping) {
      await this.#wire.say(STOPPING)
      return false
    }
    const line = await this.#wire.readLine()
    if (line === null) return false
    if (HTTP.test(line.text)) {
      await this.#wire.say(reply(421, '4.7.0', 'This is SMTP, not HTTP'))
      return false
    }
    const answer = await this.#answer(line)
    if (typeof answer === 'string') return answer === 'sent'
    const { errorsMax, idleCommandsMax } = this.#world.limits
    // Do not count an internal error against the client: a database outage must not disconnect clients.
    if (answer.code >= 400 && answer.enhanced !== OUR_FAULT.enhanced) this.#errors++
    await this.#wire.say(answer)
    if (answer.code === 221 || answer.code === 421 || answer === UNSYNCHRONIZED) return false
    if (this.#errors < errorsMax && this.#idleCommands < idleCommandsMax) return true
    await this.#wire.say(reply(421, '4.7.0', 'Too many errors or commands without a message'))
    return false
  }

  async #answer(line: WireLine): Promise<Answer> {
    if (line.problem !== null) return reply(500, '5.5.2', line.problem)
    // No pattern: one that trims spaces at both ends takes long on a line of spaces.
    const text = line.text.trimEnd()
    const gap = text.indexOf(' ')
    const name = (gap < 0 ? text : text.slice(0, gap)).toUpperCase()
    const argument = gap < 0 ? '' : text.slice(gap).trimStart()
    const isPath = name === 'MAIL' || name === 'RCPT'
    if (name !== 'AUTH' && line.octets > (isPath ? PATH_OCTETS_MAX : COMMAND_OCTETS_MAX)) {
      return reply(500, '5.5.2', 'The line is too long')
    }
    switch (name) {
      case 'EHLO':
      case 'HELO':
        return this.#onHello(name, argument)
      case 'MAIL':
        return this.#onMail(argument)
      case 'RCPT':
        return this.#onRcpt(argument)
      case 'DATA':
        return this.#onData(argument)
      case 'STARTTLS':
        return this.#onStartTls(argument)
      case 'AUTH':
        return this.#onAuth(argument)
      case 'QUIT':
        return reply(221, '2.0.0', 'Bye')
      default:
        return this.#onIdle(name)
    }
  }

  #onIdle(name: string): ServerReply {
    this.#idleCommands++
    if (name === 'RSET') this.#forgetTransaction()
    if (name === 'RSET' || name === 'NOOP') return GOOD
    if (name === 'VRFY') return reply(252, '2.5.0', 'Cannot verify the address; send the message to try it')
    if (name === 'HELP') return reply(214, '2.0.0', 'RFC 5321')
    if (name === 'EXPN') return reply(502, '5.5.1', 'Not implemented')
    return reply(500, '5.5.1', 'Unknown command')
  }

  #onHello(name: string, argument: string): ServerReply {
    this.#idleCommands++
    const { hostname, tls, isAuthRequired, limits } = this.#world
    // Applications name computers with blanks, or none; who they are is proved by the login.
    const client = isAuthRequired ? argument.replaceAll(' ', '-') || 'unknown' : argument
    if (client === '' || client.includes(' ') || client.length > 255) {
      return reply(501, '5.5.4', `Syntax: ${name} hostname`)
    }
    this.#forgetTransaction()
    this.#hello = client
    if (name === 'HELO') return reply(250, null, hostname)
    const isSecure = this.#tls !== null
    const lines = [hostname, 'PIPELINING', `SIZE ${limits.messageBytesMax}`, '8BITMIME', 'SMTPUTF8']
    lines.push('ENHANCEDSTATUSCODES')
    if (tls !== null && !isSecure) lines.push('STARTTLS')
    if (isAuthRequired && isSecure && !this.#isAuthenticated) lines.push('AUTH PLAIN LOGIN')
    return reply(250, null, lines.join('\n'))
  }

  async #onMail(argument: string): Promise<ServerReply> {
    if (this.#hello === '') return HELLO_FIRST
    const missing = this.#missingForMail()
    if (missing !== null) return missing
    if (this.#sender !== null) return BAD_SEQUENCE
    const command = readMail(argument, this.#world.limits.messageBytesMax, this.#world.isAuthRequired)
    const sender = 'code' in command ? command : refuseUtf8(command, command.parameters.has('SMTPUTF8'))
    if ('code' in sender) return sender
    const answer = await this.#runHandler(() => this.#handlers.onMail?.(sender) ?? NO_ANSWER)
    if (answer !== null && answer.code >= 400) return answer
    this.#sender = sender
    return answer ?? reply(250, '2.1.0', 'OK')
  }

  #missingForMail(): ServerReply | null {
    if (!this.#world.isAuthRequired || this.#isAuthenticated) return null
    return this.#tls === null ? TLS_FIRST : AUTH_FIRST
  }

  async #onRcpt(argument: string): Promise<ServerReply> {
    const sender = this.#sender
    if (sender === null) return this.#missingForMail() ?? BAD_SEQUENCE
    if (this.#recipients.length >= this.#world.limits.recipientsMax) {
      // RFC 5321 section 4.5.3.1.10: the client sends the rest in another transaction.
      return reply(452, '4.5.3', 'Too many recipients')
    }
    const recipient = readRcpt(argument, sender.parameters.has('SMTPUTF8'), this.#world.isAuthRequired)
    if ('code' in recipient) return recipient
    const answer = await this.#runHandler(() => this.#handlers.onRcpt(recipient))
    if (answer !== null && answer.code >= 400) return answer
    this.#recipients.push(recipient)
    return answer ?? reply(250, '2.1.5', 'OK')
  }

  async #onData(argument: string): Promise<Answer> {
    // RFC 2920 section 3.1: DATA is the last command of a group, so content before the reply is a violation. It would
    // be read as commands after a rejected DATA, and as a message after an accepted one.
    if (await this.#wire.hasMoreSoon()) return UNSYNCHRONIZED
    if (argument !== '') return reply(501, '5.5.4', 'Syntax: DATA')
    const sender = this.#sender
    if (sender === null) return this.#missingForMail() ?? BAD_SEQUENCE
    if (this.#recipients.length === 0) return reply(503, '5.5.1', 'No valid recipients')
    const envelope = { sender, recipients: this.#recipients }
    this.#forgetTransaction()
    const owner = this.#handlers.owner?.() ?? this.#address
    const { room, limits } = this.#world
    const held = { owner, bytes: 0 }
    try {
      const content = await receiveContent(this.#wire, room, held, sender, limits)
      if (content === null) return 'over'
      if ('code' in content) return content
      const answer = await this.#runHandler(() => this.#handlers.onMessage(envelope, content.take()))
      if (answer !== null && answer.code < 300) this.#idleCommands = 0
      return answer ?? GOOD
    } finally {
      room.giveBack(owner, held.bytes)
    }
  }

  async #onStartTls(argument: string): Promise<Answer> {
    if (this.#world.tls === null) return reply(502, '5.5.1', 'TLS is not offered')
    if (argument !== '') return reply(501, '5.5.4', 'Syntax: STARTTLS')
    if (this.#tls !== null) return BAD_SEQUENCE
    // Plain text after STARTTLS must never be read as if it came over TLS (CVE-2011-0411).
    if (this.#wire.hasMore) return reply(421, '4.7.0', 'Send no data between STARTTLS and the TLS handshake')
    // Do not await this: no plain text may be read from here to the handshake.
    this.#wire.write(reply(220, '2.0.0', 'Ready to start TLS'))
    if (!(await this.#secure())) return 'over'
    this.#hello = ''
    this.#forgetTransaction()
    return 'sent'
  }

  async #onAuth(argument: string): Promise<Answer> {
    const { isAuthRequired } = this.#world
    if (!isAuthRequired) return reply(502, '5.5.1', 'Authentication is not offered')
    if (this.#hello === '') return HELLO_FIRST
    if (this.#tls === null) return TLS_FIRST
    if (this.#isAuthenticated || this.#sender !== null) return BAD_SEQUENCE
    const credentials = await readCredentials(argument, (challenge) => this.#challenge(challenge))
    if (credentials === null) return 'over'
    if ('code' in credentials) return credentials
    const { user, password } = credentials
    const answer = await this.#runHandler(() => this.#handlers.authenticate?.(user, password) ?? NO_ANSWER)
    this.#isAuthenticated = answer?.code === 235
    if (this.#isAuthenticated) this.#wire.trust()
    return answer ?? AUTH_FIRST
  }

  async #challenge(challenge: string): Promise<string | null> {
    await this.#wire.say(reply(334, null, challenge))
    const line = await this.#wire.readLine()
    if (line === null) return null
    return line.problem === null ? line.text : NOT_BASE64
  }

  async #secure(): Promise<boolean> {
    if (this.#world.tls === null) return false
    this.#tls = await this.#wire.secure(this.#world.tls.context())
    return this.#tls !== null
  }

  #forgetTransaction(): void {
    this.#sender = null
    this.#recipients = []
  }

  /** Returns a handler's reply. An exception becomes 451, so that the client retries. */
  async #runHandler(handler: () => Promise<ServerReply | null>): Promise<ServerReply | null> {
    try {
      return await handler()
    } catch (error) {
      const { log } = this.#world
      // During an outage every command of every client fails, so log only one line for each.
      if (error instanceof DatabaseUnavailable)
        log.warn('an SMTP command failed with 451 because the database is unavailable')
      else log.error({ err: error }, 'an SMTP command failed')
      return OUR_FAULT
    }
  }
}
