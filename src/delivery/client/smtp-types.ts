import type { FailureKind, Stage } from '../../classification/stages.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import type { FailureType } from '../tls/tls-result-types.ts'
import type { TlsaRecord } from '../tls/tlsa.ts'
import type { SmtpReply } from './smtp-reply.ts'

export interface SmtpFailure {
  kind: FailureKind
  /** For people, at most 1 KB, control characters escaped. */
  detail: string
  /** Of a certificate that was not accepted: what is wrong with it, for TLS reports. */
  certificate?: FailureType
}

/** What one message to one recipient came to. Exactly one of `reply` and `failure` is there. */
export interface SendOutcome {
  /** With a failure: what was under way. `dot` then means that the server may have taken the message. */
  stage: Stage
  /** The reply that decided: 2xx at `dot` is acceptance, every other one a refusal. */
  reply: SmtpReply | null
  failure: SmtpFailure | null
  /** Whether the next message may go over this connection. */
  usable: boolean
}

export interface SmtpTarget {
  /** The host's name: for the certificate and for people. */
  host: string
  /** A literal IP address: the guard judges exactly what is connected to. */
  address: string
  port: number
}

/** Milliseconds. RFC 5321 section 4.5.3.2, scaled to a sender with many destinations waiting. */
export interface SmtpTimeouts {
  connectMs: number
  /** From the connection to the whole greeting. */
  greetingMs: number
  /** From a command to its whole reply; also the TLS handshake. */
  commandMs: number
  /** The same for the first command after the connection was idle: it may have died meanwhile. */
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
  /** What we call ourselves. */
  ehloName: string
  /** Null only for a relay, whose address the operator chose. */
  guard: Guard | null
  /** `opportunistic` takes any certificate; `enforced` needs one that is valid for the host. */
  tls: 'off' | 'opportunistic' | 'enforced'
  /** With `enforced`: the certificate is judged by these records instead (RFC 7672); none usable: any will do. */
  tlsa?: readonly TlsaRecord[] | null
  /** The certificate must bear the host's name as an alternative name (RFC 8461 section 4.1). */
  dnsIdOnly?: boolean
  /** With `off`: a handshake failed before. */
  isHandshakeBroken?: boolean
  /** A server that does not offer REQUIRETLS (RFC 8689) after TLS is none for this connection. */
  requireTls?: boolean
  /** TLS from the first byte (smtps, RFC 8314). The certificate is judged as `tls` says. */
  implicitTls?: boolean
  auth?: { user: string; password: string } | null
  /** Source address. */
  localAddress?: string
  timeouts?: Partial<SmtpTimeouts>
  /** When the attempt began, by `performance.now()`: its conversation is told on one scale. Default: now. */
  startedMs?: number
  /** Ends whatever is under way, at once. */
  signal?: AbortSignal
}

/** What a server offers (EHLO, RFC 5321 section 4.1.1.1). */
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
  /** Whether SIZE= may be given with MAIL (RFC 1870). */
  size: boolean
  /** Upper case, for example `PLAIN`. */
  auth: readonly string[]
}
