/** How a session failed a policy, in the words of the registry of RFC 8460 section 4.3. */
export type FailureType =
  | 'starttls-not-supported'
  | 'certificate-host-mismatch'
  | 'certificate-expired'
  | 'certificate-not-trusted'
  | 'validation-failure'
  | 'tlsa-invalid'
  | 'dnssec-invalid'
  | 'dane-required'
  | 'sts-policy-fetch-error'
  | 'sts-policy-invalid'
  | 'sts-webpki-invalid'

/** What a session came to under a policy; null: it satisfies it. */
export type SessionFailure = { type: FailureType; reason: string } | null
