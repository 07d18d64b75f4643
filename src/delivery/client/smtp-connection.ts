import type { FailureKind } from '../../classification/stages.ts'
import { findUtf8Field, HEADER_BYTES_MAX } from '../../mime/raw/raw-header.ts'
import type { TranscriptLine } from '../../queue/types.ts'
import type { LinkListener, SmtpLink } from './smtp-link.ts'
import type { SmtpReply } from './smtp-reply.ts'
import { type Command, SmtpTransaction } from './smtp-transaction.ts'
import type { Capabilities, SendOutcome, SmtpFailure, SmtpTarget, SmtpTimeouts } from './smtp-types.ts'
import type { Security } from './tls-security.ts'
import { Transcript } from './transcript.ts'
import { asWireContent, toWireContent, toWireContentInTurns, type WireContent } from './wire-content.ts'

export interface Envelope {
  /** Without angle brackets; empty for the null reverse-path. */
  from: string
  to: string
  /** True when the message header itself needs SMTPUTF8 (RFC 6531). */
  smtpUtf8: boolean
  /** Bytes of the message, for SIZE (RFC 1870). */
  size: number
  /** The message needs no dot-stuffing and no other line ends, because we wrote all of it. */
  isWireReady?: boolean
  /** Send only through servers that promise TLS on every further hop (RFC 8689). */
  requireTls?: boolean
  /** Allows BDAT: after a server that offers CHUNKING failed at it, the next attempt uses DATA. */
  mayChunk?: boolean
}

export interface ConnectionParts {
  link: SmtpLink
  target: SmtpTarget
  capabilities: Capabilities
  security: Security
  timeouts: SmtpTimeouts
  /** Transcript of the connection setup, shown in the first attempt on this connection. */
  opening: readonly TranscriptLine[]
}

