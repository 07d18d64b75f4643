import Type from 'typebox'
import { readCookie, writeCookie } from '../../http/auth/cookies.ts'
import { writeSessionCookie } from '../../http/auth/session-cookie.ts'
import { browserOf } from '../../http/route/browser-of.ts'
import { type Reply, type Route, routesOf } from '../../http/route/route.ts'
import { Text } from '../../http/route/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import { deriveKey, seal, unseal } from '../../lib/crypto/seal.ts'
import type { AccountDeps } from '../passwords/account-deps.ts'
import type { Login } from '../sessions/log-in-with-password.ts'
import { admitSilently, beginAttempt, endAttempt } from '../sessions/login-attempts.ts'
import { answerFirstStep } from '../sessions/login-reply.ts'
import { LinkToken, LoginChallengeRecord, SessionRecord } from '../users/account-schemas.ts'
import { logInWithClaims } from './log-in-with-claims.ts'
import { logInWithLink } from './login-links.ts'
import { CALLBACK_PATH, type Flow, type OidcClient } from './oidc-client.ts'
import { SignOnFailure, signOnReasonOf } from './sign-on-failure.ts'

const COOKIE_NAME = 'sendwright_sso'
const COOKIE_PURPOSE = 'single sign-on'
const FLOW_MS = 10 * 60_000
const NEXT_CHARS_MAX = 1_000

/** The state of a login that the browser keeps between its two steps. */
interface StartedFlow extends Flow {
  /** The page of the dashboard to open after the login. */
  next: string
}

const clearFlowCookie = (publicUrl: string): string => cookieOf('', 0, publicUrl)

const { route } = routesOf<SingleSignOnDeps>()

const common = { area: 'session', permission: 'public', bodyBytesMax: 16_384 } as const

const UNAVAILABLE = 'The login provider does not respond. Please try again in a moment.'
const RETRY_AFTER_SECONDS = 10

