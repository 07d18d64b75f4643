import type { SecureContext } from 'node:tls'

/** The reply to a command. Lines of `text` become lines of the reply. */
export interface ServerReply {
  code: number
  /** The enhanced status code (RFC 3463), for example `5.1.3`. Null where there is none (greeting, EHLO, 3xx). */
  enhanced: string | null
  text: string
}

export function reply(code: number, enhanced: string | null, text: string): ServerReply {
  return { code, enhanced, text }
}

/** The argument of MAIL or RCPT. Only its syntax has been checked. */
export interface SmtpPath {
  /** The text between the brackets. Empty for the null sender. */
  address: string
  /** By name in upper case. A parameter without a value maps to an empty string. */
  parameters: ReadonlyMap<string, string>
}

export interface SmtpEnvelope {
  sender: SmtpPath
  recipients: readonly SmtpPath[]
}

/** The other end of a connection. */
export interface SmtpPeer {
  readonly address: string
  /** The name in HELO or EHLO, which is untrusted; empty before the command. */
  readonly hello: string
  /** The protocol version, for example `TLSv1.3`. Null without TLS. */
  readonly tls: string | null
}

/** The command handlers of one connection. The session logs their exceptions and replies 451 4.3.0. */
export interface SmtpHandlers {
  /** Called only if the listener requires authentication. Any reply but 235 is a rejection. */
  authenticate?(user: string, password: string): Promise<ServerReply>
  /** Returns the reply; null stands for 250. */
  onMail?(sender: SmtpPath): Promise<ServerReply | null>
  /** Returns the reply; null stands for 250. */
  onRcpt(recipient: SmtpPath): Promise<ServerReply | null>
  /** Receives the message with dots unstuffed and line ends unchanged. A 250 promises that it is committed. */
  onMessage(envelope: SmtpEnvelope, content: Buffer): Promise<ServerReply>
  /** Returns the owner of a message's share of memory. Without this function, the client's address is the owner. */
  owner?(): string
}

export interface SmtpLimits {
  connectionsMax: number
  connectionsPerAddressMax: number
  recipientsMax: number
  /** The most rejected commands on one connection. */
  errorsMax: number
  /** The most commands without progress (NOOP, RSET, EHLO) between two messages. */
  idleCommandsMax: number
  messageBytesMax: number
  /** How many bytes of a longer message are kept and passed on, from its beginning. */
  keptBytesMax: number
  /** The most bytes of large messages that this listener receives or processes at a time. */
  allMessagesBytesMax: number
  /** How long a large message may wait for room. */
  roomTimeoutMs: number
  /** The delay of the greeting. A client that sends data within it is no mail server. */
  greetingDelayMs: number
  /** The longest silence of a client. RFC 5321 section 4.5.3.2.7 recommends five minutes. */
  idleTimeoutMs: number
  /** The longest time from connecting to a successful AUTH, if it is required. */
  authenticationTimeoutMs: number
  /** The longest time from DATA to the final dot. */
  messageTimeoutMs: number
  /** The minimum average rate of a message after its first minute. */
  bytesPerSecondMin: number
  /** How long messages in progress may take when the listener closes. */
  closeTimeoutMs: number
}

export const SMTP_LIMITS: SmtpLimits = {
  connectionsMax: 1_000,
  connectionsPerAddressMax: 100,
  recipientsMax: 150,
  errorsMax: 20,
  idleCommandsMax: 100,
  messageBytesMax: 37_500_000,
  keptBytesMax: Number.POSITIVE_INFINITY,
  allMessagesBytesMax: 256 * 1024 * 1024,
  roomTimeoutMs: 60_000,
  greetingDelayMs: 50,
  idleTimeoutMs: 300_000,
  authenticationTimeoutMs: 60_000,
  messageTimeoutMs: 900_000,
  bytesPerSecondMin: 1_024,
  closeTimeoutMs: 10_000,
}

/** Supplies the current certificate each time TLS begins. */
export interface ContextSource {
  context(): SecureContext
}
