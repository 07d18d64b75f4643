import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../lib/api-error.ts'

/**
 * Holds requests that carry a session to pages of our own: a browser says of each request where it comes from
 * (W3C Fetch Metadata, RFC 6454 section 7), and no page can make it say otherwise. What changes something must prove it;
 * what reads must not come from elsewhere. Throws ApiError (403).
 */
export function refuseCrossSite(method: string, headers: IncomingHttpHeaders, publicUrl: string): void {
  if (isForeign(headers)) throw new ApiError('cross_site_request')
  if (method === 'GET' || method === 'HEAD') return
  if (headers['sec-fetch-site'] === 'same-origin' || isOwnOrigin(headers, publicUrl)) return
  throw new ApiError('cross_site_request')
}

/**
 * Holds what logs people in to our own pages, or another site could log a visitor in to an account of its own. There is
 * no session yet to misuse, so programs that say nothing of an origin may. Throws ApiError (403).
 */
export function refuseForeignLogin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const isSilent = headers['sec-fetch-site'] === undefined && headers.origin === undefined
  if (!isSilent) refuseCrossSite('POST', headers, publicUrl)
}

/** A host below the same domain (`same-site`) is somebody else's as well. `none`: the person typed the address. */
function isForeign({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** Behind a proxy the page's origin is PUBLIC_URL's; without one it is the host that was asked. */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): boolean {
  if (origin === undefined) return false
  const { origin: ours, protocol } = new URL(publicUrl)
  if (origin === ours) return true
  // A page that came without TLS is anybody's on the way, where ours come with it.
  const schemes = protocol === 'https:' ? ['https'] : ['http', 'https']
  return host !== undefined && schemes.some((scheme) => origin === `${scheme}://${host.toLowerCase()}`)
}
