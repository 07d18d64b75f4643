import type { SmtpFailure } from '../client/smtp-types.ts'
import type { SessionFailure } from '../client/tls-result-types.ts'
import { failureOf, type Security } from '../client/tls-security.ts'
import { formatTlsa, isUsable } from '../client/tlsa.ts'
import { typeOfFailure } from './blame.ts'
import type { StsState } from './sts-policies.ts'
import { matchesMx } from './sts-syntax.ts'
import { type HostDemand, isWaived, type TlsPolicy } from './tls-policy.ts'

/** A policy as TLS reports name it (RFC 8460 section 4.2). */
export interface ReportedPolicy {
  type: 'sts' | 'tlsa'
  /** The recipient domain for `sts`, the TLSA base domain for `tlsa`. */
  domain: string
  lines: readonly string[]
  mxPatterns: readonly string[]
}

/** One session with one host under a policy, for the report to one domain. */
export interface TlsSession {
  /** The recipient domain. */
  domain: string
  policy: ReportedPolicy
  /** Null: the session satisfied the policy. */
  failure: { type: string; reason: string } | null
  mxHost: string
  receivingIp: string
  sendingIp: string | null
}

/** The result of one session under the policy that applied. */
export interface MetPolicy {
  policy: ReportedPolicy
  failure: SessionFailure
}

/** The result of opening: a connection's security, or why there is none. */
export type SessionOutcome = { security: Security } | { failed: SmtpFailure }

const REPORTED_LINES_MAX = 100

/**
 * Returns the entry of one session with one host in a TLS report; null when no policy applied, or when the session
 * failed before TLS mattered.
 */
export function classifySession(
  policy: TlsPolicy,
  demand: HostDemand,
  host: string,
  outcome: SessionOutcome,
): MetPolicy | null {
  if (isWaived(policy)) return null
  if ('refused' in demand && demand.by === 'dane') {
    return { policy: tlsaPolicy(host, []), failure: { type: 'dnssec-invalid', reason: demand.refused } }
  }
  if (!('refused' in demand) && demand.tlsa !== null) {
    const policy = tlsaPolicy(host, demand.tlsa.map(formatTlsa))
    const isNoneUsable = !demand.tlsa.some(isUsable)
    const unusable: SessionFailure = { type: 'tlsa-invalid', reason: 'no TLSA record can be used' }
    const failure = isNoneUsable ? unusable : tlsFailureOf(outcome, true)
    return failure === undefined ? null : { policy, failure }
  }
  const { sts, domain } = policy
  if (sts === null) return null
  if ('failure' in sts) {
    return { policy: stsPolicy(domain, null), failure: { type: sts.failure, reason: sts.reason } }
  }
  if (sts.policy.mode === 'none') return null
  const mismatch: SessionFailure = {
    type: 'validation-failure',
    reason: `${host} is not named by the policy`,
  }
  const failure = matchesMx(sts.policy.mx, host) ? tlsFailureOf(outcome, false) : mismatch
  return failure === undefined ? null : { policy: stsPolicy(domain, sts), failure }
}

/** Returns undefined when the outcome is not about TLS. */
function tlsFailureOf(outcome: SessionOutcome, byDane: boolean): SessionFailure | undefined {
  if ('security' in outcome) return failureOf(outcome.security, byDane)
  const type = typeOfFailure(outcome.failed)
  return type === undefined ? undefined : { type, reason: outcome.failed.detail }
}

function tlsaPolicy(host: string, lines: readonly string[]): ReportedPolicy {
  return { type: 'tlsa', domain: host, lines: lines.slice(0, REPORTED_LINES_MAX), mxPatterns: [] }
}

function stsPolicy(domain: string, sts: Extract<StsState, { policy: unknown }> | null): ReportedPolicy {
  if (sts === null) return { type: 'sts', domain, lines: [], mxPatterns: [] }
  const { mode, maxAgeSeconds } = sts.policy
  const mx = sts.policy.mx.slice(0, REPORTED_LINES_MAX)
  const lines = [
    'version: STSv1',
    `mode: ${mode}`,
    ...mx.map((pattern) => `mx: ${pattern}`),
    `max_age: ${maxAgeSeconds}`,
  ]
  return { type: 'sts', domain, lines, mxPatterns: mx }
}

/** Returns the `tls` text of an attempt, or null if TLS was disabled. */
export function describeAttempt(security: Security, demand: HostDemand): string | null {
  if (security.kind === 'plain') return security.reason === null ? null : `none (${security.reason})`
  return `${security.protocol} ${security.cipher} ${wordOf(security, demand)}`
}

function wordOf(security: Extract<Security, { kind: 'tls' }>, demand: HostDemand): string {
  const by = 'refused' in demand ? null : demand.by
  if (by === 'dane' && security.dane === null) return 'dane'
  if (by === 'mta-sts' || by === 'enforced') return by
  return security.pkix === null ? 'verified' : `unverified (${security.pkix.type})`
}
