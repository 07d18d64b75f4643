import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { auditedRoutes } from '../../audit/audited-routes.ts'
import { CHALLENGE_PATH, challengeRoutes } from '../../certificates/challenge-routes.ts'
import type { Config } from '../../config/config.ts'
import { createShareDb } from '../../db/share-db.ts'
import type { Deliverer } from '../../delivery/dispatch/deliver.ts'
import type { HandOff } from '../../emails/accept/accept-types.ts'
import { FeedWatch } from '../../events/feed-watch.ts'
import { describeEvents } from '../../events/openapi-events.ts'
import { createOperatorGate } from '../../http/auth/operator.ts'
import { createSessionGate } from '../../http/auth/session-auth.ts'
import { CONNECTION_LIMITS } from '../../http/connections/connections.ts'
import { type HttpsListener, listenHttps } from '../../http/connections/listen-https.ts'
import type { RequireTlsOptions } from '../../http/connections/require-tls.ts'
import { docsRoutes } from '../../http/docs/docs-routes.ts'
import { guideRoutes } from '../../http/docs/guide-routes.ts'
import { createSiteReader, docsSiteRoutes } from '../../http/docs/site.ts'
import { serveDashboard } from '../../http/server/dashboard.ts'
import { createHttpServer } from '../../http/server/server.ts'
import { listenOrExplain } from '../../lib/net/listen-or-explain.ts'
import { logServerErrors } from '../../lib/net/start-listening.ts'
import { PROJECT_FOLDER } from '../../lib/project-folder.ts'
import type { InnerReply } from '../../mcp/call-tool.ts'
import { mcpRoutes } from '../../mcp/mcp-routes.ts'
import { healthRoutes } from '../../operator/health-routes.ts'
import { recordAnswers } from '../../request-log/record-answers.ts'
import type { RequestWriter } from '../../request-log/write-requests.ts'
import type { Acceptance } from '../acceptance.ts'
import type { Access } from '../access.ts'
import { API_TAGS } from '../api-tags.ts'
import type { Certificates } from '../certificate.ts'
import type { StopGroup } from '../lifecycle.ts'
import { HTTPS_PORT } from '../ports.ts'
import { readinessChecks } from '../readiness.ts'
import { createRouteDeps } from '../route-deps.ts'
import { API_ROUTES, OPERATOR_ROUTES } from '../routes.ts'
import { LIST_CONNECTIONS_MAX, type Runtime } from '../runtime.ts'
import type { ShapingView } from '../shaping-view.ts'
import type { Ports } from '../types.ts'

interface Parts {
  acceptance: Acceptance
  access: Access
  /** The delivery engine of this process, or null if other processes deliver. */
  handOff: (HandOff & Deliverer) | null
  shaping: Pick<ShapingView, 'read'>
  wakeImports(): void
  requestLog: Pick<RequestWriter, 'record'>
  listeners: StopGroup
  /** The certificates for HTTPS; null if no listener of this process needs any. */
  tls: Certificates['https'] | null
}

/** The addresses of the API. */
type ApiPorts = Pick<Ports, 'url' | 'httpsPort'>

export const NO_API: ApiPorts = { url: null, httpsPort: null }

/** Together with the statement timeout of lists, this stays within the API's two-second response limit. */
const LIST_WAIT_MS = 1500
/** The share of the 30 s drain limit that requests in progress may use. */
const CLOSE_MS = 10_000
const SWEEP_MS = 100

/** The build output of the dashboard (web/build.ts). */
const DASHBOARD_FOLDER = join(PROJECT_FOLDER, 'web/dist')

/** The guides in Markdown, which the npm package contains too. */
const DOCS_FOLDER = join(PROJECT_FOLDER, 'docs')

/** The build output of the documentation (site/build.ts). */
const SITE_FOLDER = join(PROJECT_FOLDER, 'site/dist')

