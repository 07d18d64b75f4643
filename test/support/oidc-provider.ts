import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { listenHere } from './listen-here.ts'

export const CLIENT = { id: 'sendwright', secret: 'a secret of the client at the provider' }

type AuthMethod = 'client_secret_post' | 'client_secret_basic'

/** An OpenID provider of another project, with people that the test chooses. */
export interface TestOidcProvider {
  issuer: string
  /** Registers the client with this redirect URI. The provider accepts its secret in one place only. */
  register(redirectUri: string, authMethod?: AuthMethod): void
  /** Changes the claims of the next ID tokens, whose signature is then wrong. Null: does not. */
  forge: ((claims: Record<string, unknown>) => Record<string, unknown>) | null
  /** The claims of people by their subject. */
  people: Map<string, Record<string, unknown>>
  /**
   * Follows the URL of a login as a person's browser does: logs in as the subject, and consents. Returns the URL that the
   * provider leads back to.
   */
  logIn(url: string, subject: string): Promise<URL>
  /** The same for a person who does not consent. */
  cancel(url: string): Promise<URL>
  stop(): Promise<void>
}

/** Starts a provider without clients. */
export async function startOidcProvider(): Promise<TestOidcProvider> {
  const people: TestOidcProvider['people'] = new Map()
  const server = createServer()
  const { url: issuer, close } = await listenHere(server)
  let redirectTo = ''

  function register(redirectUri: string, authMethod: AuthMethod = 'client_secret_post'): void {
    redirectTo = redirectUri
    const provider = createProvider({ issuer, people, redirectUri, authMethod })
    provider.use(async (context, next) => {
      await next()
      const body = context.body as { id_token?: string }
      if (made.forge !== null && context.path === '/token' && body.id_token !== undefined)
        body.id_token = forged(body.id_token, made.forge)
    })
    server.on('request', provider.callback())
  }

  async function walk(url: string, subject: string | null): Promise<URL> {
    const cookies = new Map<string, string>()
    let next = new URL(url)
    for (let step = 0; step < 20; step++) {
      if (next.href.startsWith(redirectTo)) return next
      next = await stepOn(next, cookies, subject)
    }
    throw new Error('the login does not end')
  }

  const made: TestOidcProvider = {
    issuer,
    register,
    forge: null,
    people,
    logIn: (url, subject) => walk(url, subject),
    cancel: (url) => walk(url, null),
    stop: close,
  }
  return made
}

function createProvider({
  issuer,
  people,
  redirectUri,
  authMethod,
}: {
  issuer: string
  people: TestOidcProvider['people']
  redirectUri: string
  authMethod: AuthMethod
}): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: authMethod,
      },
    ],
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    clientAuthMethods: [authMethod],
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people.get(id) }),
    }),
  })
}

/** Returns a JWT with other claims and the old signature. */
function forged(token: string, forge: (claims: Record<string, unknown>) => Record<string, unknown>): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = forge(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>)
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}

/** Requests a page, and submits it if it is the form of an interaction. Returns the next URL. */
async function stepOn(url: URL, cookies: Map<string, string>, subject: string | null): Promise<URL> {
  const send = async (to: URL, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(to, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return response
  }
  let response = await send(url)
  if (response.status === 200) {
    const page = await response.text()
    if (subject === null) response = await send(new URL(`${url.href}/abort`))
    else {
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
      const body = new URLSearchParams({ prompt, login: subject, password: 'any' })
      response = await send(url, { method: 'POST', body })
    }
  }
  const location = response.headers.get('location')
  if (location === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return new URL(location, url)
}