const postOidc = route('POST', '/session/oidc', {
  ...common,
  isOwnSiteOnly: true,
  operationId: 'startSingleSignOn',
  summary: 'Start single sign-on',
  description: 'Returns the login page of the OpenID provider, and sets a cookie for its response.',
  body: Type.Object(
    { next: Type.Optional(Type.String({ maxLength: 1_000, description: 'Page to open after the login.' })) },
    { examples: [{ next: '/app/' }] },
  ),
  responses: {
    200: {
      description: 'The login has started.',
      schema: Type.Object(
        { object: Type.Literal('single_sign_on'), url: Text('Where to send the browser.') },
        {
          examples: [{ object: 'single_sign_on', url: 'https://login.example.com/authorize?client_id=...' }],
        },
      ),
    },
  },
  async handle({ body, ipAddress, deps: { oidc, config, secret, clock, db, log } }) {
    if (oidc === null) throw new ApiError('not_found')
    await beginAttempt(db, { what: 'single_sign_on', ipAddress, account: '' }, clock.now())
    try {
      const { url, flow } = await oidc.start()
      const pending = { ...flow, next: body.next ?? '' }
      const cookie = writeFlowCookie(pending, secret, config.publicUrl, clock.now())
      return { status: 200, json: { object: 'single_sign_on', url }, headers: { 'set-cookie': cookie } }
    } catch (error) {
      if (!(error instanceof SignOnFailure)) throw error
      log.warn({ problem: error.problem, reason: signOnReasonOf(error) }, 'single sign-on could not start')
      throw new ApiError('service_unavailable', UNAVAILABLE, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
  },
})

/** The parameters of an authorization response (RFC 6749 section 4.1.2, RFC 9207), and those that providers add. */
const parameter = (description: string) => Type.Optional(Type.String({ maxLength: 8_000, description }))
const CallbackQuery = Type.Object({
  code: parameter('Authorization code.'),
  state: parameter('Identifies the login.'),
  iss: parameter('Issuer.'),
  error: parameter('Error, instead of a code.'),
  error_description: parameter('Description of the error.'),
})

const getCallback = route('GET', CALLBACK_PATH, {
  ...common,
  operationId: 'finishSingleSignOn',
  summary: 'Finish single sign-on',
  description: 'The OpenID provider redirects here. Redirects to the dashboard, or to the login page.',
  query: CallbackQuery,
  responses: { 303: { description: 'To `/app`.' } },
  async handle({ id, query, headers, ipAddress, deps }) {
    const { oidc, config, secret, clock, log, db } = deps
    const { publicUrl, oidcIssuer: issuer } = config
    if (oidc === null || issuer === null) throw new ApiError('not_found')
    try {
      const flow = readFlowCookie(headers.cookie as string | undefined, secret, publicUrl, clock.now())
      if (flow === null) throw new SignOnFailure('sso_expired', 'this browser has not started the login')
      const attempt = { ipAddress, account: '' }
      if (!(await admitSilently(db, { ...attempt, what: 'single_sign_on_end' }, clock.now())))
        throw new SignOnFailure('sso_limited', 'too many logins came from this network')
      const claims = await oidc.finish(callbackUrl(publicUrl, query), flow)
      const person = { issuer, claims, browser: browserOf({ headers, ipAddress }), requestId: id }
      const login = await logInWithClaims(deps, person)
      for (const what of ['single_sign_on', 'single_sign_on_end'] as const)
        await endAttempt(db, { ...attempt, what }, clock.now())
      return leadOn(deps, login, flow.next)
    } catch (error) {
      if (!(error instanceof SignOnFailure)) throw error
      const { problem } = error
      const reason = signOnReasonOf(error)
      log.warn({ problem, reason, ip_address: ipAddress }, 'single sign-on failed')
      return leadTo(publicUrl, `?notice=${problem}`, [])
    }
  },
})

/** Returns the URL that the provider sent the browser to, from PUBLIC_URL and never from the Host header. */
function callbackUrl(publicUrl: string, query: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL(`${publicUrl}${CALLBACK_PATH}`)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/**
 * Redirects to the dashboard through the login page: it opens `next` if it is a page of the dashboard, and asks for the
 * second factor. The challenge is in the fragment, which browsers do not send to servers.
 */
function leadOn({ log, config }: SingleSignOnDeps, login: Login, next: string): Reply {
  const { publicUrl, oidcSessionMs } = config
  const search = next === '' ? '' : `?${new URLSearchParams({ next })}`
  if ('challenge' in login) {
    const { challenge, methods } = login
    const fragment = new URLSearchParams({ challenge: challenge.id, methods: methods.join(',') })
    return leadTo(publicUrl, `${search}#${fragment}`, [])
  }
  const { session, token } = login.started
  const { userId: user_id, id: session_id, ipAddress: ip_address } = session
  log.info({ user_id, session_id, ip_address }, 'a user logged in with single sign-on')
  return leadTo(publicUrl, search, [writeSessionCookie(token, oidcSessionMs, publicUrl)])
}

function leadTo(publicUrl: string, rest: string, cookies: readonly string[]): Reply {
  const location = `${publicUrl}/app/login${rest}`
  return {
    status: 303,
    bytes: '',
    type: 'text/plain',
    headers: { location, 'set-cookie': [clearFlowCookie(publicUrl), ...cookies] },
  }
}

const postLink = route('POST', '/session/link', {
  ...common,
  isOwnSiteOnly: true,
  operationId: 'logInWithLink',
  summary: 'Log in with a link',
  description: 'Uses a link of `sendwright user login-link`, which works once and replaces the password.',
  body: Type.Object({ token: LinkToken }, { examples: [{ token: '...' }] }),
  responses: {
    201: { description: 'Logged in. The response sets the session cookie.', schema: SessionRecord },
    202: { description: 'A second factor is required.', schema: LoginChallengeRecord },
  },
  async handle(request) {
    return answerFirstStep(request, await logInWithLink(request.deps, request.body.token, browserOf(request)))
  },
})

/**
 * Returns the value of `Set-Cookie` that binds a login to this browser. SameSite is Lax, because the provider redirects
 * back from another site. The value is sealed, so the login needs no row, and every process can finish it.
 */
function writeFlowCookie(flow: StartedFlow, secret: Buffer, publicUrl: string, now: Date): string {
  const next = flow.next.slice(0, NEXT_CHARS_MAX)
  const plain = JSON.stringify({ ...flow, next, untilMs: now.getTime() + FLOW_MS })
  const token = seal(deriveKey(secret, COOKIE_PURPOSE), Buffer.from(plain), COOKIE_PURPOSE).toString(
    'base64url',
  )
  return cookieOf(token, FLOW_MS, publicUrl)
}

function cookieOf(value: string, lifetimeMs: number, publicUrl: string): string {
  return writeCookie({ name: COOKIE_NAME, value, lifetimeMs, sameSite: 'Lax' }, publicUrl)
}

/** Returns the login that this browser has started, or null if there is none, it has expired, or it was changed. */
function readFlowCookie(
  header: string | undefined,
  secret: Buffer,
  publicUrl: string,
  now: Date,
): StartedFlow | null {
  const value = readCookie(header, COOKIE_NAME, publicUrl)
  if (value === null) return null
  try {
    const plain = unseal(
      deriveKey(secret, COOKIE_PURPOSE),
      Buffer.from(value, 'base64url'),
      COOKIE_PURPOSE,
    ).toString()
    const { untilMs, ...flow } = JSON.parse(plain) as StartedFlow & { untilMs: number }
    return now.getTime() < untilMs ? flow : null
  } catch {
    return null
  }
}

export const singleSignOnRoutes: readonly Route<SingleSignOnDeps>[] = [postOidc, getCallback, postLink]

interface SingleSignOnDeps extends AccountDeps {
  /** Null: the operator has configured no provider. */
  oidc: OidcClient | null
  secret: Buffer
}
