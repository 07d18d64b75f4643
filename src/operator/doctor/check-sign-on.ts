import { readBounded } from '../../lib/net/read-bounded.ts'
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts'

const CHECK = 'single sign-on'
const TIMEOUT_MS = 5_000
const BYTES_MAX = 1024 * 1024

/** Checks that the OpenID provider responds, with the configured issuer (OpenID Connect Discovery 1.0, section 4). */
export async function checkSignOn(issuer: string): Promise<Finding> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.status !== 200) {
      await response.body?.cancel()
      return problem(
        CHECK,
        `${url} responds with status ${response.status}.`,
        'Set SENDWRIGHT_OIDC_ISSUER to the URL of the provider.',
      )
    }
    const described = (await (await readBounded(response, BYTES_MAX)).json()) as { issuer?: unknown }
    if (described.issuer === issuer) return ok(CHECK, `The provider ${issuer} responds.`)
    return problem(
      CHECK,
      `The provider's issuer is ${String(described.issuer).slice(0, 200)}, not ${issuer}.`,
      'Set SENDWRIGHT_OIDC_ISSUER to exactly that issuer, including a slash at its end, if any.',
    )
  } catch (error) {
    return warning(
      CHECK,
      `The provider cannot be reached: ${reasonOf(error)}.`,
      'Check SENDWRIGHT_OIDC_ISSUER, and that this machine may connect to it.',
    )
  }
}
