import type { FailureKind } from '../../classification/stages.ts'
import type { OpenOutcome } from '../client/smtp-open.ts'
import type { SmtpFailure } from '../client/smtp-types.ts'
import type { Demander, HostDemand } from './tls-policy.ts'
import type { FailureType } from './tls-result-types.ts'

/** How TLS fails on the wire, and what a TLS report calls it. */
const TYPE_OF_KIND: Partial<Record<FailureKind, FailureType>> = {
  tls_unavailable: 'starttls-not-supported',
  tls_handshake: 'validation-failure',
  tls_certificate: 'certificate-not-trusted',
}

const KIND_OF_DEMANDER: Record<Demander | 'require-tls', FailureKind | null> = {
  dane: 'dane',
  'mta-sts': 'mta_sts',
  'require-tls': 'requiretls_unsupported',
  // The sender's own domain: its kinds say what is missing.
  enforced: null,
}

/** What a TLS report calls a failure; undefined: it says nothing of TLS. */
export function typeOfFailure({ kind, certificate }: SmtpFailure): FailureType | undefined {
  return certificate ?? TYPE_OF_KIND[kind]
}

/** A failure of TLS under a policy is told as the policy's: whoever published it can mend it. */
export function blameDemander(by: Demander | null, failure: SmtpFailure): SmtpFailure {
  const certificate = typeOfFailure(failure)
  const kind = by === null ? null : KIND_OF_DEMANDER[by]
  return certificate === undefined || kind === null ? failure : { ...failure, kind, certificate }
}

/** Whether a failure is about what was demanded of a host, and not about the host. */
export function isTlsFailure(kind: FailureKind): boolean {
  return kind in TYPE_OF_KIND || Object.values(KIND_OF_DEMANDER).includes(kind)
}

/** The outcome of a host that policy forbids to connect to. */
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
    conversation: [{ at, who: '*', text: `not connected: ${refused}` }],
    sourceAddress: null,
  }
}
