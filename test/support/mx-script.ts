import { readFileSync } from 'node:fs'

/** "Expect this, answer that." First row that matches and has turns left answers; else the server's usual answer. */
export interface MxRow {
  /**
   * A command line (BDAT: once its octets are there), or one of the moments `<connect>`, `<secured>` (TLS is up),
   * `<content>` (first bytes after 354 or BDAT) and `<message>` (after the final dot or the last chunk). Text matches a
   * line that begins with it, without regard to case.
   */
  expect: RegExp | string
  /** Reply lines without the last CRLF; null says nothing. */
  answer: string | Buffer | null
  ending?: 'close' | 'reset'
  /** How often this row answers; always when absent. */
  times?: number
  /** The answer leaves one byte at a time, this many milliseconds apart, until all is said or the socket gone. */
  byteEveryMs?: number
}

export interface MxTls {
  key: string | Buffer
  cert: string | Buffer
  /** A name in SNI for which the handshake is broken off, as by servers that know their own names alone. */
  refusedName?: string
}

export interface MxOptions {
  /** What EHLO lists; null: EHLO is not understood. STARTTLS and AUTH are added by `tls` and `login`. */
  capabilities?: readonly string[] | null
  script?: readonly MxRow[]
  /** Answers to RCPT by address. */
  recipients?: Record<string, string>
  /** Offers STARTTLS with this certificate, or with the fixture's when true. */
  tls?: MxTls | boolean
  /** TLS from the first byte. */
  implicitTls?: boolean
  login?: { user: string; password: string; mechanisms?: readonly ('PLAIN' | 'LOGIN')[] }
  port?: number
  /** Another loopback address, for several hosts on one port. */
  address?: string
}

export interface MxMessage {
  from: string
  to: string[]
  /** The parameters of MAIL as sent, for example `SIZE=120 BODY=8BITMIME`. */
  mailParameters: string
  /** Exactly the bytes received, dots unstuffed, without the final dot. */
  raw: Buffer
  /** For example `TLSv1.3`; null in the clear. */
  tls: string | null
  /** The user logged in, if any. */
  user: string | null
  /** The nth connection of this server, from 1. */
  connection: number
  /** What the final dot was answered with; null: nothing. */
  answer: string | null
  at: number
}

const fixture = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8')
export const testTls = (): MxTls => ({ key: fixture('mx.key.pem'), cert: fixture('mx.cert.pem') })
export const testCa = (): string => fixture('ca.pem')
