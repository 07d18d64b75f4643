import { isIP } from 'node:net'
import { ApiError } from '../../lib/api-error.ts'

/** The relying party of passkeys. Browsers use passkeys only for this host and from this origin. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * Derives the relying party from PUBLIC_URL only, because a client controls the Host header. Throws ApiError (409) if
 * browsers do not support passkeys there: for an IP address, and without TLS except on localhost (WebAuthn level 3,
 * section 5.1.2).
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
