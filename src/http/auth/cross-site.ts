import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../lib/api-error.ts'

/**
 * Accepts requests that carry a session only from our own pages. Browsers state the origin of each request (W3C Fetch
 * Metadata, RFC 6454 section 7), and pages cannot change that. A request that changes something must prove its
 * origin; a read must not come from elsewhere. Throws ApiError (403).
 */
export function refuseCrossSite(method: string, headers: IncomingHttpHeaders, publicUrl: string): void {
  if (isForeign(headers)) throw new ApiError('cross_site_request')
  if (method === 'GET' || method === 'HEAD') return
  if (headers['sec-fetch-site'] === 'same-origin' || isOwnOrigin(headers, publicUrl)) return
  throw new ApiError('cross_site_request')
}

/**
 * Accepts logins in browsers only from our own pages: another site could otherwise log a visitor in to its account.
 * There is no session to misuse yet, so programs that state no origin may log in. Throws ApiError (403).
 */
export function refuseForeignLogin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const isSilent = headers['sec-fetch-site'] === undefined && headers.origin === undefined
  if (!isSilent) refuseCrossSite('POST', headers, publicUrl)
}

/**
 * Accepts a browser with an API key only from pages of PUBLIC_URL, or of this machine. The requested host alone proves
 * nothing: with DNS rebinding, a page makes its own host resolve to this server, and is then same-origin. Programs
 * send no `Origin`. Throws ApiError (403).
 */
export function refuseForeignPage(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin, host } = headers
  if (origin === undefined) return
  const page = URL.parse(origin)
  const isLocal = page !== null && page.host === host && LOOPBACK_HOSTS.has(page.hostname)
  if (isForeign(headers) || !(isLocal || page?.origin === new URL(publicUrl).origin)) {
    throw new ApiError('cross_site_request')
  }
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Returns whether the browser names another site. A host under the same domain (`same-site`) is foreign too. `none`:
 * the person typed the address.
 */
function isForeign({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Returns whether the origin is ours. Behind a proxy that is the origin of PUBLIC_URL, otherwise the requested host.
 */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): boolean {
  if (origin === undefined) return false
  const { origin: ours, protocol } = new URL(publicUrl)
  if (origin === ours) return true
  // If ours uses TLS, a page without TLS may have been altered in transit.
  const schemes = protocol === 'https:' ? ['https'] : ['http', 'https']
  return host !== undefined && schemes.some((scheme) => origin === `${scheme}://${host.toLowerCase()}`)
}
