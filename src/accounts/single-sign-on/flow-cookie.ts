import { readCookie, writeCookie } from '../../http/auth/cookies.ts'
import { deriveKey, seal, unseal } from '../../lib/crypto/seal.ts'
import type { Flow } from './oidc-client.ts'

const NAME = 'sendwright_sso'
const PURPOSE = 'single sign-on'
const LIFETIME_MS = 10 * 60_000
const NEXT_CHARS_MAX = 1_000

/** The state of a login that the browser keeps between its two steps. */
export interface StartedFlow extends Flow {
  /** The page of the dashboard to open after the login. */
  next: string
}

/**
 * Returns the value of `Set-Cookie` that binds a login to this browser. SameSite is Lax, because the provider redirects
 * back from another site. The value is sealed, so the login needs no row, and every process can finish it.
 */
export function writeFlowCookie(flow: StartedFlow, secret: Buffer, publicUrl: string, now: Date): string {
  const next = flow.next.slice(0, NEXT_CHARS_MAX)
  const plain = JSON.stringify({ ...flow, next, untilMs: now.getTime() + LIFETIME_MS })
  const sealed = seal(deriveKey(secret, PURPOSE), Buffer.from(plain), PURPOSE).toString('base64url')
  return cookieOf(sealed, LIFETIME_MS, publicUrl)
}

export const clearFlowCookie = (publicUrl: string): string => cookieOf('', 0, publicUrl)

function cookieOf(value: string, lifetimeMs: number, publicUrl: string): string {
  return writeCookie({ name: NAME, value, lifetimeMs, sameSite: 'Lax' }, publicUrl)
}

/** Returns the login that this browser has started, or null if there is none, it has expired, or it was changed. */
export function readFlowCookie(
  header: string | undefined,
  secret: Buffer,
  publicUrl: string,
  now: Date,
): StartedFlow | null {
  const value = readCookie(header, NAME, publicUrl)
  if (value === null) return null
  try {
    const plain = unseal(deriveKey(secret, PURPOSE), Buffer.from(value, 'base64url'), PURPOSE).toString()
    const { untilMs, ...flow } = JSON.parse(plain) as StartedFlow & { untilMs: number }
    return now.getTime() < untilMs ? flow : null
  } catch {
    return null
  }
}