// Last line of defence for the text between < and >: a mailbox of RFC 5321 section 4.1.2 (quoted local part included),
// so that no space, bracket or line end can add a parameter or a command.
const MAILBOX = /^(?:"(?:[^"\\\p{Cc}]|\\\P{Cc})*"|[^\s<>"\p{Cc}]+)@[^\s<>"@\p{Cc}]+$/u
/** Below this size chunks save nothing: DATA needs as many round trips, and dot-stuffing is cheap. */
const CHUNKED_BYTES_MIN = 256 * 1024
/** Larger messages are prepared for the wire over several turns of the event loop. */
const WHOLE_BYTES_MAX = 256 * 1024
/** A connection that rested for this share of `afterIdleMs` counts as idle. */
const IDLE_SHARE = 1 / 3
const HABIT_FACTOR = 3
const NON_ASCII = /\P{ASCII}/u

/**
 * One open SMTP connection, past EHLO and TLS. States: idle (ready for a message), busy (one is in progress), closed.
 * Server faults are outcomes and never throw; calling `send` while busy is a bug in the caller and throws.
 */
export class SmtpConnection implements LinkListener {
  readonly target: SmtpTarget
  readonly capabilities: Capabilities
  readonly security: Security
  readonly opening: readonly TranscriptLine[]
  /** Messages attempted over this connection, whatever their outcome. */
  sentCount = 0
  /** Called once when the connection ends while idle, so that its owner can discard it. */
  onIdleClosed: (() => void) | null = null
  readonly #link: SmtpLink
  readonly #timeouts: SmtpTimeouts
  #busy = false
  #usable = true
  #idleSince = performance.now()
  /** The server still holds the transaction of a refused message, which RSET clears (RFC 5321 section 4.1.1.5). */
  #mustReset = false

  constructor({ link, target, capabilities, security, timeouts, opening }: ConnectionParts) {
    this.#link = link
    this.target = target
    this.capabilities = capabilities
    this.security = security
    this.#timeouts = timeouts
    this.opening = opening
    link.listener = this
    link.disarm()
  }

  /** The literal IP address of the server. */
  get address(): string {
    return this.target.address
  }

  /** The literal local IP address. */
  get sourceAddress(): string | null {
    return this.#link.sourceAddress
  }

  get busy(): boolean {
    return this.#busy
  }

  /** False once the connection can no longer send. */
  get alive(): boolean {
    return this.#usable && this.#link.failure === null
  }

  /**
   * Sends one message to one recipient. `message` is its bytes in pieces (for example signature fields, then the rest);
   * this method normalizes line ends and stuffs dots. A `closed` failure before `dot` on a reused connection means only
   * that the server timed out the idle connection: retrying at once on a new one is safe.
   */
  send(envelope: Envelope, message: readonly Buffer[], transcript: Transcript): Promise<SendOutcome> {
    if (this.#busy) throw new Error('The connection is busy.')
    if (!this.alive) return Promise.resolve(this.#lost())
    if (envelope.isWireReady === true) return this.#sendContent(envelope, asWireContent(message), transcript)
    const form = this.#goesInChunks(envelope) ? 'bdat' : 'data'
    const bytes = message.reduce((sum, piece) => sum + piece.length, 0)
    if (bytes <= WHOLE_BYTES_MAX) return this.#sendContent(envelope, toWireContent(message, form), transcript)
    this.#busy = true
    return toWireContentInTurns(message, form).then((content) => {
      this.#busy = false
      return this.alive ? this.#sendContent(envelope, content, transcript) : this.#lost()
    })
  }

  #sendContent(envelope: Envelope, content: WireContent, transcript: Transcript): Promise<SendOutcome> {
    const inChunks = this.#goesInChunks(envelope)
    const utf8 = envelope.smtpUtf8 || NON_ASCII.test(envelope.from) || NON_ASCII.test(envelope.to)
    const failure = this.#refuse(envelope, content, utf8)
    if (failure !== null) {
      transcript.add('*', failure.detail)
      return Promise.resolve({ stage: 'mail', reply: null, failure: failure, usable: true })
    }
    this.#busy = true
    const firstReplyMs = this.#firstReplyMs()
    this.sentCount++
    return new Promise((resolve) => {
      const commands = this.#commandsFor(envelope, content, utf8, inChunks)
      const end = (outcome: SendOutcome, open: boolean) => resolve(this.#settle(outcome, open))
      const { pipelining } = this.capabilities
      new SmtpTransaction({
        link: this.#link,
        commands,
        content,
        inChunks,
        pipelining,
        timeouts: this.#timeouts,
        firstReplyMs,
        transcript,
        done: end,
      }).start()
    })
  }

  /**
   * Asks whether the server would accept mail from `from` for each of `recipients` in turn: MAIL and RCPT without DATA,
   * up to the first that is not accepted. Returns the replies to RCPT, or none when MAIL was refused or when an address
   * needs SMTPUTF8 (RFC 6531) and the server does not offer it.
   */
  async askRecipients(
    from: string,
    recipients: readonly string[],
    transcript: Transcript,
  ): Promise<SmtpReply[]> {
    if (this.#busy) throw new Error('The connection is busy.')
    const utf8 = recipients.some((recipient) => NON_ASCII.test(recipient))
    const fits =
      (from === '' || MAILBOX.test(from)) && recipients.every((recipient) => MAILBOX.test(recipient))
    if (!this.alive || !fits || (utf8 && !this.capabilities.smtpUtf8)) return []
    const { commandMs } = this.#timeouts
    const mail = await this.#command(`MAIL FROM:<${from}>${utf8 ? ' SMTPUTF8' : ''}`, commandMs, transcript)
    const replies: SmtpReply[] = []
    this.#mustReset = true
    let isAccepted = mail !== null && mail.code < 300
    for (const recipient of recipients) {
      if (!isAccepted || !this.alive) break
      const reply = await this.#command(`RCPT TO:<${recipient}>`, commandMs, transcript)
      if (reply !== null) replies.push(reply)
      isAccepted = reply !== null && reply.code < 300
    }
    return replies
  }

  /** Clears the transaction of a refused message; `send` does so itself. Returns true when the connection is usable. */
  async reset(transcript: Transcript = new Transcript()): Promise<boolean> {
    if (this.#busy || !this.alive) return false
    const reply = await this.#command('RSET', this.#timeouts.commandMs, transcript)
    this.#mustReset = false
    this.#usable = reply?.code === 250
    return this.alive
  }

  /** Sends QUIT and closes; waits at most a few seconds for the reply. */
  async quit(): Promise<void> {
    if (!this.#busy && this.alive) {
      this.onIdleClosed = null
      await this.#command('QUIT', this.#timeouts.quitMs, new Transcript())
    }
    this.close()
  }

  /** Closes at once; a message in progress ends with an `aborted` failure. */
  close(): void {
    this.#usable = false
    this.#link.fail({ kind: 'aborted', detail: 'we closed the connection' })
  }

  /** No reply is expected while idle: the link ends itself when one arrives. */
  onReply(): void {}

  onLost(): void {
    this.onIdleClosed?.()
    this.onIdleClosed = null
  }

  #settle(outcome: SendOutcome, open: boolean): SendOutcome {
    this.#link.listener = this
    this.#busy = false
    this.#idleSince = performance.now()
    this.#mustReset = open
    // A refused RSET leaves the server's state unknown, as does anything that ended the link.
    this.#usable = outcome.usable
    return outcome
  }

  #lost(): SendOutcome {
    const failure: SmtpFailure = this.#link.failure ?? {
      kind: 'closed',
      detail: 'the connection is not usable',
    }
    return { stage: 'mail', reply: null, failure, usable: false }
  }

  /** Resolves to the reply, or null when the link was lost. */
  #command(line: string, timeoutMs: number, transcript: Transcript): Promise<SmtpReply | null> {
    this.#busy = true
    return new Promise((resolve) => {
      const end = (reply: SmtpReply | null) => {
        this.#busy = false
        this.#link.listener = this
        this.#link.disarm()
        resolve(reply)
      }
      this.#link.listener = { onReply: end, onLost: () => end(null) }
      transcript.add('C', line)
      this.#link.write(`${line}\r\n`, 1)
      this.#link.arm(timeoutMs, 'answer')
    })
  }

  /** Null: no less time than for any other command. A server that is usually slow gets its time. */
  #firstReplyMs(): number | null {
    const { afterIdleMs, commandMs } = this.#timeouts
    const idleMs = performance.now() - this.#idleSince
    if (this.sentCount === 0 || idleMs < afterIdleMs * IDLE_SHARE) return null
    return Math.min(commandMs, Math.max(afterIdleMs, this.#link.slowestReplyMs * HABIT_FACTOR))
  }

  #goesInChunks({ size, mayChunk }: Envelope): boolean {
    return mayChunk === true && this.capabilities.chunking && size >= CHUNKED_BYTES_MIN
  }

  #commandsFor(envelope: Envelope, content: WireContent, utf8: boolean, inChunks: boolean): Command[] {
    const { size, eightBitMime } = this.capabilities
    let mail = `MAIL FROM:<${envelope.from}>`
    if (size) mail += ` SIZE=${envelope.size}`
    if (content.eightBit && eightBitMime) mail += ' BODY=8BITMIME'
    if (utf8) mail += ' SMTPUTF8'
    if (envelope.requireTls === true) mail += ' REQUIRETLS'
    const commands: Command[] = [
      { stage: 'mail', line: mail },
      { stage: 'rcpt', line: `RCPT TO:<${envelope.to}>` },
    ]
    if (!inChunks) commands.push({ stage: 'data', line: 'DATA' })
    return this.#mustReset ? [{ stage: 'mail', line: 'RSET' }, ...commands] : commands
  }

  /** Refuses what is known to fail before anything is sent to the server. */
  #refuse({ from, to, size }: Envelope, content: WireContent, utf8: boolean): SmtpFailure | null {
    const { sizeMax, smtpUtf8, eightBitMime } = this.capabilities
    const no = (kind: FailureKind, detail: string): SmtpFailure => ({ kind, detail })
    if ((from !== '' && !MAILBOX.test(from)) || !MAILBOX.test(to)) {
      return no('bad_address', 'the address cannot be put into an SMTP command')
    }
    if (sizeMax !== null && size > sizeMax) {
      return no('too_large', `the message has ${size} bytes, the server takes ${sizeMax}`)
    }
    if (utf8 && !smtpUtf8) {
      const cause = NON_ASCII.test(to) ? `the address ${to}` : describeHeader(content)
      return no('smtputf8_unsupported', `${cause} needs SMTPUTF8 (RFC 6531), which the server does not offer`)
    }
    if (content.eightBit && !eightBitMime) {
      return no('eight_bit_unsupported', 'the server does not offer 8BITMIME (RFC 6152)')
    }
    return null
  }
}

/** Names the header field that needs SMTPUTF8. The header is in the first chunks. */
function describeHeader({ chunks }: WireContent): string {
  const header: Buffer[] = []
  let size = 0
  for (const chunk of chunks) {
    if (size >= HEADER_BYTES_MAX) break
    header.push(chunk.subarray(0, HEADER_BYTES_MAX - size))
    size += chunk.length
  }
  const name = findUtf8Field(Buffer.concat(header))
  return name === null ? "the message's header" : `the header field ${name}`
}
