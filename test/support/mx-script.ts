import { readFileSync } from 'node:fs'

/**
 * A row of a script: "expect this, reply that". The first matching row with turns left applies; otherwise the
 * server's default reply.
 */
export interface MxRow {
  /**
   * A command line (BDAT: when its octets have arrived), or one of the moments `<connect>`, `<secured>` (TLS is up),
   * `<content>` (first bytes after 354 or BDAT) and `<message>` (after the final dot or the last chunk). Text matches
   * the start of a line, case-insensitive.
   */
  expect: RegExp | string
  /** Reply lines without the last CRLF; null sends no reply. */
  answer: string | Buffer | null
  ending?: 'close' | 'reset'
  /** How often this row applies; always when absent. */
  times?: number
  /**
   * Sends the reply one byte at a time, this many milliseconds apart, until it is complete or the socket has closed.
   */
  byteEveryMs?: number
}

export interface MxTls {
  key: string | Buffer
  cert: string | Buffer
  /** A name in SNI for which the handshake fails, as on servers that only accept their own names. */
  refusedName?: string
}

export interface MxOptions {
  /** The capabilities in the EHLO reply; null: EHLO is rejected. `tls` and `login` add STARTTLS and AUTH. */
  capabilities?: readonly string[] | null
  script?: readonly MxRow[]
  /** Replies to RCPT by address. */
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
  /** The exact bytes received, with dots unstuffed and without the final dot. */
  raw: Buffer
  /** For example `TLSv1.3`; null in the clear. */
  tls: string | null
  /** The user logged in, if any. */
  user: string | null
  /** The nth connection of this server, from 1. */
  connection: number
  /** The reply to the final dot; null: none. */
  answer: string | null
  at: number
}

const fixture = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8')
export const testTls = (): MxTls => ({ key: fixture('mx.key.pem'), cert: fixture('mx.cert.pem') })
export const testCa = (): string => fixture('ca.pem')
