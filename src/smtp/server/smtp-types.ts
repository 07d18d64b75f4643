import type { SecureContext } from 'node:tls'

/** The reply to a command. Lines of `text` become lines of the reply. */
export interface SmtpReply {
  code: number
  /** RFC 3463, for example `5.1.3`; null where there is none (greeting, EHLO, 3xx). */
  enhanced: string | null
  text: string
}

export function reply(code: number, enhanced: string | null, text: string): SmtpReply {
  return { code, enhanced, text }
}

/** The argument of MAIL or RCPT; only its syntax has been checked. */
export interface SmtpPath {
  /** The text between the brackets. Empty for the null sender. */
  address: string
  /** By name in upper case; a parameter without a value has an empty one. */
  parameters: ReadonlyMap<string, string>
}

export interface SmtpEnvelope {
  sender: SmtpPath
  recipients: readonly SmtpPath[]
}

/** The other end of a connection. */
export interface SmtpPeer {
  readonly address: string
  /** The name in HELO or EHLO; empty before. Untrusted. */
  readonly hello: string
  /** For example `TLSv1.3`; null without TLS. */
  readonly tls: string | null
}

/** The command handlers of one connection; created for each. Exceptions are logged and answered with 451 4.3.0. */
export interface SmtpHandlers {
  /** Called only where the listener requires it. Any reply but 235 is a rejection. */
  authenticate?(user: string, password: string): Promise<SmtpReply>
  /** Null: 250. */
  onMail?(sender: SmtpPath): Promise<SmtpReply | null>
  /** Null: 250. */
  onRcpt(recipient: SmtpPath): Promise<SmtpReply | null>
  /** The message as sent: dots unstuffed, line ends unchanged. 250 promises that it is committed. */
  onMessage(envelope: SmtpEnvelope, content: Buffer): Promise<SmtpReply>
  /** Returns the owner of a message's share of memory; without it, the client's address. */
  owner?(): string
}

export interface SmtpLimits {
  connectionsMax: number
  connectionsPerAddressMax: number
  recipientsMax: number
  /** Rejected commands of a connection. */
  errorsMax: number
  /** Commands without progress between two messages (NOOP, RSET, EHLO). */
  idleCommandsMax: number
  messageBytesMax: number
  /** How much of the beginning of a longer message is kept and passed on. */
  keptBytesMax: number
  /** The total of all large messages that this listener receives or processes at a time. */
  allMessagesBytesMax: number
  /** How long a large message may wait for its room. */
  roomTimeoutMs: number
  /** A client that speaks within this time after connecting is not a mail server. */
  greetingDelayMs: number
  /** The longest silence. RFC 5321 section 4.5.3.2.7 asks for five minutes. */
  idleTimeoutMs: number
  /** From connecting to AUTH, where that is required. */
  authenticationTimeoutMs: number
  /** From DATA to the final dot. */
  messageTimeoutMs: number
  /** The minimum average rate of a message; its first minute does not count. */
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

/** Returns the current certificate, each time TLS begins. */
export interface ContextSource {
  context(): SecureContext
}
