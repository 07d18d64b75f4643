/** The part of a conversation in which something was decided. */
export type Stage = 'connect' | 'greeting' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'

/** Why no reply decided. The last six are our own refusals, made before anything was sent. */
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
