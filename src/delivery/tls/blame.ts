import type { FailureKind } from '../../classification/stages.ts'
import type { OpenOutcome } from '../client/smtp-open.ts'
import type { SmtpFailure } from '../client/smtp-types.ts'
import type { FailureType } from '../client/tls-result-types.ts'
import type { Demander, HostDemand } from './tls-policy.ts'

/** Wire-level TLS failures and their result types in TLS reports. */
const TYPE_OF_KIND: Partial<Record<FailureKind, FailureType>> = {
  tls_unavailable: 'starttls-not-supported',
  tls_handshake: 'validation-failure',
  tls_certificate: 'certificate-not-trusted',
}

const KIND_OF_DEMANDER: Record<Demander | 'require-tls', FailureKind | null> = {
  dane: 'dane',
  'mta-sts': 'mta_sts',
  'require-tls': 'requiretls_unsupported',
  // The sender's own domain: its failure kinds name what is missing.
  enforced: null,
}

/** Returns the result type of a failure in a TLS report, or undefined if the failure is not about TLS. */
export function typeOfFailure({ kind, certificate }: SmtpFailure): FailureType | undefined {
  return certificate ?? TYPE_OF_KIND[kind]
}

/** Attributes a TLS failure under a policy to that policy, whose publisher can fix it. */
export function blameDemander(by: Demander | null, failure: SmtpFailure): SmtpFailure {
  const certificate = typeOfFailure(failure)
  const kind = by === null ? null : KIND_OF_DEMANDER[by]
  return certificate === undefined || kind === null ? failure : { ...failure, kind, certificate }
}

/** Returns whether a failure is about the TLS demanded of a host, and not about the host. */
export function isTlsFailure(kind: FailureKind): boolean {
  return kind in TYPE_OF_KIND || Object.values(KIND_OF_DEMANDER).includes(kind)
}

/** Returns the outcome for a host that policy forbids to connect to. */
export function refuse(
  { refused, by }: Extract<HostDemand, { refused: string }>,
  startedMs: number,
): Extract<OpenOutcome, { ok: false }> {
  const at = Math.round(performance.now() - startedMs)
  const kind = KIND_OF_DEMANDER[by] ?? 'tls_unavailable'
  return {
    ok: false,
    stage: 'connect',
    reply: null,
    failure: { kind, detail: refused },
    transcript: [{ at, who: '*', text: `not connected: ${refused}` }],
    sourceAddress: null,
  }
}
