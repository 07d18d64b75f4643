import type { LinkListener, SmtpLink } from './smtp-link.ts'
import { describeReply, type SmtpReply } from './smtp-reply.ts'
import type { SendOutcome, SmtpFailure, SmtpTimeouts } from './smtp-types.ts'
import type { Transcript } from './transcript.ts'
import { contentTimeMaxMs, PIECE_BYTES, piecesOf, type WireContent } from './wire-content.ts'

/**
 * Large enough to make the cost of a command and its reply negligible, small enough for a refusal to save most of a
 * large message.
 */
const CHUNK_BYTES = 1024 * 1024
/** Chunks in flight without a reply: bounds what a refusal wastes, and keeps a distant server busy. */
const UNANSWERED_MAX = 4

export interface ChunkOptions {
  link: SmtpLink
  /** Not dot-stuffed. */
  content: WireContent
  pipelining: boolean
  timeouts: SmtpTimeouts
  transcript: Transcript
  /** As in SmtpTransaction: `open` means that the server still holds a transaction, which RSET must clear. */
  done(outcome: SendOutcome, open: boolean): void
}

/**
 * Sends the content of a message as BDAT chunks (RFC 3030) after RCPT was accepted. States: sending (a chunk is in
 * flight or the next one is due), waiting (for replies: the window of unanswered chunks is full, or everything is
 * sent), finished. The first refusal decides: the current chunk is completed because its length is announced, no
 * further chunk begins, and the outstanding replies are read. RSET then clears the transaction (RFC 3030 section 4.2).
 */
export class ChunkSender implements LinkListener {
  readonly #options: ChunkOptions
  readonly #pieces: Iterator<Buffer>
  readonly #deadlineAt: number
  #remainingContent: number
  #remainingChunk = 0
  /** Bytes taken from the content that belong to the next chunk. */
  #rest: Buffer | null = null
  #unanswered = 0
  #answered = 0
  /** The socket's buffer is full. */
  #isFull = false
  #isFinished = false
  #decided: Pick<SendOutcome, 'stage' | 'reply'> | null = null

  constructor(options: ChunkOptions) {
    const { content, timeouts } = options
    this.#options = options
    this.#pieces = piecesOf(content.chunks)
    this.#remainingContent = content.size
    this.#deadlineAt = performance.now() + contentTimeMaxMs(content.size, timeouts.dataBlockMs)
  }

  start(): void {
    const { link, transcript, content } = this.#options
    link.listener = this
    transcript.add('*', `sending ${content.size} bytes of message in chunks`)
    this.#send()
  }

  onReply(reply: SmtpReply): void {
    this.#unanswered--
    const isFinal = this.#remainingContent === 0 && this.#unanswered === 0
    if (isFinal || this.#answered === 0 || reply.code >= 300)
      this.#options.transcript.add('S', describeReply(reply))
    this.#answered++
    if (reply.code === 421) this.#giveUp(reply)
    else if (this.#decided !== null) this.#send()
    else if (reply.code < 400) this.#onAccepted(reply, isFinal)
    else this.#onRefused(reply, isFinal)
  }

  onLost(failure: SmtpFailure): void {
    if (this.#isFinished) return
    this.#options.transcript.add('*', failure.detail)
    this.#finish(failure, false)
  }

  onDrain(): void {
    this.#isFull = false
    this.#send()
  }

  /** Once the last octet is handed to the socket the server may have accepted the message. */
  get #stage(): 'data' | 'dot' {
    return this.#remainingContent === 0 ? 'dot' : 'data'
  }

  #onAccepted(reply: SmtpReply, isFinal: boolean): void {
    if (reply.code >= 300) this.#breakProtocol('a chunk was answered with 3xx')
    else if (this.#unanswered === 0 && this.#remainingChunk > 0)
      this.#breakProtocol('a chunk was answered before its end')
    else if (!isFinal) this.#send()
    else {
      this.#decided = { stage: 'dot', reply }
      this.#finish(null, true)
    }
  }

  #onRefused(reply: SmtpReply, isFinal: boolean): void {
    // The server offered CHUNKING but does not know the command; how it interpreted the octets that follow is unknown.
    if (this.#answered === 1 && reply.code >= 500 && reply.code <= 504 && !isFinalRejection(reply)) {
      this.#breakProtocol('the server offers CHUNKING and does not know BDAT')
      return
    }
    this.#decided = { stage: isFinal ? 'dot' : 'data', reply }
    this.#send()
  }

  /** Sends until the socket is full, the window is full, or all content is sent. */
  #send(): void {
    if (this.#isFinished) return
    while (!this.#isFull) {
      if (this.#remainingChunk === 0 && !this.#beginChunk()) break
      this.#sendPiece()
    }
    if (this.#decided !== null && this.#remainingChunk === 0 && this.#unanswered === 0)
      this.#finish(null, true)
    else this.#arm()
  }

  /** Returns false when no chunk may begin now. */
  #beginChunk(): boolean {
    const { link, transcript, pipelining } = this.#options
    if (this.#decided !== null || this.#remainingContent === 0) return false
    if (this.#unanswered >= (pipelining ? UNANSWERED_MAX : 1)) return false
    this.#remainingChunk = Math.min(CHUNK_BYTES, this.#remainingContent)
    const isLast = this.#remainingChunk === this.#remainingContent
    const line = `BDAT ${this.#remainingChunk}${isLast ? ' LAST' : ''}`
    if (isLast || this.#answered + this.#unanswered === 0) transcript.add('C', line)
    this.#unanswered++
    link.write(`${line}\r\n`, 1)
    return true
  }

  #sendPiece(): void {
    const { link, content, transcript } = this.#options
    const next = this.#rest ?? (this.#pieces.next().value as Buffer)
    const piece = next.subarray(0, Math.min(this.#remainingChunk, PIECE_BYTES))
    this.#rest = piece.length < next.length ? next.subarray(piece.length) : null
    this.#remainingChunk -= piece.length
    this.#remainingContent -= piece.length
    this.#isFull = !link.writeBytes([piece])
    if (this.#remainingContent === 0) transcript.add('*', `${content.size} bytes of message sent`)
  }

  #arm(): void {
    const { link, timeouts } = this.#options
    if (this.#remainingContent === 0) {
      link.arm(timeouts.afterDotMs, 'answer after the message')
      return
    }
    const leftMs = Math.max(0, this.#deadlineAt - performance.now())
    link.arm(Math.min(timeouts.dataBlockMs, leftMs), 'take the message')
  }

  #giveUp(reply: SmtpReply): void {
    this.#decided ??= { stage: this.#stage, reply }
    this.#finish(null, false)
    this.#options.link.fail({ kind: 'closed', detail: 'the server closed the connection' })
  }

  #breakProtocol(detail: string): void {
    this.#options.link.fail({ kind: 'protocol', detail })
  }

  #finish(failure: SmtpFailure | null, usable: boolean): void {
    this.#isFinished = true
    this.#options.link.disarm()
    const { stage, reply } = this.#decided ?? { stage: this.#stage, reply: null }
    const isAccepted = reply !== null && reply.code < 300
    this.#options.done({ stage, reply, failure: reply === null ? failure : null, usable }, !isAccepted)
  }
}

/** A syntax reply code with an enhanced code for content or policy does reject the message. */
function isFinalRejection({ enhanced }: SmtpReply): boolean {
  return enhanced !== null && !enhanced.startsWith('5.5.')
}
