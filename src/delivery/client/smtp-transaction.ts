import type { Stage } from '../../classification/stages.ts'
import { ChunkSender } from './smtp-chunks.ts'
import type { LinkListener, SmtpLink } from './smtp-link.ts'
import { describeReply, type SmtpReply } from './smtp-reply.ts'
import type { SendOutcome, SmtpFailure, SmtpTimeouts } from './smtp-types.ts'
import type { Transcript } from './transcript.ts'
import { contentTimeMaxMs, END_OF_DATA, piecesOf, type WireContent } from './wire-content.ts'

/** Smaller content is handed to the socket whole; larger content piece by piece as the server reads it. */
const WHOLE_BYTES_MAX = 131_072

/** Nothing of the message was sent: equivalent to the server closing the idle connection. */
const DEAD: SmtpFailure = { kind: 'closed', detail: 'the connection had died while it was idle' }

export interface Command {
  stage: Stage
  line: string
}

export interface TransactionOptions {
  link: SmtpLink
  /** In order; ends with DATA, or with RCPT when the content goes in chunks. RSET counts as `mail`. */
  commands: readonly Command[]
  content: WireContent
  /** Whether to send the content by BDAT (RFC 3030). */
  inChunks: boolean
  pipelining: boolean
  timeouts: SmtpTimeouts
  /** Replaces `commandMs` for the first reply on a connection that may be dead; null when it is known to be alive. */
  firstReplyMs: number | null
  transcript: Transcript
  /** `open`: the server still holds a transaction, which the next message must reset. */
  done(outcome: SendOutcome, open: boolean): void
}

/**
 * Sends one message to one recipient: MAIL, RCPT, DATA, content; ChunkSender sends chunked content. States: commanding
 * (a reply is due for `#at`), sending (content is being handed to the socket), dotted (the final dot is sent, its reply
 * due), finished. The first refusal decides. With PIPELINING (RFC 2920) the remaining replies are still read, and a 354
 * after a refusal is answered with a lone dot (section 3.1), which sends nothing because there is no recipient.
 */
export class SmtpTransaction implements LinkListener {
  readonly #options: TransactionOptions
  readonly #dataAt: number
  #at = 0
  #state: 'commanding' | 'sending' | 'dotted' | 'finished' = 'commanding'
  #decided: { stage: Stage; reply: SmtpReply } | null = null
  /** Whether the server holds an open transaction. */
  #open = false
  /** The remaining content, when it is sent in pieces. */
  #pieces: Iterator<Buffer> | null = null
  #contentDeadlineAt = 0

  constructor(options: TransactionOptions) {
    this.#options = options
    this.#dataAt = options.inChunks ? -1 : options.commands.length - 1
  }

  start(): void {
    const { link, commands, pipelining } = this.#options
    link.listener = this
    if (!pipelining) {
      this.#writeCommand()
      return
    }
    for (const { line } of commands) this.#options.transcript.add('C', line)
    link.write(commands.map(({ line }) => `${line}\r\n`).join(''), commands.length)
    this.#armCommand()
  }

