import type { CustomFetch } from 'openid-client'
import { isProviderUrl } from '../../config/single-sign-on.ts'

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
    return readBounded(url, await fetch(url, { ...options, redirect: 'manual' } as RequestInit))
  }
}

async function readBounded(url: string, response: Response): Promise<Response> {
  const parts: Uint8Array[] = []
  const reader = response.body?.getReader()
  let bytes = 0
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > RESPONSE_BYTES_MAX) {
      await reader?.cancel()
      throw new TypeError(`${url} sent more than ${RESPONSE_BYTES_MAX} bytes`)
    }
    parts.push(part.value)
  }
  const { status, headers } = response
  return new Response(bytes === 0 ? null : Buffer.concat(parts), { status, headers })
}