/** Starts the API role. Resolves to its addresses when it listens. */
export async function startApi(runtime: Runtime, parts: Parts): Promise<ApiPorts> {
  const { config, clock, log, metrics, pools } = runtime
  const { access, handOff, listeners, requestLog } = parts
  const feedWatch = new FeedWatch({ db: pools.api, wake: runtime.events, log })
  const deps = createRouteDeps(runtime, { ...parts, feedWatch })
  const readSite = createSiteReader(SITE_FOLDER)
  const ownRoutes = [...API_ROUTES, ...OPERATOR_ROUTES]
  const routes = [
    ...ownRoutes,
    ...healthRoutes({
      checks: readinessChecks(runtime, handOff),
      registry: runtime.published,
      metricsToken: config.metricsToken,
    }),
    ...(config.acmeDirectory === null ? [] : challengeRoutes),
    ...docsRoutes(ownRoutes, config.publicUrl, { webhooks: describeEvents(), tags: API_TAGS }),
    ...docsSiteRoutes(readSite),
    ...guideRoutes(DOCS_FOLDER, config.publicUrl),
    ...mcpRoutes({
      routes: ownRoutes,
      publicUrl: config.publicUrl,
      callRoute: ({ headers, ...request }): Promise<InnerReply> =>
        server.inject({ ...request, headers: { ...headers, [INNER_FIELD]: INNER_TOKEN } }),
    }),
  ]
  const shareLists = createShareDb(pools.lists, { places: LIST_CONNECTIONS_MAX, waitMs: LIST_WAIT_MS })
  const { authenticate, guess, limiter } = access
  const server: FastifyInstance = createHttpServer({
    deps,
    routes: auditedRoutes<typeof deps>(routes),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    clock,
    log,
    authenticate,
    sessions: createSessionGate(access.sessions, config.publicUrl),
    admitOperator: createOperatorGate(config.operatorToken, clock),
    limiter,
    guess,
    expectMail: parts.acceptance.expectMail,
    shareLists,
    metrics,
    ...redirectToHttps(config, parts.tls),
    recordAnswers: (app, clientAddress) => recordAnswers(app, requestLog.record, clientAddress),
  })
  serveDashboard(server, DASHBOARD_FOLDER)
  let https: HttpsListener | null = null
  // Added before the ports are open: if the second one is in use, the first one must close.
  listeners.add('HTTP API', async () => {
    // Answer long-polling requests now, because they would delay the close.
    feedWatch.stop()
    await closeWithin(server, https, CLOSE_MS)
  })
  https = await openHttps(server, runtime, parts)
  await listenOrExplain(() => server.listen({ host: config.host, port: config.port }), config.port, 'PORT')
  logServerErrors(server.server, { name: 'HTTP', log })
  const { port } = server.server.address() as AddressInfo
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  return { url, httpsPort: https?.port ?? null }
}

/** Marks what tools request within this process, in the name of a client whose own request was not redirected. */
const INNER_FIELD = 'x-sendwright-inner'
const INNER_TOKEN = randomBytes(32).toString('hex')

/** Paths that are answered without TLS: they carry no secrets, and their clients may not follow a redirect. */
const PLAIN_PATHS = ['/healthz', '/readyz']

/** Returns the options by which the port without TLS redirects to the one with TLS, if there is one. */
function redirectToHttps(
  { httpsPort, publicUrl, trustedProxies: trusted }: Config,
  tls: Parts['tls'],
): { requireTls?: RequireTlsOptions } {
  if (httpsPort === null || tls === null) return {}
  const isExempt = ({ url = '', headers }: IncomingMessage) =>
    url.startsWith(CHALLENGE_PATH) || PLAIN_PATHS.includes(url) || headers[INNER_FIELD] === INNER_TOKEN
  return { requireTls: { publicUrl, trusted, covers: tls.covers, isExempt } }
}

/** Opens the port with TLS. Returns null if it is not configured. */
async function openHttps(
  server: ReturnType<typeof createHttpServer>,
  { config, log }: Runtime,
  { tls }: Parts,
): Promise<HttpsListener | null> {
  const { httpsPort: port, host } = config
  if (port === null || tls === null) return null
  let listener: HttpsListener | null = null
  const listen = async () => {
    const { connectionsMax } = CONNECTION_LIMITS
    listener = await listenHttps({ http: server.server, tls, host, port, connectionsMax, log })
  }
  await listenOrExplain(listen, port, HTTPS_PORT)
  return listener
}

/**
 * Closes the server after requests in progress finish, or after `closeMs`, so that a request whose body never ends
 * does not use up the drain time of delivery.
 */
async function closeWithin(
  server: ReturnType<typeof createHttpServer>,
  https: HttpsListener | null,
  closeMs: number,
): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), closeMs)
  // A connection that was sending a response when the server closed stays open for a further request. Close it when
  // idle.
  const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_MS)
  await Promise.all([server.close(), https?.close()]).finally(() => {
    clearTimeout(timer)
    clearInterval(sweep)
  })
}
