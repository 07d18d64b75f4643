import type { CustomFetch } from 'openid-client'
import { isProviderUrl } from '../../config/single-sign-on.ts'
import { readBounded } from '../../lib/net/read-bounded.ts'

/** The largest documents are lists of keys, of some kilobytes. */
const RESPONSE_BYTES_MAX = 1024 * 1024

/** Only a provider on this machine may name URLs without TLS. */
export function mayCall(url: URL, issuer: string): boolean {
  return url.protocol === 'https:' || (issuer.startsWith('http:') && isProviderUrl(url))
}

/** Returns a `fetch` that follows no redirects, and reads only as many bytes as a document of a provider may have. */
export function fetchOf(issuer: string): CustomFetch {
  return async (url, options) => {
    if (!mayCall(new URL(url), issuer)) throw new TypeError(`${url} has no TLS`)
    const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit)
    return readBounded(response, RESPONSE_BYTES_MAX)
  }
}
