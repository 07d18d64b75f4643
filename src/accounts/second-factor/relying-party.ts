import { isIP } from 'node:net'
import { ApiError } from '../../lib/api-error.ts'

/** Who asks for passkeys: browsers give them to this host alone, from pages of this origin alone. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * From PUBLIC_URL and nothing else: a Host header is the caller's own word. Throws ApiError (409) where browsers know no
 * passkeys: for addresses in place of a name, and without TLS but for localhost (WebAuthn level 3, section 5.1.2).
 */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (!isAddress && (protocol === 'https:' || isLocal)) return { id: hostname, origin }
  throw new ApiError(
    'conflict',
    'Passkeys need PUBLIC_URL to be an https address with a host name (or http://localhost).',
  )
}
