import type * as OpenId from 'openid-client'
import type { CustomFetch } from 'openid-client'
import { isProviderUrl } from '../../config/single-sign-on.ts'
import { readBounded } from '../../lib/net/read-bounded.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Claims, mergeClaims } from './claims.ts'
import { SignOnFailure } from './sign-on-failure.ts'

/** Registered at the provider, below PUBLIC_URL. */
export const CALLBACK_PATH = '/oidc/callback'

/** The values of a login that its second step verifies. */
export interface Flow {
  state: string
  nonce: string
  /** The code verifier of PKCE (RFC 7636). */
  verifier: string
}

/** Talks to the OpenID provider. Both methods throw SignOnFailure. */
export interface OidcClient {
  /** Returns the URL of the provider's login page for a new login. */
  start(): Promise<{ url: string; flow: Flow }>
  /** Exchanges the code in the URL to which the provider sent the browser. */
  finish(callback: URL, flow: Flow): Promise<Claims>
}

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string | null
  scopes: string
  redirectUri: string
  clock: Clock
}

const TIMEOUT_SECONDS = 10
/** A provider's endpoints and keys seldom change. The library fetches the keys again when it meets an unknown one. */
const DISCOVERED_MS = 3_600_000

/**
 * Creates a client for the provider of the installation. It reads the provider's metadata at the first login, not at
 * startup, so that other logins work while the provider is unavailable.
 */
export function createOidcClient(settings: OidcSettings): OidcClient {
  let discovered: { config: OpenId.Configuration; untilMs: number } | null = null

  async function discover(openId: typeof OpenId): Promise<OpenId.Configuration> {
    const nowMs = settings.clock.now().getTime()
    if (discovered !== null && nowMs < discovered.untilMs) return discovered.config
    const config = await discoverProvider(openId, settings)
    discovered = { config, untilMs: nowMs + DISCOVERED_MS }
    return config
  }

  return {
    async start() {
      const openId = await import('openid-client')
      const config = await discover(openId)
      const flow = {
        state: openId.randomState(),
        nonce: openId.randomNonce(),
        verifier: openId.randomPKCECodeVerifier(),
      }
      const url = openId.buildAuthorizationUrl(config, {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await openId.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      })
      if (!mayCall(url, settings.issuer))
        throw new SignOnFailure('sso_failed', 'the login page of the provider has no TLS')
      return { url: url.href, flow }
    },

    async finish(callback, flow) {
      const openId = await import('openid-client')
      const config = await discover(openId)
      try {
        const tokens = await openId.authorizationCodeGrant(config, callback, {
          pkceCodeVerifier: flow.verifier,
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims() as OpenId.IDToken
        if (config.serverMetadata().userinfo_endpoint === undefined) return claims
        // Most providers put the address and groups here.
        return mergeClaims(claims, await openId.fetchUserInfo(config, tokens.access_token, claims.sub))
      } catch (error) {
        throw toFailure(openId, error)
      }
    },
  }
}

/** Reads the metadata of the provider (OpenID Connect Discovery 1.0). Throws SignOnFailure. */
async function discoverProvider(
  openId: typeof OpenId,
  settings: OidcSettings,
): Promise<OpenId.Configuration> {
  const isLocal = settings.issuer.startsWith('http:')
  const config = await openId
    .discovery(new URL(settings.issuer), settings.clientId, undefined, authenticationOf(openId, settings), {
      [openId.customFetch]: fetchOf(settings.issuer),
      // The signature of each ID token is verified, although TLS already authenticates the provider.
      execute: [openId.enableNonRepudiationChecks, ...(isLocal ? [openId.allowInsecureRequests] : [])],
      timeout: TIMEOUT_SECONDS,
    })
    .catch((error: unknown) => {
      throw new SignOnFailure('sso_unavailable', 'the OpenID provider cannot be reached', error)
    })
  // The library also accepts the shared endpoints of Microsoft, where any tenant can assert any address.
  const { issuer } = config.serverMetadata()
  if (issuer !== settings.issuer)
    throw new SignOnFailure('sso_unavailable', `the provider's issuer is ${issuer}, not ${settings.issuer}`)
  return config
}

/** Sends the secret in the body, or in a header if the provider's metadata does not list the body. */
function authenticationOf(openId: typeof OpenId, { clientSecret }: OidcSettings): OpenId.ClientAuth {
  if (clientSecret === null) return openId.None()
  const [inBody, inHeader] = [openId.ClientSecretPost(clientSecret), openId.ClientSecretBasic(clientSecret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    return (methods.includes('client_secret_post') ? inBody : inHeader)(server, ...rest)
  }
}

function toFailure(openId: typeof OpenId, error: unknown): SignOnFailure {
  if (error instanceof openId.AuthorizationResponseError) {
    const isDenied = error.error === 'access_denied'
    return new SignOnFailure(
      isDenied ? 'sso_denied' : 'sso_failed',
      `the provider responded ${error.error}`,
      error,
    )
  }
  return new SignOnFailure('sso_failed', 'the response of the provider is not valid', error)
}

/** The largest documents are lists of keys, of some kilobytes. */
const RESPONSE_BYTES_MAX = 1024 * 1024

/** Only a provider on this machine may name URLs without TLS. */
function mayCall(url: URL, issuer: string): boolean {
  return url.protocol === 'https:' || (issuer.startsWith('http:') && isProviderUrl(url))
}

/** Returns a `fetch` that follows no redirects, and reads only as many bytes as a document of a provider may have. */
function fetchOf(issuer: string): CustomFetch {
  return async (url, options) => {
    if (!mayCall(new URL(url), issuer)) throw new TypeError(`${url} has no TLS`)
    const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit)
    return readBounded(response, RESPONSE_BYTES_MAX)
  }
}
