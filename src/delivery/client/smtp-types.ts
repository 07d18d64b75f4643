import type { FailureKind, Stage } from '../../classification/stages.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import type { SmtpReply } from './smtp-reply.ts'
import type { FailureType } from './tls-result-types.ts'
import type { TlsaRecord } from './tlsa.ts'

export interface SmtpFailure {
  kind: FailureKind
  /** For people, at most 1 KB, control characters escaped. */
  detail: string
  /** For a rejected certificate: its fault, for TLS reports. */
  certificate?: FailureType
  /** The host did not answer, whatever it was asked. */
  isTimeout?: true
}

/** The outcome of one message to one recipient. Exactly one of `reply` and `failure` is set. */
export interface SendOutcome {
  /** With a failure: the stage in progress. `dot` then means that the server may have accepted the message. */
  stage: Stage
  /** The deciding reply: 2xx at `dot` is acceptance, any other a refusal. */
  reply: SmtpReply | null
  failure: SmtpFailure | null
  /** Whether the connection can carry another message. */
  usable: boolean
}

export interface SmtpTarget {
  /** The host's name, for certificate checks and for people. */
  host: string
  /** A literal IP address: the guard checks exactly the address that is connected to. */
  address: string
  port: number
}

/** In milliseconds. Based on RFC 5321 section 4.5.3.2, scaled for a sender with many waiting destinations. */
export interface SmtpTimeouts {
  connectMs: number
  /** From the connection to the whole greeting. */
  greetingMs: number
  /** From a command to its whole reply; also the TLS handshake. */
  commandMs: number
  /** The same for the first command after the connection was idle, because it may have died meanwhile. */
  afterIdleMs: number
  /** For the server to take the next part of the content. */
  dataBlockMs: number
  /** From the final dot to its reply: the server may be scanning. */
  afterDotMs: number
  quitMs: number
}

export const DEFAULT_TIMEOUTS: SmtpTimeouts = {
  connectMs: 30_000,
  greetingMs: 60_000,
  commandMs: 60_000,
  afterIdleMs: 15_000,
  dataBlockMs: 180_000,
  afterDotMs: 600_000,
  quitMs: 5_000,
}

export interface OpenOptions {
  /** The name to send with EHLO. */
  ehloName: string
  /** Null only for a relay, whose address the operator chose. */
  guard: Guard | null
  /** `opportunistic` accepts any certificate; `enforced` requires one that is valid for the host. */
  tls: 'off' | 'opportunistic' | 'enforced'
  /**
   * With `enforced`: these records verify the certificate instead (RFC 7672); if none is usable, any certificate is
   * accepted.
   */
  tlsa?: readonly TlsaRecord[] | null
  /** The certificate must name the host in a subject alternative name (RFC 8461 section 4.1). */
  dnsIdOnly?: boolean
  /** With `off`: an earlier handshake failed. */
  isHandshakeBroken?: boolean
  /** Fail if the server does not offer REQUIRETLS (RFC 8689) after TLS. */
  requireTls?: boolean
  /** TLS from the first byte (SMTPS, RFC 8314). `tls` decides how the certificate is verified. */
  implicitTls?: boolean
  auth?: { user: string; password: string } | null
  /** Local IP address to bind. */
  localAddress?: string
  timeouts?: Partial<SmtpTimeouts>
  /** Start of the attempt by `performance.now()`, the zero point of its transcript. Default: now. */
  startedMs?: number
  /** Aborts whatever is in progress, at once. */
  signal?: AbortSignal
}

/** The extensions that a server offers (EHLO, RFC 5321 section 4.1.1.1). */
export interface Capabilities {
  pipelining: boolean
  startTls: boolean
  requireTls: boolean
  eightBitMime: boolean
  /** BDAT (RFC 3030). */
  chunking: boolean
  smtpUtf8: boolean
  enhancedStatusCodes: boolean
  /** Null: not offered, or offered without a limit. */
  sizeMax: number | null
  /** Whether MAIL may carry SIZE= (RFC 1870). */
  size: boolean
  /** Upper case, for example `PLAIN`. */
  auth: readonly string[]
}
