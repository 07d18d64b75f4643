import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import { freeOctets } from '../../lib/octets.ts'
import type { MessageContent } from './message-content.ts'

/** The longest allowed line, which a response to AUTH may have (RFC 4954 section 4). */
const LINE_OCTETS_MAX = 12_288
/** How many unread octets may wait before the socket is paused. */
const AHEAD_OCTETS = 64 * 1024
/** A line that is longer than this without an end closes the connection. */
const ENDLESS_OCTETS = 256 * 1024
const LF = 10
const CR = 13
const NOTHING = Buffer.alloc(0)
/** NUL, bare CR and other control characters do not belong in a command (RFC 5321 sections 4.1.2 and 2.3.8). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const CONTROL = /[\x00-\x1f\x7f]/

/** One command line, without its line end. */
export interface WireLine {
  /** The length, including the line end. */
  octets: number
  text: string
  /** Why the line cannot be a valid command, or null. */
  problem: string | null
}

/**
 * Client input, read on demand; the rest stays in the socket. Holds at most one line and what the socket delivers at
 * once.
 */
export class WireInput {
  #socket: Socket
  #pending: Buffer = NOTHING
  #isClosed = false
  #wake: (() => void) | null = null
  readonly #onData = (chunk: Buffer) => this.#push(chunk)
  readonly #onClose = () => this.close()
  /** When the last byte arrived, to detect silent clients. */
  lastByteAtMs = performance.now()

  constructor(socket: Socket) {
    this.#socket = socket
    this.#listen()
  }

  #listen(): void {
    this.#socket.on('data', this.#onData)
    this.#socket.on('end', this.#onClose)
    this.#socket.on('close', this.#onClose)
  }

  /** Whether unread input has arrived. */
  get hasMore(): boolean {
    return this.#pending.length > 0 || this.#socket.readableLength > 0
  }

  /** Lets the socket read ahead while no command is expected. */
  readAhead(): void {
    if (this.#socket.isPaused()) this.#socket.resume()
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Reads from another socket, which runs TLS over the old one. Discards unread input from the old one. */
  switchTo(socket: Socket): void {
    this.#socket.off('data', this.#onData)
    this.#socket.off('end', this.#onClose)
    this.#socket = socket
    this.#pending = NOTHING
    this.#listen()
  }

  /** Stops reading the socket, so that TLS can take it over. */
  detach(): void {
    this.#socket.off('data', this.#onData)
  }

  /** Ends a wait for bytes. */
  close(): void {
    this.#isClosed = true
    this.#wake?.()
  }

  /** Discards further input. */
  discard(): void {
    this.close()
    this.#socket.off('data', this.#onData)
    this.#pending = NOTHING
    this.#socket.resume()
  }

  /** Returns the next command line, or null at the end. Discards an over-long line up to its end. */
  async readLine(): Promise<WireLine | null> {
    let dropped = 0
    for (;;) {
      const end = this.#pending.indexOf(LF)
      if (end >= 0) {
        const line = this.#pending.subarray(0, end + 1)
        this.#pending = this.#pending.subarray(end + 1)
        return readText(line, dropped)
      }
      if (this.#pending.length > LINE_OCTETS_MAX) {
        dropped += this.#pending.length
        this.#pending = NOTHING
        if (dropped > ENDLESS_OCTETS) this.close()
      }
      if (!(await this.#more())) return null
    }
  }

  /** Reads a message to its end. Returns false if the connection ends or `mayGoOn` returns false before that. */
  async readContent(content: MessageContent, mayGoOn: () => Promise<boolean> | boolean): Promise<boolean> {
    for (;;) {
      const fed = this.#pending
      const rest = fed.length === 0 ? null : content.feed(fed)
      this.#pending = rest ?? NOTHING
      // The content has copied these bytes.
      freeOctets(fed)
      if (rest !== null) return true
      if (!(await mayGoOn())) return false
      // What arrived while it waited may be the rest of the message.
      if (this.#pending.length === 0 && !(await this.#more())) return false
    }
  }

  #push(chunk: Buffer): void {
    this.lastByteAtMs = performance.now()
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    if (this.#pending.length > AHEAD_OCTETS) this.#socket.pause()
    this.#wake?.()
  }

  /** Waits for bytes. Returns false if no more will come. */
  async #more(): Promise<boolean> {
    if (this.#isClosed) return false
    const before = this.#pending.length
    if (this.#socket.isPaused()) this.#socket.resume()
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = null
    return this.#pending.length > before || !this.#isClosed
  }
}

function readText(line: Buffer, dropped: number): WireLine {
  const octets = dropped + line.length
  if (octets > LINE_OCTETS_MAX) return { octets, text: '', problem: 'The line is too long' }
  const hasCr = line.at(-2) === CR
  const content = line.subarray(0, hasCr ? -2 : -1)
  const text = content.toString('utf8')
  // RFC 5321 section 2.3.8: servers that accept a bare LF as a line end disagree with others about the commands sent.
  if (!hasCr) return { octets, text, problem: 'Lines must end with CRLF' }
  if (!isUtf8(content)) return { octets, text, problem: 'The line is not UTF-8' }
  return { octets, text, problem: CONTROL.test(text) ? 'The line contains a control character' : null }
}
