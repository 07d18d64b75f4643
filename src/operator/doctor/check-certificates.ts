import type { CertificateState } from '../../certificates/certificates-queries.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const DAY_MS = 86_400_000
/** Renewal begins 30 days before the end, so several attempts have failed by then. */
const EXPIRY_WARNING_MS = 14 * DAY_MS
const CHECK_WAY =
  'Check that the name resolves to this server, and that its port 80 leads to PORT (http-01), or its port 443 to SENDWRIGHT_HTTPS_PORT (tls-alpn-01). The server retries by itself.'

/** Checks the certificates that ACME obtains for the hosts of this installation. */
export function checkCertificates(states: readonly CertificateState[], now: Date): Finding[] {
  return states.map((state) => checkOne(state, now))
}

function checkOne({ host, validUntil, failures, reason, dueAt }: CertificateState, now: Date): Finding {
  const check = `certificate of ${host}`
  const failed = failures === 0 ? '' : ` ${describeFailures(failures, reason, dueAt)}`
  if (validUntil === null) {
    if (failures > 0) return problem(check, `There is none yet.${failed}`, CHECK_WAY)
    return warning(
      check,
      'There is none yet.',
      'The first attempt begins within a minute while a process with the role scheduler runs.',
    )
  }
  const leftMs = validUntil.getTime() - now.getTime()
  if (leftMs <= 0) return problem(check, `It has expired.${failed}`, CHECK_WAY)
  const found = `It is valid until ${validUntil.toISOString().slice(0, 10)}.${failed}`
  if (failures > 0) return warning(check, found, CHECK_WAY)
  if (leftMs < EXPIRY_WARNING_MS && dueAt !== null && dueAt < new Date(now.getTime() - DAY_MS)) {
    return warning(check, found, 'No process renews it. Check that a process with the role scheduler runs.')
  }
  return ok(check, found)
}

function describeFailures(failures: number, reason: string | null, dueAt: Date | null): string {
  const next = dueAt === null ? '' : ` The next attempt is at ${dueAt.toISOString().slice(0, 16)}Z.`
  const times = failures === 1 ? 'The last attempt failed' : `The last ${failures} attempts failed`
  return `${times}: ${(reason ?? 'unknown').replace(/\.$/, '')}.${next}`
}
