/** The stage of an SMTP session that decided the result. */
export type Stage = 'connect' | 'greeting' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'

/** Why an attempt ended without a deciding reply: the connection failed, a policy forbids it, or the server lacks an extension. */
export type FailureKind =
  | 'refused_address'
  | 'unreachable'
  | 'timeout'
  | 'closed'
  | 'protocol'
  | 'aborted'
  | 'tls_handshake'
  | 'tls_certificate'
  | 'tls_unavailable'
  | 'mta_sts'
  | 'dane'
  | 'auth_unavailable'
  | 'auth_without_tls'
  | 'too_large'
  | 'smtputf8_unsupported'
  | 'eight_bit_unsupported'
  | 'requiretls_unsupported'
  | 'bad_address'

/**
 * Returns whether an attempt ended by what one message needs. Our client refuses it before the server sees it, so it says
 * nothing about the server.
 */
export function isOfMessage(kind: FailureKind): boolean {
  return OF_MESSAGE.has(kind)
}

const OF_MESSAGE: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'too_large',
  'smtputf8_unsupported',
  'eight_bit_unsupported',
  'requiretls_unsupported',
  'bad_address',
])
