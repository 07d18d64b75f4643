/** How a session failed a policy, by the result type registry of RFC 8460 section 4.3. */
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

/** The result of a session under a policy, or null if it satisfies the policy. */
export type SessionFailure = { type: FailureType; reason: string } | null
