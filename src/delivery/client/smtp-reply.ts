import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'

/** One complete reply of an SMTP server (RFC 5321 section 4.2). */
export interface SmtpReply {
  /** 200-599. */
  code: number
  /** RFC 3463, for example `5.1.1`; null when the server gave none. */
  enhanced: string | null
  /** The lines joined with spaces, without codes, at most 1 KB of UTF-8, control characters escaped. */
  text: string
  /** The text of each line as received, without code and line end: for capabilities. Bounded with the reply. */
  lines: readonly string[]
}

const LINE_BYTES_MAX = 2_000
const REPLY_BYTES_MAX = 65_536
const LINES_MAX = 500
const TEXT_BYTES_MAX = 1_024
/** The most replies to cache. A connection repeats fewer different one-line replies (to MAIL, RCPT, DATA and RSET). */
const KNOWN_MAX = 16

const LINE = /^([2-5]\d\d)(?:([ -])([\s\S]*))?$/
const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3})(?:[:\s]+|$)/

function buildReply(code: number, lines: string[]): SmtpReply {
  const enhanced = ENHANCED.exec(lines[0] ?? '')?.[1] ?? null
  // Most servers repeat the enhanced code on every line; the reader needs it once.
  const texts = enhanced === null ? lines : lines.map((line) => line.replace(ENHANCED, ''))
  const whole = lines.length === 1 ? (texts[0] as string) : texts.join(' ')
  // Truncate before escaping as well: escaping may turn one character into six, and a reply may be 64 KB.
  const short = whole.length > TEXT_BYTES_MAX ? whole.slice(0, TEXT_BYTES_MAX).toWellFormed() : whole
  const text = cutToBytes(escapeControls(short.trim()), TEXT_BYTES_MAX)
  return { code, enhanced, text, lines }
}

/** Formats a reply as one line for people: `550 5.1.1 No such user`; at most 1 KB. */
export function describeReply(reply: Pick<SmtpReply, 'code' | 'enhanced' | 'text'>): string {
  const head = reply.enhanced === null ? `${reply.code}` : `${reply.code} ${reply.enhanced}`
  return cutToBytes(reply.text === '' ? head : `${head} ${reply.text}`, TEXT_BYTES_MAX)
}

/**
 * Splits a server's byte stream into replies. Lines may end with LF alone. Memory is bounded: a line, a reply or a
 * number of lines over the limit is a failure, after which nothing more is parsed.
 */
export class ReplyParser {
  /** Why parsing failed; null otherwise. */
  failure: string | null = null
  #rest: Buffer | null = null
  #lines: string[] = []
  #bytes = 0
  /** Parsed one-line replies, by line. Servers repeat nearly all of them in each transaction. */
  readonly #known = new Map<string, SmtpReply>()

  /** True when a reply has begun and is incomplete. */
  get partial(): boolean {
    return this.#rest !== null || this.#lines.length > 0
  }

  /** Consumes the next bytes and returns the replies that they complete. */
  push(chunk: Buffer): SmtpReply[] {
    const replies: SmtpReply[] = []
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = null
    let start = 0
    while (this.failure === null && start < bytes.length) {
      const end = bytes.indexOf(10, start)
      if (end === -1) {
        this.#keepRest(bytes.subarray(start))
        break
      }
      const reply = this.#takeLine(bytes, start, end)
      if (reply !== null) replies.push(reply)
      start = end + 1
    }
    return replies
  }

  #keepRest(rest: Buffer): void {
    if (rest.length > LINE_BYTES_MAX) this.#fail(`a reply line is longer than ${LINE_BYTES_MAX} bytes`)
    // A copy, so that a few bytes do not keep the socket's whole chunk in memory.
    else this.#rest = Buffer.from(rest)
  }

  #takeLine(bytes: Buffer, start: number, end: number): SmtpReply | null {
    const stop = end > start && bytes[end - 1] === 13 ? end - 1 : end
    this.#bytes += end + 1 - start
    if (stop - start > LINE_BYTES_MAX)
      return this.#fail(`a reply line is longer than ${LINE_BYTES_MAX} bytes`)
    if (this.#bytes > REPLY_BYTES_MAX) return this.#fail(`a reply is longer than ${REPLY_BYTES_MAX} bytes`)
    const line = bytes.toString('utf8', start, stop)
    return (this.#lines.length === 0 ? this.#takeKnown(line) : null) ?? this.#parseLine(line)
  }

  #takeKnown(line: string): SmtpReply | null {
    const reply = this.#known.get(line) ?? null
    if (reply !== null) this.#bytes = 0
    return reply
  }

  #parseLine(line: string): SmtpReply | null {
    const match = LINE.exec(line)
    if (match === null)
      return this.#fail(`not an SMTP reply: "${escapeControls(line.slice(0, 100).toWellFormed())}"`)
    this.#lines.push(match[3] ?? '')
    if (match[2] === '-') {
      return this.#lines.length < LINES_MAX ? null : this.#fail(`a reply has more than ${LINES_MAX} lines`)
    }
    // All lines of one reply should carry the same code; where they differ the last one decides, as in other clients.
    const reply = buildReply(Number(match[1]), this.#lines)
    if (this.#lines.length === 1 && this.#known.size < KNOWN_MAX) this.#known.set(line, reply)
    this.#lines = []
    this.#bytes = 0
    return reply
  }

  #fail(reason: string): null {
    this.failure = reason
    this.#lines = []
    this.#rest = null
    return null
  }
}
