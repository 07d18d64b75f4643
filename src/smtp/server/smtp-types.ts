import type { SecureContext } from 'node:tls'

/** What a command is answered. Lines of `text` become lines of the reply. */
export interface SmtpReply {
  code: number
  /** RFC 3463, for example `5.1.3`; null where there is none (greeting, EHLO, 3xx). */
  enhanced: string | null
  text: string
}

export function reply(code: number, enhanced: string | null, text: string): SmtpReply {
  return { code, enhanced, text }
}

/** The argument of MAIL or RCPT: nothing was judged but its form. */
export interface SmtpPath {
  /** What stood between the brackets; empty: the null sender. */
  address: string
  /** By their names in upper case; one without a value has an empty one. */
  parameters: ReadonlyMap<string, string>
}

export interface SmtpEnvelope {
  sender: SmtpPath
  recipients: readonly SmtpPath[]
}

/** The other end of a connection. */
export interface SmtpPeer {
  readonly address: string
  /** What it called itself in HELO or EHLO; empty before. Written by a stranger. */
  readonly hello: string
  /** For example `TLSv1.3`; null in the clear. */
  readonly tls: string | null
}

/** What one connection's commands mean; made anew for each. What they throw is logged and answered 451 4.3.0. */
export interface SmtpHandlers {
  /** Only where the listener requires it. Anything but 235 is a refusal. */
  authenticate?(user: string, password: string): Promise<SmtpReply>
  /** Null: 250. */
  onMail?(sender: SmtpPath): Promise<SmtpReply | null>
  /** Null: 250. */
  onRcpt(recipient: SmtpPath): Promise<SmtpReply | null>
  /** The message as it was sent: dots unstuffed, line ends as they are. 250 promises that it is committed. */
  onMessage(envelope: SmtpEnvelope, content: Buffer): Promise<SmtpReply>
  /** Whose share of the memory for messages a message takes; the address of the client without this. */
  owner?(): string
}

export interface SmtpLimits {
  connectionsMax: number
  connectionsPerAddressMax: number
  recipientsMax: number
  /** Refused commands of a connection. */
  errorsMax: number
  /** Commands between two messages that bring none nearer (NOOP, RSET, EHLO). */
  idleCommandsMax: number
  messageBytesMax: number
  /** Of a longer message, so much of its beginning is kept and handed on. */
  keptBytesMax: number
  /** Of all large messages that are received or worked on in this listener. */
  allMessagesBytesMax: number
  /** How long a large message may wait for its room. */
  roomTimeoutMs: number
  /** Whoever speaks within this time after connecting does not speak SMTP. */
  greetingDelayMs: number
  /** Nothing arrives for so long. RFC 5321 section 4.5.3.2.7 asks for five minutes. */
  idleTimeoutMs: number
  /** From connecting to AUTH, where that is required. */
  authenticationTimeoutMs: number
  /** From DATA to the final dot. */
  messageTimeoutMs: number
  /** A message arrives at least so fast, a minute apart. */
  bytesPerSecondMin: number
  /** What is being received may finish within this when the listener closes. */
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

/** Where the certificate in force is found, each time TLS begins. */
export interface ContextSource {
  context(): SecureContext
}