  onReply(reply: SmtpReply): void {
    this.#options.transcript.add('S', describeReply(reply))
    // RFC 5321 section 3.8: after 421 the server closes the connection, so no further reply is awaited.
    if (reply.code === 421) this.#giveUp(this.#stage(), reply)
    else if (this.#state === 'dotted') this.#onFinalReply(reply)
    else if (this.#state === 'sending') this.#onEarlyReply(reply)
    else if (this.#at === this.#dataAt) this.#onDataReply(reply)
    else this.#onCommandReply(reply)
  }

  onLost(failure: SmtpFailure): void {
    if (this.#state === 'finished') return
    const isDead = failure.kind === 'timeout' && this.#isFirst && this.#options.firstReplyMs !== null
    const why = isDead ? DEAD : failure
    this.#options.transcript.add('*', why.detail)
    this.#finish(why, false)
  }

  onDrain(): void {
    if (this.#state === 'sending') this.#sendPieces()
  }

  get #isFirst(): boolean {
    return this.#at === 0 && this.#state === 'commanding'
  }

  #stage(): Stage {
    if (this.#state === 'dotted') return 'dot'
    if (this.#state === 'sending') return 'data'
    return this.#options.commands[this.#at]?.stage ?? 'data'
  }

  #writeCommand(): void {
    const { link, commands, transcript } = this.#options
    const { line } = commands[this.#at] as Command
    transcript.add('C', line)
    link.write(`${line}\r\n`, 1)
    this.#armCommand()
  }

  #armCommand(): void {
    const { link, timeouts, firstReplyMs } = this.#options
    link.arm(this.#isFirst ? (firstReplyMs ?? timeouts.commandMs) : timeouts.commandMs, 'answer')
  }

  #onCommandReply(reply: SmtpReply): void {
    const { link, commands, pipelining } = this.#options
    const { stage, line } = commands[this.#at] as Command
    if (reply.code >= 300 && line === 'RSET') {
      // The server may accept the commands that follow, so a lone dot would send an empty message.
      link.fail({ kind: 'closed', detail: 'the server refused RSET' })
      return
    }
    if (reply.code >= 300) this.#decided ??= { stage, reply }
    else this.#open = line !== 'RSET'
    this.#at++
    if (this.#at === commands.length) this.#onCommandsDone()
    else if (pipelining) this.#armCommand()
    else if (this.#decided === null) this.#writeCommand()
    else this.#finish(null, true)
  }

  /** No content is sent before RCPT is accepted: a chunk could not be taken back. */
  #onCommandsDone(): void {
    if (this.#decided !== null) {
      this.#finish(null, true)
      return
    }
    this.#state = 'finished'
    new ChunkSender(this.#options).start()
  }

  #onDataReply(reply: SmtpReply): void {
    if (reply.code < 300 && this.#decided === null) {
      this.#breakProtocol('DATA was answered with success')
    } else if (reply.code < 300 || reply.code >= 400) {
      this.#decided ??= { stage: 'data', reply }
      this.#finish(null, true)
    } else if (this.#decided === null) {
      this.#sendContent()
    } else {
      this.#sendLoneDot()
    }
  }

  #sendLoneDot(): void {
    const { link, timeouts } = this.#options
    this.#state = 'dotted'
    link.awaitReply()
    link.writeBytes([END_OF_DATA])
    link.arm(timeouts.commandMs, 'answer')
  }

  #sendContent(): void {
    const { link, content, timeouts, transcript } = this.#options
    link.awaitReply()
    if (content.size <= WHOLE_BYTES_MAX) {
      this.#sendEnd(content.chunks)
      return
    }
    transcript.add('*', `sending ${content.size} bytes of message`)
    this.#state = 'sending'
    this.#contentDeadlineAt = performance.now() + contentTimeMaxMs(content.size, timeouts.dataBlockMs)
    this.#pieces = piecesOf(content.chunks)
    this.#sendPieces()
  }

  #sendPieces(): void {
    const { link, timeouts } = this.#options
    const leftMs = this.#contentDeadlineAt - performance.now()
    link.arm(Math.min(timeouts.dataBlockMs, Math.max(0, leftMs)), 'take the message')
    let next = this.#pieces?.next()
    while (next !== undefined && !next.done) {
      if (!link.writeBytes([next.value])) return
      next = this.#pieces?.next()
    }
    this.#sendEnd([])
  }

  /** Once the dot is handed to the socket the server may have accepted the message. */
  #sendEnd(rest: readonly Buffer[]): void {
    const { link, content, timeouts, transcript } = this.#options
    this.#state = 'dotted'
    this.#pieces = null
    link.writeBytes([...rest, END_OF_DATA])
    transcript.add('*', `${content.size} bytes of message sent`)
    link.arm(timeouts.afterDotMs, 'answer after the message')
  }

  #onFinalReply(reply: SmtpReply): void {
    this.#open = false
    if (reply.code >= 300 && reply.code < 400) {
      this.#breakProtocol('the message was answered with 3xx')
      return
    }
    this.#decided ??= { stage: 'dot', reply }
    this.#finish(null, true)
  }

  /**
   * A refusal in the middle of the content: the server would read the rest as commands, so the connection ends here.
   */
  #onEarlyReply(reply: SmtpReply): void {
    if (reply.code < 400) this.#breakProtocol('the message was answered before its end')
    else this.#giveUp('data', reply)
  }

  #giveUp(stage: Stage, reply: SmtpReply): void {
    this.#decided ??= { stage, reply }
    this.#finish(null, false)
    this.#options.link.fail({ kind: 'closed', detail: 'the server closed the connection' })
  }

  #breakProtocol(detail: string): void {
    this.#options.link.fail({ kind: 'protocol', detail })
  }

  #finish(failure: SmtpFailure | null, usable: boolean): void {
    const stage = this.#decided?.stage ?? this.#stage()
    this.#state = 'finished'
    this.#options.link.disarm()
    const reply = this.#decided?.reply ?? null
    this.#options.done({ stage, reply, failure: reply === null ? failure : null, usable }, this.#open)
  }
}
